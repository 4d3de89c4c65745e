import { Menu } from '@base-ui/react/menu';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { WireWebhookEndpoint } from '#shared/contract/webhooks/endpoint-wire.ts';
import { call } from '../../api/call.ts';
import { queryClient } from '../../api/query-client.ts';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { MenuSeparator, menuItemClasses, PopupMenu } from '../../parts/inputs/menu.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import type { WithSecret } from './secret-step.tsx';
import { endpointQuery, reloadEndpoints } from './webhook-queries.ts';
import { shortUrl } from './webhook-words.ts';

type Verb = 'rotate' | 'disable' | 'delete';
type Props = { endpoint: WireWebhookEndpoint; rotated: (endpoint: WithSecret) => void };

/** Menu of the rare actions: a new secret, disabling, deleting. */
export function EndpointMenu({ endpoint, rotated }: Props) {
  const [verb, setVerb] = useState<Verb | null>(null);
  const close = () => setVerb(null);
  return (
    <>
      <PopupMenu
        label="More about this endpoint"
        title="More"
        className="inline-flex size-7 shrink-0 items-center justify-center rounded-control border border-line2 text-t2 hover:bg-hover hover:text-t1"
        trigger={<Icon name="more" size={16} />}
      >
        <Menu.Item className={menuItemClasses} onClick={() => setVerb('rotate')}>
          Rotate secret…
        </Menu.Item>
        <Menu.Item
          className={menuItemClasses}
          disabled={endpoint.state === 'disabled'}
          onClick={() => setVerb('disable')}
        >
          Disable…
        </Menu.Item>
        <MenuSeparator />
        <Menu.Item className={menuItemClasses} onClick={() => setVerb('delete')}>
          Delete…
        </Menu.Item>
      </PopupMenu>
      {verb === 'rotate' && <RotateDialog endpoint={endpoint} rotated={rotated} close={close} />}
      {verb === 'disable' && <DisableDialog endpoint={endpoint} close={close} />}
      {verb === 'delete' && <DeleteDialog endpoint={endpoint} close={close} />}
    </>
  );
}

type DialogProps = { endpoint: WireWebhookEndpoint; close: () => void };

function DisableDialog({ endpoint, close }: DialogProps) {
  const disabling = useMutation({
    mutationFn: () => call('disableWebhookEndpoint', { params: { webhook_endpoint_id: endpoint.webhook_endpoint_id } }),
    onSuccess: async () => {
      await reloadEndpoints();
      close();
    },
  });
  return (
    <ConfirmDialog
      title="Disable this endpoint?"
      action="Disable"
      busy={disabling.isPending}
      error={disabling.error}
      onConfirm={() => disabling.mutate()}
      onClose={close}
    >
      Nothing is sent to {shortUrl(endpoint.url)} until you enable it again. Changes are kept for 30 days and delivered
      then.
    </ConfirmDialog>
  );
}

function DeleteDialog({ endpoint, close }: DialogProps) {
  const navigate = useNavigate();
  const deleting = useMutation({
    mutationFn: () => call('deleteWebhookEndpoint', { params: { webhook_endpoint_id: endpoint.webhook_endpoint_id } }),
    onSuccess: async () => {
      await navigate({ to: '/developers/webhooks' });
      queryClient.removeQueries({ queryKey: endpointQuery(endpoint.webhook_endpoint_id).queryKey });
      await reloadEndpoints();
    },
  });
  return (
    <ConfirmDialog
      title="Delete this endpoint?"
      action="Delete"
      busy={deleting.isPending}
      error={deleting.error}
      onConfirm={() => deleting.mutate()}
      onClose={close}
    >
      Nothing is sent to {shortUrl(endpoint.url)} any more, waiting deliveries included. Its secret and its log are
      deleted. This can’t be undone.
    </ConfirmDialog>
  );
}
