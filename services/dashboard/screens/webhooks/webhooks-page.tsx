import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { maxEndpoints } from '#shared/domain/webhooks/endpoint.ts';
import { chosen } from '../../api/call.ts';
import { Button, buttonClasses } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { EmptyState } from '../../parts/page-states.tsx';
import { DevelopersHead } from '../developers/developers-head.tsx';
import { useAccount } from '../session/use-session.ts';
import { EndpointTable } from './endpoint-table.tsx';
import { VerifySnippets } from './verify-snippets.tsx';
import { endpointsQuery, mayManageWebhooks } from './webhook-queries.ts';
import { WebhooksLocked } from './webhooks-frame.tsx';

/** The webhook endpoints of the account. */
export function WebhooksPage() {
  const { role } = useAccount();
  const mayManage = mayManageWebhooks(role);
  const endpoints = useQuery({ ...endpointsQuery, enabled: mayManage });
  const isFull = (endpoints.data?.length ?? 0) >= maxEndpoints;
  return (
    <div className="flex min-h-full flex-col">
      <DevelopersHead title="Webhooks" current="/developers/webhooks">
        {mayManage && !isFull ? (
          <NewEndpoint kind="plain" />
        ) : (
          <Button
            disabled
            title={mayManage ? `An account has up to ${maxEndpoints} endpoints` : 'Only owners can manage webhooks'}
          >
            <Icon name="plus" size={14} />
            New endpoint
          </Button>
        )}
      </DevelopersHead>
      {mayManage ? (
        <>
          <EndpointTable
            endpoints={endpoints.data}
            error={endpoints.error}
            retry={() => void endpoints.refetch()}
            empty={
              <EmptyState title="No webhook endpoints yet" action={<NewEndpoint kind="primary" />}>
                Landfall sends each change of your {chosen.mode} shipments to an address of yours within a second,
                signed, and retries until your receiver accepts it.
              </EmptyState>
            }
          />
          {endpoints.data !== undefined && endpoints.data.length > 0 && (
            <p className="px-4 py-4 text-t3">
              Endpoints for {chosen.mode} shipments. Success and latency cover the last 24 hours.{' '}
              <a href="/docs#tag/webhooks" className="text-accent underline underline-offset-2">
                API reference
              </a>
            </p>
          )}
          <div className="mt-auto max-w-3xl border-line border-t px-4 py-5">
            <VerifySnippets />
          </div>
        </>
      ) : (
        <WebhooksLocked />
      )}
    </div>
  );
}

function NewEndpoint({ kind }: { kind: 'plain' | 'primary' }) {
  return (
    <Link to="/developers/webhooks/new" className={buttonClasses(kind)}>
      <Icon name="plus" size={14} />
      New endpoint
    </Link>
  );
}
