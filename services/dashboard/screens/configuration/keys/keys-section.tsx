import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { WireCreatedApiKey } from '../../../api/wire.ts';
import { Button } from '../../../parts/button.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { EmptyState, Locked, ProblemNote, SectionProblem } from '../../../parts/page-states.tsx';
import { RowSkeletons } from '../../../parts/skeleton.tsx';
import { useNow } from '../../../parts/use-now.ts';
import { useAccount } from '../../session/use-session.ts';
import { SectionFrame } from '../section-frame.tsx';
import { KeyPanel } from './key-panel.tsx';
import { isUsableKey } from './key-state.ts';
import { keysQuery } from './keys-query.ts';
import { KeysTable } from './keys-table.tsx';
import { NewKeyPanel } from './new-key-panel.tsx';
import { useRevoking } from './revoking.tsx';
import { SecretPanel } from './secret-panel.tsx';

/** The account's keys; the address says which one is open, or that a new one is being made. */
export function KeysSection() {
  const { role } = useAccount();
  const mayManage = role === 'owner';
  const keys = useQuery({ ...keysQuery, enabled: mayManage });
  const { key: openId, panel } = useSearch({ strict: false }) as { key?: string; panel?: string };
  const navigate = useNavigate();
  const now = useNow();
  // The only place that has it: it is in no address and no cache.
  const [created, setCreated] = useState<WireCreatedApiKey | null>(null);
  const show = (search: { key?: string; panel?: string }) =>
    navigate({
      to: '/configuration/$section',
      params: { section: 'keys' },
      search,
      replace: created !== null,
      ignoreBlocker: true,
    });
  const revoking = useRevoking((keyId) => {
    if (created?.api_key_id === keyId) setCreated(null);
  });
  const open = keys.data?.find(({ api_key_id: id }) => id === openId) ?? null;
  const showCreated = (key: WireCreatedApiKey) => {
    setCreated(key);
    show({ key: key.api_key_id });
  };
  const side =
    created !== null ? (
      <SecretPanel created={created} revoking={revoking} done={() => setCreated(null)} />
    ) : panel === 'new' && mayManage ? (
      <NewKeyPanel onCreated={showCreated} close={() => show({})} />
    ) : open === null ? null : (
      <KeyPanel
        key={open.api_key_id}
        apiKey={open}
        keys={keys.data ?? []}
        revoking={revoking}
        onCreated={showCreated}
        close={() => show({})}
      />
    );
  return (
    <SectionFrame
      title="API keys"
      count={keys.data?.filter((key) => isUsableKey(key, now)).length}
      panel={side}
      actions={
        <Button
          onClick={() => show({ panel: 'new' })}
          disabled={!mayManage || created !== null || panel === 'new'}
          title={mayManage ? undefined : 'Only owners make keys'}
        >
          <Icon name="plus" size={14} />
          New key
        </Button>
      }
    >
      {!mayManage && (
        <Locked>API keys are seen, made and revoked by owners of the account. You are a {role} of it.</Locked>
      )}
      {revoking.error !== null && <ProblemNote error={revoking.error} className="border-line border-b px-4 py-2.5" />}
      {mayManage && keys.isPending && <RowSkeletons label="Loading the keys" rows={8} />}
      {keys.isError && <SectionProblem error={keys.error} retry={() => keys.refetch()} />}
      {keys.data?.length === 0 && (
        <EmptyState
          title="No key yet"
          action={
            <Button kind="primary" disabled={panel === 'new'} onClick={() => show({ panel: 'new' })}>
              Make the first key
            </Button>
          }
        >
          A program shows a key with each request: your ERP, a script, an agent. Give each one its own, so that it can
          be told apart and revoked alone.
        </EmptyState>
      )}
      {keys.data !== undefined && keys.data.length > 0 && (
        <KeysTable keys={keys.data} selectedId={openId ?? null} revoking={revoking} />
      )}
    </SectionFrame>
  );
}
