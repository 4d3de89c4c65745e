import { z } from 'zod';
import type { Operations } from '../operation.ts';
import { wireChangeList } from './change-wire.ts';
import {
  listChangesQuery,
  parseListChangesQuery,
  parseStreamChangesQuery,
  streamChangesQuery,
} from './list-changes-query.ts';

export const feedOperations = {
  listChanges: {
    access: 'key_or_session',
    method: 'GET',
    path: '/v1/events',
    tag: 'Change feed',
    summary: 'Read the change feed',
    description:
      'Returns every visible change of the account’s shipments, in order. Changes are kept for 30 days. Store ' +
      '`page.next_after` and send it as `after` with the next request: you then receive each change exactly once, ' +
      'and the changes of a shipment in the order of its versions. While `page.has_more` is true, request the next ' +
      'page at once; otherwise pause first. To start at the end, send `after=latest` once. If you were offline for ' +
      'longer than changes are kept, or were ahead of a backup that was restored, or if a change can’t be decoded, ' +
      '`page.gap` is true: read the shipments again with the list and continue with `page.next_after`. A change ' +
      'appears within about a second. An `after` beyond the latest position is refused, because the feed is another ' +
      'one then.',
    scope: 'shipments:read',
    limit: 'read',
    query: listChangesQuery,
    parseQuery: parseListChangesQuery,
    answers: { 200: { description: 'Changes in order.', schema: wireChangeList } },
    errors: ['validation_failed', 'unknown_parameter'],
  },
  streamChanges: {
    access: 'key_or_session',
    method: 'GET',
    path: '/v1/events/stream',
    tag: 'Change feed',
    summary: 'Stream changes',
    description:
      'The change feed as server-sent events, each within about a second of the change. `id` is the position, ' +
      '`event` the type, and `data` the change as in `GET /v1/events`. Send the key in the `Authorization` header ' +
      'only; in a browser, read the response of `fetch`, because EventSource sends no headers. After a ' +
      'disconnection, send the last `id` as `Last-Event-ID`: no change is missing or repeated. An event without data ' +
      'only moves the position. A comment arrives every 15 s; reconnect when nothing has arrived for longer, after ' +
      '`retry` milliseconds. `feed.gap` means that changes are missing, because they are no longer kept, a backup ' +
      'was restored, or one can’t be decoded: read the shipments again with the list; the stream stays open. The ' +
      'server closes a stream whose client stops reading, whose key ends, or when it restarts. A key may have a ' +
      'limited number of open streams.',
    scope: 'shipments:read',
    limit: 'read',
    staysOpen: true,
    query: streamChangesQuery,
    parseQuery: parseStreamChangesQuery,
    requestHeaders: {
      'Last-Event-ID': {
        description: 'Continues after this position: the `id` of the last event. Takes precedence over `after`.',
        schema: z.string().meta({ examples: ['4711'] }),
      },
    },
    answers: {
      200: {
        description: 'Changes as they happen. The response stays open.',
        schema: z.string(),
        mediaType: 'text/event-stream',
      },
    },
    errors: ['validation_failed', 'unknown_parameter'],
  },
} as const satisfies Operations;
