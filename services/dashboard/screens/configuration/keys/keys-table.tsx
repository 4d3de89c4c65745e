import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { WireApiKey } from '../../../api/wire.ts';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { EmptyState } from '../../../parts/page-states.tsx';
import { type Column, type RowGroup, Table } from '../../../parts/table.tsx';
import { relativeWords } from '../../../parts/time-words.ts';
import { endWords, isLongEnded, isUsableKey, keyState } from './key-state.ts';
import { type Revoking, RevokingNote } from './revoking.tsx';
import { shortScopes } from './scope-words.ts';

type Props = {
  keys: readonly WireApiKey[] | undefined;
  selectedId: string | null;
  revoking: Revoking;
  error: unknown;
  retry: () => void;
  createFirst: ReactNode;
};

/** The keys of the account, live ones first. The whole row opens a key. */
export function KeysTable({ keys, selectedId, revoking, error, retry, createFirst }: Props) {
  const now = useNow();
  const [withEnded, setWithEnded] = useState(false);
  const ended = keys?.filter((key) => isLongEnded(key, now)).length ?? 0;
  const shown = keys
    ?.filter((key) => withEnded || !isLongEnded(key, now) || key.api_key_id === selectedId)
    .toSorted((left, right) => Number(isUsableKey(right, now)) - Number(isUsableKey(left, now)));
  return (
    <>
      <Table
        caption="API keys of this account"
        columns={columnsOf({ now, selectedId, revoking })}
        rows={shown}
        groups={groupsOf(shown ?? [], now)}
        rowKey={({ api_key_id: id }) => id}
        rowClassName={() => 'h-8 max-md:h-14'}
        isSelected={({ api_key_id: id }) => id === selectedId}
        narrow="headless"
        skeletonRows={8}
        error={error}
        retry={retry}
        {...(keys?.length === 0
          ? {
              empty: (
                <EmptyState title="No API keys yet" action={createFirst}>
                  Programs send a key with each request: your ERP, a script, an agent. Give each its own key, so that
                  you can distinguish and revoke them separately.
                </EmptyState>
              ),
            }
          : {})}
      />
      {keys !== undefined && keys.length > 0 && (
        <div className="px-4 py-4 text-body text-t3">
          <p>Keys are stored hashed and can't be shown again.</p>
          <p>Revoking takes effect within one second. After a rotation the old key works for up to seven days.</p>
          {ended > 0 && (
            <button
              type="button"
              className="mt-2 text-accent underline-offset-2 hover:underline"
              onClick={() => setWithEnded(!withEnded)}
            >
              {withEnded ? 'Hide' : 'Show'} {ended} {ended === 1 ? 'key' : 'keys'} that expired or were revoked more
              than a week ago
            </button>
          )}
        </div>
      )}
    </>
  );
}

const modes = [
  { test: false, name: 'Live', explains: 'real shipments and carriers' },
  { test: true, name: 'Test', explains: 'simulated shipments; no carrier is called' },
] as const;

function groupsOf(keys: readonly WireApiKey[], now: number): RowGroup<WireApiKey>[] {
  return modes
    .map(({ test, name, explains }) => {
      const rows = keys.filter((key) => key.test === test);
      const title = (
        <>
          <span className="mr-2 font-semibold text-t1">{name}</span>
          {rows.filter((key) => isUsableKey(key, now)).length}, {explains}
        </>
      );
      return { key: name, title, rows };
    })
    .filter(({ rows }) => rows.length > 0);
}

type Shown = { now: number; selectedId: string | null; revoking: Revoking };

function columnsOf({ now, selectedId, revoking }: Shown): readonly Column<WireApiKey>[] {
  const hasEnded = (key: WireApiKey) => !isUsableKey(key, now);
  const isRevoking = (key: WireApiKey) => revoking.keyId === key.api_key_id;
  return [
    {
      key: 'name',
      name: 'Name',
      className: 'w-full max-w-0',
      cellClassName: (key) => (hasEnded(key) ? 'text-t3' : ''),
      skeleton: 'w-40',
      cell: (key) => (
        <>
          <span className="flex gap-1.5">
            <Link
              to="/configuration/$section"
              params={{ section: 'keys' }}
              search={{ key: key.api_key_id }}
              aria-current={key.api_key_id === selectedId || undefined}
              title={key.name}
              className="truncate after:absolute after:inset-0"
            >
              {key.name}
            </Link>
            {keyState(key, now) === 'rotated' && <span className="text-t3">rotated</span>}
          </span>
          <span className="block truncate text-label text-t3 md:hidden">
            <KeyText apiKey={key} /> · {shortScopes(key.scopes)}
          </span>
        </>
      ),
    },
    {
      key: 'key',
      name: 'Key',
      className: 'max-md:hidden',
      cellClassName: 'text-t2',
      cell: (key) => <KeyText apiKey={key} />,
    },
    {
      key: 'scopes',
      name: 'Scopes',
      className: 'max-w-[132px] max-md:hidden',
      cellClassName: (key) => (isRevoking(key) ? 'relative text-right' : 'truncate text-t2'),
      cellTitle: (key) => (isRevoking(key) ? undefined : shortScopes(key.scopes)),
      // The countdown covers the columns to the right, so that the other rows do not move.
      span: (key) => (isRevoking(key) ? 3 : 1),
      cell: (key) => (isRevoking(key) ? <RevokingNote revoking={revoking} /> : shortScopes(key.scopes)),
    },
    {
      key: 'used',
      name: 'Last used',
      className: 'text-right max-md:hidden',
      cellClassName: 'whitespace-nowrap text-t2 tabular-nums',
      cellTitle: ({ last_used_at: usedAt }) => usedAt ?? undefined,
      cell: ({ last_used_at: usedAt }) => (usedAt === null ? 'never' : relativeWords(usedAt, now)),
    },
    {
      key: 'ends',
      name: 'Expires',
      className: 'text-right',
      cellClassName: (key) => `whitespace-nowrap tabular-nums ${endClasses(key, now)}`,
      cell: (key) => (
        <>
          {keyState(key, now) === 'active' && (
            <span className="text-t3 md:hidden">{key.expires_at === null ? 'expires ' : 'until '}</span>
          )}
          {endWords(key, now)}
        </>
      ),
    },
  ];
}

function endClasses(key: WireApiKey, now: number): string {
  const state = keyState(key, now);
  if (state === 'expired' || state === 'revoked') return 'text-t3';
  return state === 'active' ? 'text-t2' : 'text-amber';
}

/** `svc_live_Qm7R…1oiA` */
export function KeyText({ apiKey }: { apiKey: Pick<WireApiKey, 'prefix' | 'last_four'> }) {
  return (
    <span className="whitespace-nowrap font-mono text-number tracking-[-0.025em]">
      {apiKey.prefix}…{apiKey.last_four}
    </span>
  );
}
