import { Shell } from '../../shell/shell.tsx';
import { NoAccountPage } from './no-account-page.tsx';
import { useSession } from './use-session.ts';

/** What somebody who is signed in sees: the screens, or, in no account, how to get into one. */
export function Inside() {
  return useSession().accounts.length === 0 ? <NoAccountPage /> : <Shell />;
}
