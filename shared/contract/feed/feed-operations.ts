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
      'Every visible change of the account’s shipments, in order, kept for 30 days. Keep `page.next_after`, and send it as `after` of the next request: ' +
      'each change is then read exactly once, whatever is written meanwhile, and the changes of one shipment come in the order of its versions. ' +
      'While `page.has_more` is true ask again at once, else after a pause. To begin at the end, ask once with `after=latest`. ' +
      'A reader that was away for longer than the feed is kept is told so by `page.gap`. A change appears within about a second of happening. ' +
      'An `after` beyond the latest position is refused: the feed has been replaced by another or an older one.',
    scope: 'shipments:read',
    limit: 'read',
    query: listChangesQuery,
    parseQuery: parseListChangesQuery,
    answers: { 200: { description: 'Changes in the order of the feed.', schema: wireChangeList } },
    errors: ['validation_failed', 'unknown_parameter'],
  },
} as const satisfies Operations;
