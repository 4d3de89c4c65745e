import { useQuery } from '@tanstack/react-query';
import { Button } from '../parts/button.tsx';
import { EntryFrame } from '../screens/session/entry-frame.tsx';
import { signOut } from '../screens/session/sign-out.ts';
import { sessionQuery, useSession } from '../screens/session/use-session.ts';
import { Shell } from './shell.tsx';

/** The screens for a signed-in user, or how to join an account. */
export function Inside() {
  return useSession().accounts.length === 0 ? <NoAccountPage /> : <Shell />;
}

/** For a user without an account. */
function NoAccountPage() {
  const { user } = useSession();
  const { refetch, isFetching } = useQuery(sessionQuery);
  return (
    <EntryFrame title="No account" lead={`You are signed in as ${user.name}, ${user.email}.`}>
      <p className="text-body text-t2">
        You are not a member of any account. Ask an owner to invite this email address. Your password stays the same.
      </p>
      <div className="mt-6 flex flex-wrap gap-2">
        <Button kind="primary" busy={isFetching} onClick={() => refetch()}>
          Check again
        </Button>
        <Button onClick={signOut}>Sign out</Button>
      </div>
    </EntryFrame>
  );
}
