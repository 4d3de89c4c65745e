import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { WireWebhookEndpoint } from '#shared/contract/webhooks/endpoint-wire.ts';
import { secretOverlapHours } from '#shared/domain/webhooks/endpoint.ts';
import { call } from '../../api/call.ts';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { NativeSelect } from '../../parts/inputs/select.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import type { WithSecret } from './secret-step.tsx';
import { reloadEndpoints } from './webhook-queries.ts';

const overlaps = [
  { hours: 0, name: 'ends now' },
  { hours: 1, name: 'also signs for 1 hour' },
  { hours: 24, name: 'also signs for 24 hours' },
  { hours: 168, name: 'also signs for 7 days' },
] as const;

type Props = { endpoint: WireWebhookEndpoint; rotated: (endpoint: WithSecret) => void; close: () => void };

/** A new secret. The old one keeps signing for a while, so that receivers can be updated one after the other. */
export function RotateDialog({ endpoint, rotated, close }: Props) {
  const [hours, setHours] = useState<number>(secretOverlapHours.default);
  const rotating = useMutation({
    mutationFn: () =>
      call('rotateWebhookSecret', {
        params: { webhook_endpoint_id: endpoint.webhook_endpoint_id },
        body: { overlap_hours: hours },
      }),
    onSuccess: (changed) => {
      close();
      rotated(changed);
      return reloadEndpoints();
    },
  });
  return (
    <ConfirmDialog
      title="Rotate the secret?"
      action={rotating.isPending ? 'Rotating' : 'Rotate secret'}
      kind="primary"
      busy={rotating.isPending}
      error={rotating.error}
      onConfirm={() => rotating.mutate()}
      onClose={close}
    >
      <p>
        Creates a new secret. While both are valid, each delivery has a signature of each, and receivers accept either.
        {endpoint.previous_secret_until !== null && (
          <>
            {' '}
            The secret before, which is valid until <Timestamp at={endpoint.previous_secret_until} exact />, ends now.
          </>
        )}
      </p>
      <NativeSelect
        label="Old secret"
        className="mt-3 w-64"
        value={hours}
        onChange={({ target }) => setHours(Number(target.value))}
      >
        {overlaps.map((overlap) => (
          <option key={overlap.hours} value={overlap.hours}>
            {overlap.name}
          </option>
        ))}
      </NativeSelect>
    </ConfirmDialog>
  );
}
