import { useQuery } from '@tanstack/react-query';
import { ProblemError } from '../../api/problem-error.ts';
import { ask } from '../../api/request.ts';
import { EntryFrame } from './entry-frame.tsx';
import { EntryWait } from './entry-wait.tsx';
import { InvitedNewcomer } from './invited-newcomer.tsx';
import { InvitedUser } from './invited-user.tsx';
import { isUsedUp } from './is-used-up.ts';
import { type InvitedTo, readInvite } from './link-calls.ts';
import { useLinkToken } from './use-link-token.ts';
import type { Session } from './use-session.ts';
import { UsedLink } from './used-link.tsx';

const roleLeads: Record<InvitedTo['role'], string> = {
  owner: 'As an owner you see and change everything of the account: shipments, keys, carriers and members.',
  member: 'As a member you see the shipments, and register and change them.',
  viewer: 'As a viewer you see the shipments and change nothing.',
};

/** Into an account, by the link that an owner made: a new person chooses a password, one who has a user just joins. */
export function InvitePage() {
  const token = useLinkToken();
  const invite = useQuery({
    queryKey: ['invite', token],
    queryFn: () => readInvite(token ?? ''),
    enabled: token !== null,
    staleTime: Infinity,
  });
  const signedIn = useQuery({
    queryKey: ['invite-session'],
    queryFn: readWhoIsIn,
    enabled: invite.data?.known === true,
  });
  if (token === null || isUsedUp(invite.error)) {
    return (
      <UsedLink title="This invitation opens nothing">
        It works once and for a week. It was used, has expired, was withdrawn, or a part of it is missing. Ask who sent
        it for a new one; if you used it yourself, sign in.
      </UsedLink>
    );
  }
  if (!invite.isSuccess || (invite.data.known && signedIn.isPending)) {
    return <EntryWait title="You are invited" error={invite.error ?? signedIn.error} retry={() => invite.refetch()} />;
  }
  const { account_name: account, email, role } = invite.data;
  return (
    <EntryFrame
      title={`Join ${account}`}
      lead={
        <>
          You are invited as <span className="font-medium text-t1">{role}</span>, with the address{' '}
          <span className="font-medium text-t1">{email}</span>. {roleLeads[role]}
        </>
      }
    >
      {invite.data.known ? (
        <InvitedUser token={token} invited={invite.data} signedInAs={signedIn.data ?? null} />
      ) : (
        <InvitedNewcomer token={token} invited={invite.data} />
      )}
    </EntryFrame>
  );
}

/** Null: nobody is signed in. */
async function readWhoIsIn(): Promise<string | null> {
  try {
    return (await ask<Session>('GET', '/session')).user.email;
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401) return null;
    throw error;
  }
}
