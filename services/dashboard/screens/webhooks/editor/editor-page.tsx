import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { WireWebhookEndpoint } from '#shared/contract/webhooks/endpoint-wire.ts';
import { call, chosen } from '../../../api/call.ts';
import { Button, buttonClasses } from '../../../parts/button.tsx';
import { ErrorState, ProblemNote } from '../../../parts/page-states.tsx';
import { SkeletonRows } from '../../../parts/skeleton.tsx';
import { useAccount } from '../../session/use-session.ts';
import { SecretStep, type WithSecret } from '../secret-step.tsx';
import { endpointQuery, mayManageWebhooks, reloadEndpoints } from '../webhook-queries.ts';
import { shortUrl } from '../webhook-words.ts';
import { WebhooksFrame } from '../webhooks-frame.tsx';
import { bodyOf, draftOf, newDraft } from './endpoint-draft.ts';
import { EndpointFields } from './endpoint-fields.tsx';
import { PayloadPreview } from './payload-preview.tsx';

/** Creates an endpoint, then shows its secret once. */
export function NewEndpointPage() {
  // The secret exists only here: in no URL and no cache.
  const [created, setCreated] = useState<WithSecret | null>(null);
  const navigate = useNavigate();
  const open = (endpointId: string) =>
    navigate({ to: '/developers/webhooks/$endpointId', params: { endpointId }, replace: true, ignoreBlocker: true });
  return (
    <WebhooksFrame title="New endpoint" crumbs={['New endpoint']}>
      {created === null ? (
        <Editor endpoint={null} save={(body) => call('createWebhookEndpoint', { body })} saved={setCreated} />
      ) : (
        <SecretStep title="Endpoint created" created={created} done={() => open(created.webhook_endpoint_id)} />
      )}
    </WebhooksFrame>
  );
}

/** Changes an endpoint. */
export function EditEndpointPage() {
  const { endpointId = '' } = useParams({ strict: false });
  const mayManage = mayManageWebhooks(useAccount().role);
  // Read once: a refetch would not change the form.
  const endpoint = useQuery({ ...endpointQuery(endpointId), enabled: mayManage, refetchInterval: false });
  const navigate = useNavigate();
  return (
    <WebhooksFrame
      title="Edit endpoint"
      crumbs={[{ endpointId, name: endpoint.data === undefined ? '…' : shortUrl(endpoint.data.url) }, 'Edit']}
    >
      {endpoint.data !== undefined ? (
        <Editor
          endpoint={endpoint.data}
          save={(body) => call('updateWebhookEndpoint', { params: { webhook_endpoint_id: endpointId }, body })}
          saved={() => navigate({ to: '/developers/webhooks/$endpointId', params: { endpointId } })}
        />
      ) : endpoint.isError ? (
        <ErrorState error={endpoint.error} retry={() => void endpoint.refetch()} />
      ) : (
        <SkeletonRows rows={8} cells={['w-1/2']} label="Loading: endpoint" />
      )}
    </WebhooksFrame>
  );
}

type EditorProps<Saved> = {
  endpoint: WireWebhookEndpoint | null;
  save: (body: ReturnType<typeof bodyOf>) => Promise<Saved>;
  saved: (saved: Saved) => unknown;
};

/** The form, and beside it the request that a receiver gets. */
function Editor<Saved>({ endpoint, save, saved }: EditorProps<Saved>) {
  const [draft, setDraft] = useState(() => (endpoint === null ? newDraft() : draftOf(endpoint)));
  const saving = useMutation({
    mutationFn: () => save(bodyOf(draft)),
    onSuccess: async (answer) => {
      await reloadEndpoints();
      saved(answer);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  const verb = endpoint === null ? 'Create endpoint' : 'Save changes';
  return (
    <div className="flex flex-1 max-xl:flex-col">
      <form onSubmit={submit} className="flex min-w-0 max-w-3xl flex-[1.4] flex-col gap-6 p-4 pb-8">
        <EndpointFields draft={draft} change={setDraft} error={saving.error} isNew={endpoint === null} />
        {saving.isError && <ProblemNote error={saving.error} />}
        <div className="flex flex-wrap items-center gap-2 border-line border-t pt-4">
          <Button kind="primary" type="submit" busy={saving.isPending} disabled={draft.types.length === 0}>
            {saving.isPending ? 'Saving' : verb}
          </Button>
          {endpoint === null ? (
            <Link to="/developers/webhooks" className={buttonClasses()}>
              Cancel
            </Link>
          ) : (
            <Link
              to="/developers/webhooks/$endpointId"
              params={{ endpointId: endpoint.webhook_endpoint_id }}
              className={buttonClasses()}
            >
              Cancel
            </Link>
          )}
          <span className="text-label text-t3">
            {endpoint === null
              ? `Receives changes of ${chosen.mode} shipments from now on.`
              : 'Applies to deliveries that are not sent yet.'}
          </span>
        </div>
      </form>
      <aside
        aria-labelledby="preview-title"
        className="min-w-0 flex-1 border-line border-l p-5 max-xl:border-t max-xl:border-l-0 max-xl:px-4"
      >
        <div className="xl:sticky xl:top-5 xl:max-h-[calc(100vh-10rem)] xl:overflow-y-auto">
          <h2 id="preview-title" className="mb-2 font-semibold text-section">
            Preview
          </h2>
          <PayloadPreview draft={draft} />
        </div>
      </aside>
    </div>
  );
}
