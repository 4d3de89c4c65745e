import type { Operations } from '../operation.ts';
import { wireChangeList } from './change-wire.ts';
import { listChangesQuery, parseListChangesQuery } from './list-changes-query.ts';

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
      'longer than changes are kept, `page.gap` is true. A change appears within about a second. An `after` beyond ' +
      'the latest position is refused, because the feed was then restored from a backup or replaced.',
    scope: 'shipments:read',
    limit: 'read',
    query: listChangesQuery,
    parseQuery: parseListChangesQuery,
    answers: { 200: { description: 'Changes in order.', schema: wireChangeList } },
    errors: ['validation_failed', 'unknown_parameter'],
  },
} as const satisfies Operations;
