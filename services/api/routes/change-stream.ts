import { Readable } from 'node:stream';
import { readLastEventId } from '#shared/contract/feed/list-changes-query.ts';
import { endServerSpan } from '#shared/telemetry/events.ts';
import { leaveConnectionLimits } from '../http/connection-limits.ts';
import { leaveUnreadResponses } from '../http/unread-responses.ts';
import { answer, type Routes } from '../plugins/serve.ts';

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // nginx would withhold the events until its buffer is full.
  'x-accel-buffering': 'no',
  // The connection has left the limits of connections.
  connection: 'close',
};

export const changeStreamRoutes = {
  async streamChanges({ ctx, caller, person, query, request }) {
    const { after, ...conditions } = query;
    const { 'last-event-id': lastEventId } = request.headers;
    const from = readLastEventId(typeof lastEventId === 'string' ? lastEventId : undefined) ?? after;
    if (request.method === 'HEAD') return answer(200, Readable.from([]), headers);
    const { accountId, keyId, test } = caller;
    const access =
      person === null
        ? { accountId, keyId: keyId ?? '' }
        : { accountId, userId: person.user.id, sessionId: person.sessionId };
    const stream = await ctx.streams.open({ access, test, conditions, after: from });
    // It would never be read.
    if (request.socket.destroyed) stream.destroy();
    leaveConnectionLimits(request);
    leaveUnreadResponses(request);
    endServerSpan(200);
    return answer(200, stream, headers);
  },
} satisfies Partial<Routes>;
