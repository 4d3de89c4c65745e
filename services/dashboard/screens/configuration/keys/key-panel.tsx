import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call, ofAccount } from '../../../api/call.ts';
import { queryClient } from '../../../api/query-client.ts';
import type { WireApiKey, WireCreatedApiKey } from '../../../api/wire.ts';
import { Button } from '../../../parts/button.tsx';
import { Panel } from '../../../parts/dialogs/panel.tsx';
import { type FactRows, Facts } from '../../../parts/facts.tsx';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { NativeSelect } from '../../../parts/inputs/select.tsx';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { Timestamp } from '../../../parts/timestamp.tsx';
import { useSession } from '../../session/use-session.ts';
import { ConnectedApps } from './connected-apps.tsx';
import { isUsableKey, keyState } from './key-state.ts';
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

/** One key: what it allows, and how to rotate and revoke it. */
export function KeyPanel({ apiKey, keys, revoking, onCreated, close }: Props) {
  const now = useNow();
  const { mcp_oauth: isOffered } = useSession();
  const state = keyState(apiKey, now);
  const hasEnded = !isUsableKey(apiKey, now);
  const isRevoking = revoking.keyId === apiKey.api_key_id;
  useRevokeFocus(isRevoking, hasEnded);
  const successor = keys.find(({ api_key_id: id }) => id === apiKey.rotated_to);
  return (
    <Panel title={apiKey.name} close={close}>
      <div className="border-line border-b p-5">
        <Facts rows={factsOf(apiKey, now)} />
        {apiKey.rotated_to !== null && (
          <p className="mt-3 text-t2">
            Rotated{successor === undefined ? '' : ' to '}
            {successor !== undefined && <KeyText apiKey={successor} />}.{' '}
            {hasEnded ? 'This key no longer works.' : 'Both keys work until this one expires.'}
          </p>
        )}
        {state === 'expired' && <p className="mt-3 text-t2">Requests fail with expired_api_key.</p>}
        {state === 'revoked' && (
          <p className="mt-3 text-t2">Requests fail with revoked_api_key. A revoked key can’t be restored.</p>
        )}
      </div>
      {!hasEnded && isOffered === true && <ConnectedApps keyId={apiKey.api_key_id} />}
      {!hasEnded && apiKey.rotated_to === null && <RotateForm apiKey={apiKey} onCreated={onCreated} />}
      {!hasEnded && (
        <section aria-labelledby="revoke-title" className="p-5">
          <h3 id="revoke-title" className="font-semibold text-section">
            Revoke
          </h3>
          <p className="mt-1 text-t2">Permanent. The key stops working within one second.</p>
          <div data-revoke="" className="mt-3 flex min-h-7 items-center">
            {isRevoking ? (
              <RevokingNote revoking={revoking} />
            ) : (
              <Button kind="danger" onClick={() => revoking.start(apiKey.api_key_id)}>
                Revoke key
              </Button>
            )}
          </div>
          {isRevoking && (
            <p className="mt-2 text-label text-t3">
              The key works until then. Leaving this page does not cancel the revocation.
            </p>
          )}
        </section>
      )}
    </Panel>
  );
}

function factsOf(apiKey: WireApiKey, now: number): FactRows {
  const { revoked_at: revokedAt, expires_at: expiresAt, last_used_at: usedAt } = apiKey;
  const isEnding = keyState(apiKey, now) !== 'active';
  return {
    Key: <KeyText apiKey={apiKey} />,
    Mode: apiKey.test ? 'Test: test shipments only' : 'Live',
    Scopes: longScopes(apiKey.scopes),
    Created: <Timestamp at={apiKey.created_at} exact />,
    'Last used': usedAt === null ? 'never' : <Timestamp at={usedAt} exact />,
    Revoked: revokedAt === null ? null : <Timestamp at={revokedAt} exact />,
    Expires: revokedAt === null ? <Expiry at={expiresAt} isEnding={isEnding} /> : null,
  };
}

function Expiry({ at, isEnding }: { at: string | null; isEnding: boolean }) {
  if (at === null) return 'never';
  return (
    <span className={isEnding ? 'text-amber' : ''}>
      <Timestamp at={at} exact />
    </span>
  );
}

const overlaps = [
  { hours: 0, name: 'expires now' },
  { hours: 1, name: 'expires in 1 hour' },
  { hours: 24, name: 'expires in 24 hours' },
  { hours: 168, name: 'expires in 7 days' },
] as const;

/** A new secret with the same scopes. The old key keeps working for a while, so that nothing is interrupted. */
function RotateForm({ apiKey, onCreated }: Pick<Props, 'apiKey' | 'onCreated'>) {
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
        Creates a key with the same name and scopes. Deploy the new key before the old one expires.
      </p>
      <div className="mt-3 flex flex-wrap items-end gap-2">
        <NativeSelect
          label="Old key"
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
