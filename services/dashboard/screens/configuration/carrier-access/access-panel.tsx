import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import { call, ofAccount } from '../../../api/call.ts';
import { queryClient } from '../../../api/query-client.ts';
import type { WireCarrier } from '../../../api/wire.ts';
import { Button } from '../../../parts/button.tsx';
import { wordOf } from '../../../parts/code-words.ts';
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { Moment } from '../../../parts/moment.tsx';
import { SidePanel } from '../../../parts/panel.tsx';
import { useNow } from '../../../parts/use-now.ts';
import { AccessMark } from './access-table.tsx';
import { accessState, accessWords, fieldList, trialWords } from './access-words.ts';
import { CredentialForm } from './credential-form.tsx';

/** One carrier: what it is asked with, and a form for one's own. */
export function AccessPanel({
  carrier,
  mayManage,
  close,
}: {
  carrier: WireCarrier;
  mayManage: boolean;
  close: () => void;
}) {
  const now = useNow();
  const state = accessState(carrier);
  const { credentials, health } = carrier;
  const connector = findCarrier(carrier.code)?.connector ?? null;
  const [isRemoving, setRemoving] = useState(false);
  const removing = useMutation({
    mutationFn: () => call('removeCarrierCredentials', { params: { carrier_code: carrier.code } }, ofAccount),
    onSuccess: async () => {
      setRemoving(false);
      await queryClient.invalidateQueries({ queryKey: ['carriers'] });
    },
  });
  return (
    <SidePanel title={carrier.name} close={close}>
      <div className="border-line border-b p-5">
        <Facts
          rows={[
            [
              'Code',
              <span key="code" className="font-mono text-number">
                {carrier.code}
              </span>,
            ],
            ['Carries by', carrier.transport_modes.map(wordOf).join(', ')],
            [
              'Asked with',
              <span key="state" className="inline-flex items-center gap-1.5">
                <AccessMark state={state} />
                {accessWords(carrier, now)}
              </span>,
            ],
            ...(trialWords(carrier, now) === null
              ? []
              : [
                  [
                    'Tried',
                    <span key="tried" role="status">
                      {trialWords(carrier, now)}
                    </span>,
                  ] as const,
                ]),
            ...(credentials.fields.length === 0 ? [] : [['Set', fieldList(credentials.fields as never)] as const]),
            [
              'Last answer',
              health.last_success_at === null ? (
                'none in the last two days'
              ) : (
                <Moment key="success" at={health.last_success_at} exact />
              ),
            ],
            ...(health.last_error_at === null
              ? []
              : [['Last failure', <Moment key="error" at={health.last_error_at} exact />] as const]),
          ]}
        />
        {state === 'refused' && (
          <p className="mt-3 text-t2">
            They are not used until they are replaced; one refresh in half an hour tries whether {carrier.name} takes
            them again. Its shipments wait.
          </p>
        )}
        {state === 'simulated' && (
          <p className="mt-3 text-t2">
            This installation plays {carrier.name}. Your own credentials are kept, and used once whoever runs it gives
            the carrier’s real address.
          </p>
        )}
      </div>
      {connector === null ? (
        <p className="p-5 text-t2">{carrier.name} cannot be followed by this release, so there is nothing to set.</p>
      ) : (
        <CredentialForm carrier={carrier} connector={connector} mayManage={mayManage} />
      )}
      {credentials.source === 'account' && (
        <section aria-labelledby="remove-title" className="border-line border-t p-5">
          <h3 id="remove-title" className="font-semibold text-section">
            Remove yours
          </h3>
          <p className="mt-1 text-t2">
            The installation’s serve you again, where there are some; else {carrier.name}’s shipments wait.
          </p>
          <Button
            kind="danger"
            className="mt-3"
            disabled={!mayManage}
            title={mayManage ? undefined : 'Only owners remove credentials'}
            onClick={() => setRemoving(true)}
          >
            Remove
          </Button>
        </section>
      )}
      {isRemoving && (
        <ConfirmDialog
          title={`Remove your credentials at ${carrier.name}?`}
          action="Remove"
          busy={removing.isPending}
          error={removing.error}
          onConfirm={() => removing.mutate()}
          onClose={() => setRemoving(false)}
        >
          Nothing reads them back: to use them again you type them again.
        </ConfirmDialog>
      )}
    </SidePanel>
  );
}
