import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { AnswerOf } from '#shared/contract/operations.ts';
import { call } from '../../api/call.ts';
import { ProblemError } from '../../api/problem-error.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { EntryFrame, EntryProblem, EntryWait, UsedLink } from './entry-frame.tsx';
import { isUsedUp, useLinkToken } from './links.ts';
import { PasswordField } from './password-field.tsx';
import { isUsable } from './password-hint.ts';
import { signInWords } from './sign-in-words.ts';
import { endSession, enter } from './sign-out.ts';

type InvitedTo = AnswerOf<'readInvite'>;

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
    queryFn: () => call('readInvite', { body: { token: token ?? '' } }),
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
    return (await call('getSession')).user.email;
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401) return null;
    throw error;
  }
}

/** Makes the user that was invited. */
export function InvitedNewcomer({ token, invited }: { token: string; invited: InvitedTo }) {
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
      {joining.isError && <EntryProblem error={joining.error} words={signInWords(joining.error)} />}
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
      <PasswordField name="password" value={password} onValue={setPassword} chooses known={[name, invited.email]} />
      <Button type="submit" kind="primary" className="h-8" busy={joining.isPending} disabled={!isUsable(password)}>
        {joining.isPending ? 'Joining' : `Join ${invited.account_name}`}
      </Button>
    </form>
  );
}

/** Somebody who has a user: joins at once when signed in, else with the password they have. */
export function InvitedUser({
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
      {joining.isError && <EntryProblem error={joining.error} words={signInWords(joining.error)} />}
      {isOther && (
        <p className="text-body text-t2">
          You are signed in as {signedInAs}. Joining signs you out there, and in as {invited.email}.
        </p>
      )}
      {signedInAs === invited.email ? (
        <p className="text-body text-t2">You are signed in with this address already.</p>
      ) : (
        <>
          <input type="hidden" name="email" autoComplete="username" value={invited.email} />
          <PasswordField name="password" label="Your password" value={password} onValue={setPassword} />
        </>
      )}
      <Button type="submit" kind="primary" className="h-8" busy={joining.isPending}>
        {joining.isPending ? 'Joining' : `Join ${invited.account_name}`}
      </Button>
    </form>
  );
}
