import type { WireWebhookEndpoint } from '#shared/contract/webhooks/endpoint-wire.ts';
import { StandingMark } from '../../parts/marks.tsx';
import { standingOf } from './webhook-words.ts';

/** The state of an endpoint: its mark and its word. */
export function EndpointState({ endpoint }: { endpoint: Pick<WireWebhookEndpoint, 'state' | 'disabled_reason'> }) {
  const { sign, word } = standingOf(endpoint);
  return (
    <span className="inline-flex items-center gap-2">
      <StandingMark sign={sign} />
      <span className={sign === 'good' || sign === 'none' ? 'text-t2' : ''}>{word}</span>
    </span>
  );
}
