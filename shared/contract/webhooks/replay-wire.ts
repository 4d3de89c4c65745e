import { z } from 'zod';
import { decodeTypeId, encodeTypeId } from '#shared/domain/type-id.ts';
import { replayStates, type WebhookReplay } from '#shared/domain/webhooks/replay.ts';
import { parseBody } from '../input/parse-body.ts';
import { readInstant } from '../input/read-instant.ts';
import { count, instant, instantOrNull, openEnum } from '../schema-parts.ts';
import { endpointIdField, toEndpointId } from './endpoint-wire.ts';

/** The public id of a replay. */
export function toReplayId(uuid: string): string {
  return encodeTypeId('rpl', uuid);
}

/** The uuid of a public id of a replay, or null if the text is not one. */
export function readReplayId(text: string): string | null {
  return decodeTypeId('rpl', text);
}

const edgeMessage = 'must be a position (an integer from 0), a date (2026-04-15) or a time with an offset.';

function edge(description: string, example: number | string) {
  const moment = z.string().refine((text) => readInstant(text, 'from') !== null, {
    error: edgeMessage,
    params: { code: 'invalid_format' },
  });
  return z
    .union([z.int().min(0), moment], { error: edgeMessage })
    .optional()
    .meta({ description, examples: [example] });
}

/** The body that starts a replay. */
export const replayBody = z.strictObject({
  from: edge(
    'First change: a position, a date (UTC) or a time with an offset. Default: the oldest change that is kept.',
    '2026-04-15T08:00:00Z',
  ),
  to: edge('Last change: a position, a date (UTC) or a time with an offset. Default: the latest.', 4711),
  failed_only: z
    .boolean()
    .default(false)
    .meta({
      description: 'Whether to send only changes whose delivery has not succeeded.',
      examples: [true],
    }),
});

/** A position, or a time in ISO UTC. Null: open. */
export type ReplayEdge = number | string | null;
export type ReplayRequest = { from: ReplayEdge; to: ReplayEdge; failedOnly: boolean };

/** Parses an untrusted body. Throws one LandfallError that names every mistake. */
export function parseReplayBody(body: unknown): ReplayRequest {
  const { from, to, failed_only: failedOnly } = parseBody(replayBody, body ?? {});
  return { from: edgeOf(from, 'from'), to: edgeOf(to, 'to'), failedOnly };
}

function edgeOf(given: number | string | undefined, which: 'from' | 'to'): ReplayEdge {
  return typeof given === 'string' ? readInstant(given, which) : (given ?? null);
}

/** A replay and its progress. */
export const wireWebhookReplay = z
  .strictObject({
    replay_id: z.string().meta({
      description: 'Id of the replay: `rpl_` followed by 26 characters.',
      examples: ['rpl_01kahf3m2xfr5tq4d8z9w6c7yb'],
    }),
    object: z.literal('webhook_replay').meta({ description: 'Always `webhook_replay`.' }),
    webhook_endpoint_id: endpointIdField,
    from_position: count('First position of the range.', 4001),
    to_position: count('Last position of the range.', 4711),
    failed_only: z
      .boolean()
      .meta({ description: 'Whether only changes whose delivery has not succeeded are sent.', examples: [false] }),
    position: count('Last position that was handled. Before the first one: `from_position` − 1.', 4300),
    queued: count('Deliveries queued so far.', 12),
    progress: z
      .number()
      .min(0)
      .max(1)
      .meta({ description: 'Share of the range that was handled.', examples: [0.42] }),
    state: openEnum(
      replayStates,
      '`done`: every delivery of the range is queued. See the deliveries of the endpoint for their outcomes.',
    ),
    created_at: instant('When it was started.'),
    completed_at: instantOrNull('When it was done or cancelled. Null: it is running.'),
  })
  .meta({ id: 'WebhookReplay', description: 'A replay and its progress.' });

/** One page of replays. */
export const wireWebhookReplayList = z
  .strictObject({
    data: z.array(wireWebhookReplay).meta({ description: 'The replays, newest first.' }),
    page: z
      .strictObject({
        limit: z.int().meta({ description: 'Page size.', examples: [25] }),
        has_more: z.boolean().meta({ description: 'Whether there is another page.', examples: [false] }),
        next_cursor: z
          .string()
          .nullable()
          .meta({ description: '`cursor` of the next page. Null on the last page.', examples: [null] }),
      })
      .meta({ description: 'Pagination.' }),
  })
  .meta({ id: 'WebhookReplayList', description: 'One page of replays.' });

export function toWireReplay(replay: WebhookReplay): z.infer<typeof wireWebhookReplay> {
  const { from, to, sequence, state } = replay;
  const progress = state === 'done' ? 1 : Math.min(1, Math.max(0, (sequence - from + 1) / (to - from + 1)));
  return {
    replay_id: toReplayId(replay.id),
    object: 'webhook_replay',
    webhook_endpoint_id: toEndpointId(replay.endpointId),
    from_position: from,
    to_position: to,
    failed_only: replay.failedOnly,
    position: Math.max(0, sequence),
    queued: replay.queued,
    progress: Math.round(progress * 1000) / 1000,
    state,
    created_at: replay.createdAt,
    completed_at: replay.completedAt,
  };
}
