import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { WireWebhookEndpoint } from '#shared/contract/webhooks/endpoint-wire.ts';
import { call } from '../../api/call.ts';
import { Button } from '../../parts/button.tsx';
import { CheckboxLine } from '../../parts/inputs/checkbox.tsx';
import { ProblemNote } from '../../parts/page-states.tsx';
import { StandingMark } from '../../parts/status-icons.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { numberLocale } from '../../parts/words/locale.ts';
import { deliveriesQuery, reloadEndpoints } from './webhook-queries.ts';
import { disabledWords, hasFailed, outcomeWords, standingOf } from './webhook-words.ts';

/** Explains why deliveries are stopped or limited, and the remedy. Empty for a healthy endpoint. */
export function EndpointNotice({ endpoint }: { endpoint: WireWebhookEndpoint }) {
  if (endpoint.state === 'disabled') return <Disabled endpoint={endpoint} />;
  if (endpoint.failing_since === null) return null;
  return <Failing endpoint={endpoint} since={endpoint.failing_since} />;
}

function Failing({ endpoint, since }: { endpoint: WireWebhookEndpoint; since: string }) {
  const { consecutive_failures: failures, last_success_at: lastSuccess } = endpoint;
  const waiting = useInfiniteQuery(deliveriesQuery(endpoint.webhook_endpoint_id, { outcome: 'waiting' }));
  const latest = waiting.data?.pages[0]?.data.find(hasFailed);
  return (
    <Notice sign="bad">
      Failing since <Timestamp at={since} exact />, {failures.toLocaleString(numberLocale())}{' '}
      {failures === 1 ? 'try' : 'tries'} in a row{latest === undefined ? '' : `, last with: ${outcomeWords(latest)}`}.
      Failed deliveries are retried for about three days. If none succeeds in that time, the endpoint is disabled.{' '}
      {lastSuccess === null ? (
        'No delivery has succeeded yet.'
      ) : (
        <>
          Last success: <Timestamp at={lastSuccess} />.
        </>
      )}
    </Notice>
  );
}

function Disabled({ endpoint }: { endpoint: WireWebhookEndpoint }) {
  const [isSkipping, setSkipping] = useState(false);
  const enabling = useMutation({
    mutationFn: () =>
      call('enableWebhookEndpoint', {
        params: { webhook_endpoint_id: endpoint.webhook_endpoint_id },
        body: { skip_missed: isSkipping },
      }),
    onSuccess: reloadEndpoints,
  });
  const isOnRequest = endpoint.disabled_reason === 'requested';
  const isFailure = !isOnRequest && endpoint.disabled_reason !== 'restored';
  return (
    <Notice sign={isOnRequest ? 'none' : 'bad'}>
      Disabled
      {endpoint.disabled_at !== null && (
        <>
          {' since '}
          <Timestamp at={endpoint.disabled_at} exact />
        </>
      )}
      . {disabledWords(endpoint.disabled_reason)} Nothing is sent until you enable it
      {isFailure ? ', after you have fixed the receiver.' : '.'}
      <span className="mt-3 flex flex-wrap items-center gap-4">
        <Button kind="primary" busy={enabling.isPending} onClick={() => enabling.mutate()}>
          {enabling.isPending ? 'Enabling' : 'Enable'}
        </Button>
        <CheckboxLine checked={isSkipping} onChecked={setSkipping}>
          Skip the changes since then
        </CheckboxLine>
      </span>
      {enabling.isError && <ProblemNote error={enabling.error} className="mt-3" />}
    </Notice>
  );
}

function Notice({ sign, children }: { sign: 'bad' | 'none'; children: ReactNode }) {
  return (
    <div role="status" className="flex items-start gap-2.5 border-line border-b bg-sunk px-4 py-3">
      <span className="mt-[3px]">
        <StandingMark sign={sign} />
      </span>
      <div className="min-w-0 max-w-3xl">{children}</div>
    </div>
  );
}

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
