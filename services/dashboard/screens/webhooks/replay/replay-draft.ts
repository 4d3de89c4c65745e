import type { InputOf } from '#shared/contract/operations.ts';

/** Values of the form. Times are local, without a zone, as date fields return them. */
export type ReplayDraft = { by: 'time' | 'position'; from: string; to: string; failedOnly: boolean };

type ReplayBody = NonNullable<InputOf<'replayWebhookEndpoint'>['body']>;

/** An empty edge is left out: the range is open there. */
export function replayBodyOf({ by, from, to, failedOnly }: ReplayDraft): ReplayBody {
  const edge = (text: string) => (by === 'time' ? new Date(text).toISOString() : Number(text));
  return {
    ...(from === '' ? {} : { from: edge(from) }),
    ...(to === '' ? {} : { to: edge(to) }),
    failed_only: failedOnly,
  };
}
