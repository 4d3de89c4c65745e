import { useQuery } from '@tanstack/react-query';
import { RowSkeletons } from '../configuration/row-skeletons.tsx';
import { SectionFrame } from '../configuration/section-frame.tsx';
import { SectionProblem } from '../configuration/section-problem.tsx';
import { useAccount } from '../session/use-session.ts';
import { limitsQuery } from './limits-query.ts';
import { UsageTable } from './usage-table.tsx';

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
