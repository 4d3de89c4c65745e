import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import type { WireSession } from '#shared/contract/people/session-wire.ts';
import type { Mode } from '../../api/call.ts';
import { call, chosen } from '../../api/call.ts';

/** Who is signed in, and where they may go. `simulated`: carriers are played by the simulator; every page says so. */
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

/** The account in use; a person who is in none sees no page. */
export function useAccount(): Session['accounts'][number] {
  const { accounts } = useSession();
  const account = accounts.find(({ id }) => id === chosen.account) ?? accounts[0];
  if (account === undefined) throw new Error('in no account');
  return account;
}

export function switchTo(account: string, mode: Mode): void {
  remember(account, mode);
  // Nothing of the other account may stay on any page.
  window.location.assign('/');
}

function chooseAccount({ accounts }: Session): void {
  const [id, mode] = (recall() ?? '').split(' ');
  chosen.account = (accounts.find((account) => account.id === id) ?? accounts[0])?.id ?? null;
  chosen.mode = mode === 'test' ? 'test' : 'live';
}

const place = 'landfall.account';

function remember(account: string, mode: Mode): void {
  try {
    localStorage.setItem(place, `${account} ${mode}`);
  } catch {
    // Then the first account is the one next time.
  }
}

function recall(): string | null {
  try {
    return localStorage.getItem(place);
  } catch {
    return null;
  }
}
