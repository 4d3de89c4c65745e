import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import { call, ofAccount } from '../../../api/call.ts';
import { queryClient } from '../../../api/query-client.ts';
import type { WireCarrier } from '../../../api/wire.ts';
import { Button } from '../../../parts/button.tsx';
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx';
import { Panel } from '../../../parts/dialogs/panel.tsx';
import { type FactRows, Facts } from '../../../parts/facts.tsx';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { Timestamp } from '../../../parts/timestamp.tsx';
import { wordOf } from '../../../parts/words/code-words.ts';
import { AccessMark } from './access-table.tsx';
import { accessState, accessWords, fieldList, trialWords } from './access-words.ts';
import { CheckResult, useCredentialCheck } from './credential-check.tsx';
import { CredentialForm } from './credential-form.tsx';
import { OnboardingGuide } from './onboarding-guide.tsx';

type Props = { carrier: WireCarrier; mayManage: boolean; close: () => void };

/** One carrier: the credentials it is polled with, and a form for the account's own. */
export function AccessPanel({ carrier, mayManage, close }: Props) {
  const now = useNow();
  const state = accessState(carrier);
  const connector = findCarrier(carrier.code)?.connector ?? null;
  return (
    <Panel title={carrier.name} close={close}>
      <div className="border-line border-b p-5">
        <Facts rows={factsOf(carrier, now)} />
        {state === 'unaddressed' && <p className="mt-3 text-t2">{carrier.connection_reason}</p>}
        {state === 'rejected' && (
          <p className="mt-3 text-t2">
            Landfall suspends rejected credentials and retries them every 30 minutes. Refreshes of {carrier.name}{' '}
            shipments resume when the carrier accepts the credentials or you replace them.
          </p>
        )}
        {carrier.credentials.source === 'account' && <StoredCheck carrier={carrier} mayManage={mayManage} />}
        {state === 'simulated' && (
          <p className="mt-3 text-t2">
            This installation simulates {carrier.name}. Your own credentials are stored, and used once your operator
            configures the carrier’s real address.
          </p>
        )}
      </div>
      <OnboardingGuide carrier={carrier} />
      {connector === null ? (
        <p className="border-line border-b p-5 text-t2">{carrier.connection_reason} There are no credentials to set.</p>
      ) : (
        <CredentialForm carrier={carrier} connector={connector} mayManage={mayManage} />
      )}

      {carrier.credentials.source === 'account' && <Removal carrier={carrier} mayManage={mayManage} />}
    </Panel>
  );
}

function factsOf(carrier: WireCarrier, now: number): FactRows {
  const { credentials, health } = carrier;
  const trial = trialWords(carrier, now);
  return {
    Code: <span className="font-mono text-number">{carrier.code}</span>,
    Modes: carrier.transport_modes.map(wordOf).join(', '),
    Credentials: (
      <span className="inline-flex items-center gap-1.5">
        <AccessMark state={accessState(carrier)} />
        {accessWords(carrier, now)}
      </span>
    ),
    Result: trial === null ? null : <span role="status">{trial}</span>,
    'Fields set': credentials.fields.length === 0 ? null : fieldList(credentials.fields as never),
    'Last response':
      health.last_success_at === null ? 'none in the last two days' : <Timestamp at={health.last_success_at} exact />,
    'Last failure': health.last_error_at === null ? null : <Timestamp at={health.last_error_at} exact />,
  };
}

/** Tries the stored credentials with one call. */
function StoredCheck({ carrier, mayManage }: Omit<Props, 'close'>) {
  const checking = useCredentialCheck(carrier);
  return (
    <div className="mt-3 flex flex-col gap-2">
      <Button
        className="self-start"
        busy={checking.isPending}
        disabled={!mayManage}
        title={mayManage ? undefined : 'Only owners can verify credentials'}
        onClick={() => checking.mutate({})}
      >
        {checking.isPending ? 'Verifying' : 'Verify stored credentials'}
      </Button>
      <CheckResult checking={checking} />
    </div>
  );
}

function Removal({ carrier, mayManage }: Omit<Props, 'close'>) {
  const [isAsking, setAsking] = useState(false);
  const removing = useMutation({
    mutationFn: () => call('removeCarrierCredentials', { params: { carrier_code: carrier.code } }, ofAccount),
    onSuccess: async () => {
      setAsking(false);
      await queryClient.invalidateQueries({ queryKey: ['carriers'] });
    },
  });
  return (
    <section aria-labelledby="remove-title" className="border-line border-t p-5">
      <h3 id="remove-title" className="font-semibold text-section">
        Remove your credentials
      </h3>
      <p className="mt-1 text-t2">
        Landfall then uses the installation’s credentials. If there are none, {carrier.name} shipments are not
        refreshed.
      </p>
      <Button
        kind="danger"
        className="mt-3"
        disabled={!mayManage}
        title={mayManage ? undefined : 'Only owners can remove credentials'}
        onClick={() => setAsking(true)}
      >
        Remove
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={`Remove your credentials for ${carrier.name}?`}
          action="Remove"
          busy={removing.isPending}
          error={removing.error}
          onConfirm={() => removing.mutate()}
          onClose={() => setAsking(false)}
        >
          Removed credentials can’t be restored. To use them again, enter them again.
        </ConfirmDialog>
      )}
    </section>
  );
}
