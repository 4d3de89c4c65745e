import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { WireWebhookEndpoint } from '#shared/contract/webhooks/endpoint-wire.ts';
import { call } from '../../api/call.ts';
import { ProblemError } from '../../api/problem-error.ts';
import { Button, buttonClasses } from '../../parts/button.tsx';
import { EmptyState, ErrorState, ProblemNote } from '../../parts/page-states.tsx';
import { SkeletonRows } from '../../parts/skeleton.tsx';
import { useAccount } from '../session/use-session.ts';
import { Deliveries } from './deliveries/deliveries.tsx';
import { EndpointFacts } from './endpoint-facts.tsx';
import { EndpointMenu } from './endpoint-menu.tsx';
import { EndpointNotice, EndpointState } from './endpoint-notice.tsx';
import { EndpointStats } from './endpoint-stats.tsx';
import { ReplayPanel } from './replay/replay-panel.tsx';
import { Replays } from './replay/replays.tsx';
import { SecretStep, type WithSecret } from './secret-step.tsx';
import { TestResult } from './test-result.tsx';
import { endpointQuery, mayManageWebhooks, reloadEndpoints } from './webhook-queries.ts';
import { shortUrl } from './webhook-words.ts';
import { WebhooksFrame } from './webhooks-frame.tsx';

/** One endpoint: its health, its deliveries, and what can be done. */
export function EndpointPage() {
  const { endpointId = '' } = useParams({ strict: false });
  const mayManage = mayManageWebhooks(useAccount().role);
  const endpoint = useQuery({ ...endpointQuery(endpointId), enabled: mayManage });
  if (endpoint.data !== undefined) return <Endpoint key={endpointId} endpoint={endpoint.data} error={endpoint.error} />;
  const isGone = endpoint.error instanceof ProblemError && endpoint.error.status === 404;
  return (
    <WebhooksFrame title="Webhook endpoint" crumbs={['Endpoint']}>
      {isGone ? (
        <EmptyState
          title="Endpoint not found"
          action={
            <Link to="/developers/webhooks" className={buttonClasses()}>
              All endpoints
            </Link>
          }
        >
          It was deleted, or belongs to another account or mode.
        </EmptyState>
      ) : endpoint.isError ? (
        <ErrorState error={endpoint.error} retry={() => void endpoint.refetch()} />
      ) : (
        <SkeletonRows rows={10} cells={['w-40', 'w-64']} label="Loading: endpoint" />
      )}
    </WebhooksFrame>
  );
}

function Endpoint({ endpoint, error }: { endpoint: WireWebhookEndpoint; error: unknown }) {
  const id = endpoint.webhook_endpoint_id;
  // A new secret exists only here: in no URL and no cache.
  const [rotated, setRotated] = useState<WithSecret | null>(null);
  const [isReplaying, setReplaying] = useState(false);
  const testing = useMutation({
    mutationFn: () => call('testWebhookEndpoint', { params: { webhook_endpoint_id: id } }),
    onSettled: reloadEndpoints,
  });
  const name = endpoint.description ?? shortUrl(endpoint.url);
  if (rotated !== null) {
    return (
      <WebhooksFrame title="New secret" crumbs={[{ endpointId: id, name }, 'New secret']}>
        <SecretStep title="New secret" created={rotated} done={() => setRotated(null)} />
      </WebhooksFrame>
    );
  }
  return (
    <WebhooksFrame
      title={name}
      crumbs={[name]}
      mark={<EndpointState endpoint={endpoint} />}
      actions={
        <>
          <Button busy={testing.isPending} onClick={() => testing.mutate()}>
            {testing.isPending ? 'Sending' : 'Send test'}
          </Button>
          <Button onClick={() => setReplaying(true)}>Replay…</Button>
          <Link to="/developers/webhooks/$endpointId/edit" params={{ endpointId: id }} className={buttonClasses()}>
            Edit
          </Link>
          <EndpointMenu endpoint={endpoint} rotated={setRotated} />
        </>
      }
    >
      {error != null && <ProblemNote error={error} className="border-line border-b px-4 py-2.5" />}
      <EndpointNotice endpoint={endpoint} />
      <TestResult result={testing.data} error={testing.error} />
      <EndpointStats endpoint={endpoint} />
      <Replays endpointId={id} />
      <div className="flex flex-1 max-xl:flex-col">
        <Deliveries endpointId={id} />
        <EndpointFacts endpoint={endpoint} />
      </div>
      {isReplaying && <ReplayPanel endpoint={endpoint} close={() => setReplaying(false)} />}
    </WebhooksFrame>
  );
}
