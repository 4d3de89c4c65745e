import { Link } from '@tanstack/react-router';
import type { ApiKey } from '../../api/landfall-client.ts';
import { relativeWords } from '../../parts/time-words.ts';
import { useNow } from '../../parts/use-now.ts';
import { endWords, keyState } from './key-state.ts';
import { RevokingNote } from './revoking-note.tsx';
import { shortScopes } from './scope-words.ts';
import type { Revoking } from './use-revoking.ts';

/** 32 px; on a phone two lines. The whole row opens the key. */
export function KeyRow({ apiKey, selected, revoking }: { apiKey: ApiKey; selected: boolean; revoking: Revoking }) {
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
export function KeyText({ apiKey }: { apiKey: Pick<ApiKey, 'prefix' | 'last_four'> }) {
  return (
    <span className="whitespace-nowrap font-mono text-number tracking-[-0.025em]">
      {apiKey.prefix}…{apiKey.last_four}
    </span>
  );
}
