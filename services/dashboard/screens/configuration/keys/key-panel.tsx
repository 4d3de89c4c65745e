import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call, ofAccount } from '../../../api/call.ts';
import { queryClient } from '../../../api/query-client.ts';
import type { WireApiKey, WireCreatedApiKey } from '../../../api/wire.ts';
import { Button } from '../../../parts/button.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { Moment } from '../../../parts/moment.tsx';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { SidePanel } from '../../../parts/panel.tsx';
import { NativeSelect } from '../../../parts/select.tsx';
import { useNow } from '../../../parts/use-now.ts';
import { keyState } from './key-state.ts';
import { keysQuery } from './keys-query.ts';
import { KeyText } from './keys-table.tsx';
import { type Revoking, RevokingNote, useRevokeFocus } from './revoking.tsx';
import { longScopes } from './scope-words.ts';

type Props = {
  apiKey: WireApiKey;
  keys: readonly WireApiKey[];
  revoking: Revoking;
  onCreated: (key: WireCreatedApiKey) => void;
  close: () => void;
};

/** One key: what it is, and how it is replaced or ended. */
export function KeyPanel({ apiKey, keys, revoking, onCreated, close }: Props) {
  const state = keyState(apiKey, useNow());
  const hasEnded = state === 'expired' || state === 'revoked';
  useRevokeFocus(revoking.keyId === apiKey.api_key_id, hasEnded);
  const successor = keys.find(({ api_key_id: id }) => id === apiKey.rotated_to);
  return (
    <SidePanel title={apiKey.name} close={close}>
      <div className="border-line border-b p-5">
        <Facts
          rows={[
            ['Key', <KeyText key="key" apiKey={apiKey} />],
            ['Mode', apiKey.test ? 'Test: test shipments only' : 'Live'],
            ['Can', longScopes(apiKey.scopes)],
            ['Made', <Moment key="made" at={apiKey.created_at} exact />],
            [
              'Last used',
              apiKey.last_used_at === null ? 'never' : <Moment key="used" at={apiKey.last_used_at} exact />,
            ],
            [
              apiKey.revoked_at === null ? 'Expires' : 'Revoked',
              apiKey.revoked_at !== null ? (
                <Moment key="revoked" at={apiKey.revoked_at} exact />
              ) : apiKey.expires_at === null ? (
                'never'
              ) : (
                <span key="expires" className={state === 'active' ? '' : 'text-amber'}>
                  <Moment at={apiKey.expires_at} exact />
                </span>
              ),
            ],
          ]}
        />
        {apiKey.rotated_to !== null && (
          <p className="mt-3 text-t2">
            Rotated{successor === undefined ? '' : ', to '}
            {successor !== undefined && <KeyText apiKey={successor} />}.{' '}
            {hasEnded ? 'This one is refused now.' : 'Both are accepted until this one ends.'}
          </p>
        )}
        {state === 'expired' && <p className="mt-3 text-t2">Requests with it are refused: expired_api_key.</p>}
        {state === 'revoked' && (
          <p className="mt-3 text-t2">Requests with it are refused: revoked_api_key. It cannot be brought back.</p>
        )}
      </div>
      {!hasEnded && apiKey.rotated_to === null && <RotateForm apiKey={apiKey} onCreated={onCreated} />}
      {!hasEnded && (
        <section aria-labelledby="revoke-title" className="p-5">
          <h3 id="revoke-title" className="font-semibold text-section">
            Revoke
          </h3>
          <p className="mt-1 text-t2">For good. Within one second of the request every process refuses the key.</p>
          <div data-revoke="" className="mt-3 flex min-h-7 items-center">
            {revoking.keyId === apiKey.api_key_id ? (
              <RevokingNote revoking={revoking} />
            ) : (
              <Button kind="danger" onClick={() => revoking.start(apiKey.api_key_id)}>
                Revoke key
              </Button>
            )}
          </div>
          {revoking.keyId === apiKey.api_key_id && (
            <p className="mt-2 text-label text-t3">
              The key is still accepted until then. Leaving this page does not undo it.
            </p>
          )}
        </section>
      )}
    </SidePanel>
  );
}

const overlaps = [
  { hours: 0, name: 'ends at once' },
  { hours: 1, name: 'works for 1 hour more' },
  { hours: 24, name: 'works for 24 hours more' },
  { hours: 168, name: 'works for 7 days more' },
] as const;

/** A new secret in the place of the old one, which goes on for a while so that nothing stands still. */
export function RotateForm({ apiKey, onCreated }: { apiKey: WireApiKey; onCreated: (key: WireCreatedApiKey) => void }) {
  const [hours, setHours] = useState(24);
  const rotating = useMutation({
    mutationFn: () =>
      call('rotateApiKey', { params: { api_key_id: apiKey.api_key_id }, body: { overlap_hours: hours } }, ofAccount),
    onSuccess: (key) => {
      onCreated(key);
      return queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });
    },
  });
  return (
    <section aria-labelledby="rotate-title" className="border-line border-b p-5">
      <h3 id="rotate-title" className="font-semibold text-section">
        Rotate
      </h3>
      <p className="mt-1 text-t2">
        Makes a key with the same name and scopes. Put it in place, then let the old one end.
      </p>
      <div className="mt-3 flex flex-wrap items-end gap-2">
        <NativeSelect
          label="The old key"
          className="w-56"
          value={hours}
          onChange={(event) => setHours(Number(event.target.value))}
        >
          {overlaps.map((overlap) => (
            <option key={overlap.hours} value={overlap.hours}>
              {overlap.name}
            </option>
          ))}
        </NativeSelect>
        <Button className="h-8" busy={rotating.isPending} onClick={() => rotating.mutate()}>
          {rotating.isPending ? 'Rotating' : 'Rotate key'}
        </Button>
      </div>
      {rotating.isError && <ProblemNote error={rotating.error} className="mt-3" />}
    </section>
  );
}
