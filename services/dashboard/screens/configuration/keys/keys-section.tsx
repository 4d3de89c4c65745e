import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { WireCreatedApiKey } from '../../../api/wire.ts';
import { Button } from '../../../parts/button.tsx';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { Icon } from '../../../parts/icon.tsx';
import { Locked, ProblemNote } from '../../../parts/page-states.tsx';
import { useAccount } from '../../session/use-session.ts';
import { SectionFrame } from '../section-frame.tsx';
import { KeyPanel } from './key-panel.tsx';
import { isUsableKey } from './key-state.ts';
import { keysQuery } from './keys-query.ts';
import { KeysTable } from './keys-table.tsx';
import { NewKeyPanel } from './new-key-panel.tsx';
import { useRevoking } from './revoking.tsx';
import { SecretPanel } from './secret-panel.tsx';

/** The account's keys. The URL names the open one, or says that a new one is being created. */
export function KeysSection() {
  const { role } = useAccount();
  const mayManage = role === 'owner';
  const keys = useQuery({ ...keysQuery, enabled: mayManage });
  const { key: openId, panel } = useSearch({ strict: false }) as { key?: string; panel?: string };
  const navigate = useNavigate();
  const now = useNow();
  // The secret exists only here: in no URL and no cache.
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
          title={mayManage ? undefined : 'Only owners can create keys'}
        >
          <Icon name="plus" size={14} />
          New key
        </Button>
      }
    >
      {revoking.error !== null && <ProblemNote error={revoking.error} className="border-line border-b px-4 py-2.5" />}
      {mayManage ? (
        <KeysTable
          keys={keys.data}
          selectedId={openId ?? null}
          revoking={revoking}
          error={keys.error}
          retry={() => keys.refetch()}
          createFirst={
            <Button kind="primary" disabled={panel === 'new'} onClick={() => show({ panel: 'new' })}>
              Create an API key
            </Button>
          }
        />
      ) : (
        <Locked>Only owners can view, create and revoke API keys. Your role is {role}.</Locked>
      )}
    </SectionFrame>
  );
}
