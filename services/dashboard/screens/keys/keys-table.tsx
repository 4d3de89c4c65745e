import { useState } from 'react';
import type { ApiKey } from '../../api/landfall-client.ts';
import { useNow } from '../../parts/use-now.ts';
import { KeyRow } from './key-row.tsx';
import { isLongEnded, isUsableKey } from './key-state.ts';
import type { Revoking } from './use-revoking.ts';

const groups = [
  { test: false, name: 'Live', says: 'real shipments and real carriers' },
  { test: true, name: 'Test', says: 'played by the simulator, never reach a carrier' },
] as const;

export function KeysTable({
  keys,
  selectedId,
  revoking,
}: {
  keys: readonly ApiKey[];
  selectedId: string | null;
  revoking: Revoking;
}) {
  const now = useNow();
  const [withEnded, setWithEnded] = useState(false);
  const ended = keys.filter((key) => isLongEnded(key, now)).length;
  const shown = keys
    .filter((key) => withEnded || !isLongEnded(key, now) || key.api_key_id === selectedId)
    .toSorted((left, right) => Number(isUsableKey(right, now)) - Number(isUsableKey(left, now)));
  return (
    <>
      <table className="w-full border-collapse text-body">
        <caption className="sr-only">API keys of this account</caption>
        <thead className="text-left text-label text-t3">
          <tr className="h-8 border-line border-b max-md:hidden">
            <th scope="col" className="pl-4 font-normal">
              Name
            </th>
            <th scope="col" className="px-2 font-normal">
              Key
            </th>
            <th scope="col" className="px-2 font-normal">
              Can
            </th>
            <th scope="col" className="whitespace-nowrap px-2 text-right font-normal">
              Last used
            </th>
            <th scope="col" className="pr-4 pl-2 text-right font-normal">
              Expires
            </th>
          </tr>
        </thead>
        {groups.map(({ test, name, says }) => {
          const rows = shown.filter((key) => key.test === test);
          if (rows.length === 0) return null;
          return (
            <tbody key={name}>
              <tr className="h-8 border-line border-b bg-sunk">
                <th scope="rowgroup" colSpan={5} className="px-4 text-left font-normal text-label text-t3">
                  <span className="mr-2 font-semibold text-t1">{name}</span>
                  {rows.filter((key) => isUsableKey(key, now)).length}, {says}
                </th>
              </tr>
              {rows.map((key) => (
                <KeyRow
                  key={key.api_key_id}
                  apiKey={key}
                  selected={key.api_key_id === selectedId}
                  revoking={revoking}
                />
              ))}
            </tbody>
          );
        })}
      </table>
      <div className="px-4 py-4 text-body text-t3">
        <p>A key is stored as a hash. Nobody, we included, can show it again.</p>
        <p>Revoking takes effect everywhere within one second. Rotating keeps the old key for up to seven days.</p>
        {ended > 0 && (
          <button
            type="button"
            className="mt-2 text-accent underline-offset-2 hover:underline"
            onClick={() => setWithEnded(!withEnded)}
          >
            {withEnded ? 'Hide' : 'Show'} {ended} that ended over a week ago
          </button>
        )}
      </div>
    </>
  );
}
