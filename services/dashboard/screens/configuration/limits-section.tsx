import { useQuery } from '@tanstack/react-query';
import type { WireLimits } from '#shared/contract/operations/overview-wire.ts';
import { limitClasses } from '#shared/domain/keys/limits.ts';
import { SectionProblem } from '../../parts/page-states.tsx';
import { RowSkeletons } from '../../parts/skeleton.tsx';
import { useAccount } from '../session/use-session.ts';
import { limitsQuery } from './limits-query.ts';
import { SectionFrame } from './section-frame.tsx';

const classes = [
  { id: 'read', name: 'Reads', says: 'Records, lists, counts, events, the feed, carriers' },
  { id: 'write', name: 'Writes', says: 'Registering one, changing, refreshing, keys, carrier access' },
  {
    id: 'batch',
    name: 'Batches and imports',
    says: 'Up to 1,000 shipments in one batch; an import of any size is one',
  },
  { id: 'mcp', name: 'MCP', says: 'Requests of agents to /v1/mcp' },
] as const;

/** How much each key may ask. */
export function LimitsSection() {
  const account = useAccount();
  const limits = useQuery({ ...limitsQuery, refetchInterval: 5000 });
  return (
    <SectionFrame title="Limits">
      {limits.isPending && <RowSkeletons label="Loading the limits" rows={4} />}
      {limits.isError && <SectionProblem error={limits.error} retry={() => limits.refetch()} />}
      {limits.data !== undefined && (
        <table className="w-full border-collapse text-body">
          <caption className="sr-only">Requests a minute of each key of {account.name}</caption>
          <thead className="text-left text-label text-t3">
            <tr className="h-8 border-line border-b">
              <th scope="col" className="pl-4 font-normal">
                Requests
              </th>
              <th scope="col" className="px-2 font-normal max-md:hidden">
                Which
              </th>
              <th scope="col" className="whitespace-nowrap pr-4 pl-2 text-right font-normal">
                A minute, each key
              </th>
            </tr>
          </thead>
          <tbody>
            {classes.map(({ id, name, says }) => (
              <tr key={id} className="h-8 border-line border-b">
                <th
                  scope="row"
                  className="whitespace-nowrap py-1 pr-4 pl-4 text-left font-normal max-md:whitespace-normal max-md:py-2.5"
                >
                  {name}
                  <span className="block text-label text-t3 md:hidden">{says}</span>
                </th>
                <td className="w-full px-2 text-t2 max-md:hidden">{says}</td>
                <td className="pr-4 pl-2 text-right tabular-nums">{limits.data[id].toLocaleString('en')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {limits.data !== undefined && <UsageTable limits={limits.data} />}
      <div className="max-w-2xl px-4 py-4 text-body text-t3">
        <p>
          Each key has the whole of it, and so has each person here. Every answer says what is left, in the header{' '}
          <code className="font-mono text-number">RateLimit</code>; who asks more is answered 429 with{' '}
          <code className="font-mono text-number">Retry-After</code>, and nothing is lost or queued.
        </p>
        <p className="mt-2">
          Whoever runs this installation changes the limits of an account:{' '}
          <code className="font-mono text-number">npm run keys -- limits</code>.
        </p>
      </div>
    </SectionFrame>
  );
}

const limitHeads = { read: 'Reads', write: 'Writes', batch: 'Batches', mcp: 'MCP' } as const;

/** What you and the keys in use have used of the minute that runs; asked again every few seconds. */
export function UsageTable({ limits }: { limits: WireLimits }) {
  const { role } = useAccount();
  return (
    <section aria-labelledby="usage-title">
      <div className="flex h-10 items-center border-line border-b px-4 pt-2">
        <h2 id="usage-title" className="font-semibold text-section">
          Used in this minute
        </h2>
      </div>
      {limits.usage === null ? (
        <p className="border-line border-b px-4 py-2 text-body text-t2">
          The counts cannot be read for the moment; requests pass uncounted until they can.
        </p>
      ) : (
        <table className="w-full border-collapse text-body">
          <caption className="sr-only">Requests used in this minute</caption>
          <thead className="text-left text-label text-t3">
            <tr className="h-8 border-line border-b">
              <th scope="col" className="pl-4 font-normal">
                Who
              </th>
              {limitClasses.map((limitClass) => (
                <th key={limitClass} scope="col" className="whitespace-nowrap px-2 text-right font-normal last:pr-4">
                  {limitHeads[limitClass]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {limits.usage.map((one, index) => (
              <tr key={one.id} className="h-8 border-line border-b">
                <th scope="row" title={one.name} className="w-full max-w-0 truncate pr-2 pl-4 text-left font-normal">
                  {index === 0 ? 'You' : one.name}
                </th>
                {limitClasses.map((limitClass) => (
                  <td key={limitClass} className="whitespace-nowrap px-2 text-right tabular-nums last:pr-4">
                    <Used {...one[limitClass]} most={limits[limitClass]} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {limits.usage?.length === 1 && (
        <p className="border-line border-b px-4 py-2 text-body text-t3">
          {role === 'owner'
            ? 'No key was used in the last three minutes.'
            : 'Owners also see the keys that are in use.'}
        </p>
      )}
    </section>
  );
}

/** Amber, with the words, once four fifths are gone. */
function Used({ used, ends_in_s: endsInS, most }: { used: number; ends_in_s: number | null; most: number }) {
  if (used === 0) return <span className="text-t3">0</span>;
  const left = endsInS === null ? undefined : `${Math.round((used / most) * 100)} %; counted anew in ${endsInS} s`;
  const isAll = used >= most;
  return (
    <span title={left} className={used >= most * 0.8 ? 'text-amber' : undefined}>
      {Math.min(used, most).toLocaleString('en')}
      {isAll && ' (all)'}
    </span>
  );
}
