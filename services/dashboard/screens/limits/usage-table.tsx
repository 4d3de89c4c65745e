import type { WireLimits } from '#shared/contract/operations/overview-wire.ts';
import { limitClasses } from '#shared/domain/keys/limits.ts';
import { useAccount } from '../session/use-session.ts';

const heads = { read: 'Reads', write: 'Writes', batch: 'Batches', mcp: 'MCP' } as const;

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
                  {heads[limitClass]}
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
