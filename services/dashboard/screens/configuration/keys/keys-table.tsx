import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { WireApiKey } from '../../../api/wire.ts';
import { relativeWords } from '../../../parts/time-words.ts';
import { useNow } from '../../../parts/use-now.ts';
import { endWords, isLongEnded, isUsableKey, keyState } from './key-state.ts';
import { type Revoking, RevokingNote } from './revoking.tsx';
import { shortScopes } from './scope-words.ts';

const groups = [
  { test: false, name: 'Live', says: 'real shipments and real carriers' },
  { test: true, name: 'Test', says: 'played by the simulator, never reach a carrier' },
] as const;

export function KeysTable({
  keys,
  selectedId,
  revoking,
}: {
  keys: readonly WireApiKey[];
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

/** 32 px; on a phone two lines. The whole row opens the key. */
export function KeyRow({ apiKey, selected, revoking }: { apiKey: WireApiKey; selected: boolean; revoking: Revoking }) {
  const now = useNow();
  const state = keyState(apiKey, now);
  const hasEnded = state === 'expired' || state === 'revoked';
  const endClasses = state === 'rotated' || state === 'ending' ? 'text-amber' : 'text-t2';
  return (
    <tr
      className={`relative h-8 border-line border-b max-md:h-14 ${selected ? 'bg-sel [box-shadow:inset_2px_0_0_var(--accent)]' : 'hover:bg-hover'}`}
    >
      <td className={`w-full max-w-0 pl-4 ${hasEnded ? 'text-t3' : ''}`}>
        <span className="flex gap-1.5">
          <Link
            to="/configuration/$section"
            params={{ section: 'keys' }}
            search={{ key: apiKey.api_key_id }}
            aria-current={selected || undefined}
            title={apiKey.name}
            className="truncate after:absolute after:inset-0"
          >
            {apiKey.name}
          </Link>
          {state === 'rotated' && <span className="text-t3">rotated</span>}
        </span>
        <span className="block truncate text-label text-t3 md:hidden">
          <KeyText apiKey={apiKey} /> · {shortScopes(apiKey.scopes)}
        </span>
      </td>
      <td className="px-2 text-t2 max-md:hidden">
        <KeyText apiKey={apiKey} />
      </td>
      {revoking.keyId === apiKey.api_key_id ? (
        <td colSpan={3} className="relative pr-4 pl-2 text-right">
          <RevokingNote revoking={revoking} />
        </td>
      ) : (
        <>
          <td className="max-w-[132px] truncate px-2 text-t2 max-md:hidden" title={shortScopes(apiKey.scopes)}>
            {shortScopes(apiKey.scopes)}
          </td>
          <td
            className="whitespace-nowrap px-2 text-right text-t2 tabular-nums max-md:hidden"
            title={apiKey.last_used_at ?? undefined}
          >
            {apiKey.last_used_at === null ? 'never' : relativeWords(apiKey.last_used_at, now)}
          </td>
          <td className={`whitespace-nowrap pr-4 pl-2 text-right tabular-nums ${hasEnded ? 'text-t3' : endClasses}`}>
            {state === 'active' && (
              <span className="text-t3 md:hidden">{apiKey.expires_at === null ? 'ends ' : 'until '}</span>
            )}
            {endWords(apiKey, now)}
          </td>
        </>
      )}
    </tr>
  );
}

/** `svc_live_Qm7R…1oiA` */
export function KeyText({ apiKey }: { apiKey: Pick<WireApiKey, 'prefix' | 'last_four'> }) {
  return (
    <span className="whitespace-nowrap font-mono text-number tracking-[-0.025em]">
      {apiKey.prefix}…{apiKey.last_four}
    </span>
  );
}
