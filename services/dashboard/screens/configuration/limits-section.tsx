import { queryOptions, useQuery } from '@tanstack/react-query';
import type { WireLimits } from '#shared/contract/installation/overview-wire.ts';
import { type LimitClass, limitClasses } from '#shared/domain/keys/limits.ts';
import { call } from '../../api/call.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { numberLocale } from '../../parts/words/locale.ts';
import { useAccount } from '../session/use-session.ts';
import { SectionFrame } from './section-frame.tsx';

type Class = { id: LimitClass; name: string; covers: string };

const classes: readonly Class[] = [
  { id: 'read', name: 'Reads', covers: 'Records, lists, counts, events, the change feed, carriers' },
  {
    id: 'write',
    name: 'Writes',
    covers: 'Registering one shipment, changes, refreshes, API keys, carrier credentials',
  },
  {
    id: 'batch',
    name: 'Batches and imports',
    covers: 'A batch of up to 1,000 shipments, or an import of any size, counts once',
  },
  { id: 'mcp', name: 'MCP', covers: 'Agent requests to /v1/mcp' },
];

const refetchMs = 5000;

/** The rate limits of each key, and what is used of them. */
export function LimitsSection() {
  const account = useAccount();
  const limits = useQuery({ ...limitsQuery, refetchInterval: refetchMs });
  return (
    <SectionFrame title="Limits">
      <Table
        caption={`Requests per minute of each key of ${account.name}`}
        columns={classColumns(limits.data)}
        rows={limits.data === undefined ? undefined : classes}
        rowKey={({ id }) => id}
        skeletonRows={classes.length}
        error={limits.error}
        retry={() => limits.refetch()}
      />
      {limits.data !== undefined && <Usage limits={limits.data} />}
      <div className="max-w-2xl px-4 py-4 text-body text-t3">
        <p>
          Each key and each user has its own limits. The <code className="font-mono text-number">RateLimit</code> header
          of each response contains the remaining requests. A request over the limit is not queued: it fails with status
          429 and a <code className="font-mono text-number">Retry-After</code> header.
        </p>
        <p className="mt-2">Your operator can change these limits.</p>
      </div>
    </SectionFrame>
  );
}

/** Requests per minute of each key of the account, and what is used of them. */
export const limitsQuery = queryOptions({ queryKey: ['limits'], queryFn: () => call('getLimits') });

function classColumns(limits: WireLimits | undefined): readonly Column<Class>[] {
  return [
    {
      key: 'class',
      name: 'Requests',
      isRowHeader: true,
      cellClassName: 'whitespace-nowrap py-1 max-md:whitespace-normal max-md:py-2.5',
      cell: ({ name, covers }) => (
        <>
          {name}
          <span className="block text-label text-t3 md:hidden">{covers}</span>
        </>
      ),
    },
    {
      key: 'covers',
      name: 'What counts',
      className: 'w-full max-md:hidden',
      cellClassName: 'text-t2',
      skeleton: 'w-72',
      cell: ({ covers }) => covers,
    },
    {
      key: 'limit',
      name: 'Per minute, per key',
      className: 'text-right',
      cellClassName: 'tabular-nums',
      cell: ({ id }) => limits?.[id].toLocaleString(numberLocale()),
    },
  ];
}

type UsageRow = NonNullable<WireLimits['usage']>[number];

const usageNames: Record<LimitClass, string> = { read: 'Reads', write: 'Writes', batch: 'Batches', mcp: 'MCP' };

/** Shows the current minute's usage of the rate limits by the user and the keys in use. */
function Usage({ limits }: { limits: WireLimits }) {
  const { role } = useAccount();
  const columns: readonly Column<UsageRow>[] = [
    {
      key: 'who',
      name: 'Who',
      className: 'w-full max-w-0',
      cellClassName: 'truncate',
      isRowHeader: true,
      cellTitle: ({ name }) => name,
      cell: ({ name }, index) => (index === 0 ? 'You' : name),
    },
    ...limitClasses.map(
      (limitClass): Column<UsageRow> => ({
        key: limitClass,
        name: usageNames[limitClass],
        className: 'text-right',
        cellClassName: 'whitespace-nowrap tabular-nums',
        cell: (row) => <Used {...row[limitClass]} limit={limits[limitClass]} />,
      }),
    ),
  ];
  return (
    <section aria-labelledby="usage-title">
      <div className="flex h-10 items-center border-line border-b px-4 pt-2">
        <h2 id="usage-title" className="font-semibold text-section">
          Used this minute
        </h2>
      </div>
      {limits.usage === null ? (
        <p className="border-line border-b px-4 py-2 text-body text-t2">
          Usage is unavailable. Until it recovers, requests are neither counted nor limited.
        </p>
      ) : (
        <Table caption="Requests used this minute" columns={columns} rows={limits.usage} rowKey={({ id }) => id} />
      )}
      {limits.usage?.length === 1 && (
        <p className="border-line border-b px-4 py-2 text-body text-t3">
          {role === 'owner' ? 'No key was used in the last three minutes.' : 'Owners also see the keys in use.'}
        </p>
      )}
    </section>
  );
}

/** Amber from 80% of the limit. */
function Used({ used, ends_in_s: endsInS, limit }: { used: number; ends_in_s: number | null; limit: number }) {
  if (used === 0) return <span className="text-t3">0</span>;
  const title = endsInS === null ? undefined : `${Math.round((used / limit) * 100)}%, resets in ${endsInS} s`;
  return (
    <span title={title} className={used >= limit * 0.8 ? 'text-amber' : undefined}>
      {Math.min(used, limit).toLocaleString(numberLocale())}
      {used >= limit && ' (limit reached)'}
    </span>
  );
}
