import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { AnswerOf } from '#shared/contract/operations.ts';
import { call } from '../../api/call.ts';
import { ProblemError } from '../../api/problem-error.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/inputs/text-field.tsx';
import { EntryFrame, EntryProblem, EntryWait, InvalidLink } from './entry-frame.tsx';
import { isInvalidLink, useLinkToken } from './links.ts';
import { PasswordField } from './password-field.tsx';
import { isUsable } from './password-hint.ts';
import { endSession, enter } from './sign-out.ts';

type InvitedTo = AnswerOf<'readInvite'>;

const roleLeads: Record<InvitedTo['role'], string> = {
  owner: 'Owners can see and change everything in the account: shipments, keys, carriers and members.',
  member: 'Members can see, register and change shipments.',
  viewer: 'Viewers can see shipments.',
};

/** Joins an account with an invitation link. A new user sets a password; an existing one signs in. */
export function InvitePage() {
  const token = useLinkToken();
  const invite = useQuery({
    queryKey: ['invite', token],
    queryFn: () => call('readInvite', { body: { token: token ?? '' } }),
    enabled: token !== null,
    staleTime: Infinity,
  });
  const signedIn = useQuery({ queryKey: ['invite-session'], queryFn: readSignedInEmail, enabled: token !== null });
  const [isExisting, setExisting] = useState(false);
  if (token === null || isInvalidLink(invite.error)) {
    return (
      <InvalidLink title="Invalid invitation">
        An invitation works once and expires after 7 days. This one has been used or withdrawn, has expired, or is
        incomplete. If you used it, sign in. Otherwise, ask for a new one.
      </InvalidLink>
    );
  }
  if (!invite.isSuccess || signedIn.isPending) {
    return <EntryWait title="You are invited" error={invite.error ?? signedIn.error} retry={() => invite.refetch()} />;
  }
  const { account_name: account, email, role } = invite.data;
  const signedInAs = signedIn.data ?? null;
  return (
    <EntryFrame
      title={`Join ${account}`}
      lead={
        <>
          You are invited as <span className="font-medium text-t1">{role}</span>, with the email address{' '}
          <span className="font-medium text-t1">{email}</span>. {roleLeads[role]}
        </>
      }
    >
      {signedInAs === email || isExisting ? (
        <ExistingUserForm token={token} invited={invite.data} signedInAs={signedInAs} />
      ) : (
        <NewUserForm token={token} invited={invite.data} />
      )}
      {signedInAs !== email && (
        <button
          type="button"
          onClick={() => setExisting(!isExisting)}
          className="mt-4 text-label text-t2 underline hover:text-t1"
        >
          {isExisting ? 'I have no password yet' : 'I already sign in with this email address'}
        </button>
      )}
    </EntryFrame>
  );
}

/** The email of the signed-in user; null without a session. */
async function readSignedInEmail(): Promise<string | null> {
  try {
    return (await call('getSession')).user.email;
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401) return null;
    throw error;
  }
}

/** Creates the invited user. */
function NewUserForm({ token, invited }: { token: string; invited: InvitedTo }) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const joining = useMutation({
    mutationFn: () => call('acceptInvite', { body: { token, name: name.trim(), password } }),
    onSuccess: () => enter('/'),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    joining.mutate();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {joining.isError && <EntryProblem error={joining.error} />}
      <input type="hidden" name="email" autoComplete="username" value={invited.email} />
      <TextField
        label="Your name"
        name="name"
        autoComplete="name"
        required
        maxLength={200}
        autoFocus
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <PasswordField name="password" value={password} onValue={setPassword} isNew known={[name, invited.email]} />
      <Button type="submit" kind="primary" className="h-8" busy={joining.isPending} disabled={!isUsable(password)}>
        <span className="min-w-0 truncate">{joining.isPending ? 'Joining' : `Join ${invited.account_name}`}</span>
      </Button>
    </form>
  );
}

/** An existing user joins directly when signed in, else with their password. */
function ExistingUserForm({
  token,
  invited,
  signedInAs,
}: {
  token: string;
  invited: InvitedTo;
  signedInAs: string | null;
}) {
  const [password, setPassword] = useState('');
  const isOther = signedInAs !== null && signedInAs !== invited.email;
  const joining = useMutation({
    mutationFn: async () => {
      if (isOther) await endSession();
      if (signedInAs === null || isOther) await call('signIn', { body: { email: invited.email, password } });
      await call('acceptInvite', { body: { token } });
    },
    onSuccess: () => enter('/'),
    onError: () => setPassword(''),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    joining.mutate();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {joining.isError && <EntryProblem error={joining.error} />}
      {isOther && (
        <p className="text-body text-t2">
          You are signed in as {signedInAs}. Joining signs you in as {invited.email} instead.
        </p>
      )}
      {signedInAs === invited.email ? (
        <p className="text-body text-t2">You are already signed in with this email address.</p>
      ) : (
        <>
          <input type="hidden" name="email" autoComplete="username" value={invited.email} />
          <PasswordField name="password" label="Your password" value={password} onValue={setPassword} />
        </>
      )}
      <Button type="submit" kind="primary" className="h-8" busy={joining.isPending}>
        <span className="min-w-0 truncate">{joining.isPending ? 'Joining' : `Join ${invited.account_name}`}</span>
      </Button>
    </form>
  );
}
