import { useQuery } from '@tanstack/react-query';
import { Button } from '../../parts/button.tsx';
import { Shell } from '../../shell/shell.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { signOut } from './sign-out.ts';
import { sessionQuery, useSession } from './use-session.ts';

/** What somebody who is signed in sees: the screens, or, in no account, how to get into one. */
export function Inside() {
  return useSession().accounts.length === 0 ? <NoAccountPage /> : <Shell />;
}

/** Signed in, and a member of nothing: the last account removed them, or none has invited them yet. */
export function NoAccountPage() {
  const { user } = useSession();
  const { refetch, isFetching } = useQuery(sessionQuery);
  return (
    <EntryFrame title="You are in no account" lead={`You are signed in as ${user.name}, ${user.email}.`}>
      <p className="text-body text-t2">
        Shipments belong to accounts, and nobody has added you to one, or you were removed. Ask an owner for an
        invitation to this address; its link lets you in with the password you have.
      </p>
      <div className="mt-6 flex flex-wrap gap-2">
        <Button kind="primary" busy={isFetching} onClick={() => refetch()}>
          Refresh again
        </Button>
        <Button onClick={signOut}>Sign out</Button>
      </div>
    </EntryFrame>
  );
}
