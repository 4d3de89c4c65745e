import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import type { WireSession } from '#shared/contract/members/session-wire.ts';
import type { Mode } from '../../api/call.ts';
import { call, chosen } from '../../api/call.ts';

/** The signed-in user and their accounts. `simulated`: carriers are simulated, which every page shows. */
export type Session = WireSession;

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () => {
    const session = await call('getSession');
    chooseAccount(session);
    return session;
  },
  staleTime: 60_000,
});

export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}

/** The chosen account. Users without an account see no screen. */
export function useAccount(): Session['accounts'][number] {
  const { accounts } = useSession();
  const account = accounts.find(({ id }) => id === chosen.account) ?? accounts[0];
  if (account === undefined) throw new Error('no account');
  return account;
}

export function switchTo(account: string, mode: Mode): void {
  remember(account, mode);
  // A full load clears data of the other account.
  window.location.assign('/');
}

/** Links in messages name the account and the mode that they lead into. An account of others is not chosen. */
function takeFromLink(): void {
  const link = new URLSearchParams(window.location.search);
  const account = link.get('account');
  if (account !== null && /^acc_[0-9a-z]{26}$/.test(account))
    remember(account, link.get('mode') === 'test' ? 'test' : 'live');
}

function chooseAccount({ accounts, user }: Session): void {
  chosen.memberId = user.id;
  const [id, mode] = (recall() ?? '').split(' ');
  chosen.account = (accounts.find((account) => account.id === id) ?? accounts[0])?.id ?? null;
  chosen.mode = mode === 'test' ? 'test' : 'live';
}

const storageKey = 'landfall.account';
if (typeof window !== 'undefined') takeFromLink();

function remember(account: string, mode: Mode): void {
  try {
    localStorage.setItem(storageKey, `${account} ${mode}`);
  } catch {
    // Storage can be disabled. The first account is chosen next time.
  }
}

function recall(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}
