import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { enter } from './enter.ts';
import { EntryProblem } from './entry-problem.tsx';
import { acceptInvite, type InvitedTo, signInWith } from './link-calls.ts';
import { PasswordField } from './password-field.tsx';
import { signInWords } from './sign-in-words.ts';
import { endSession } from './sign-out.ts';

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
      if (signedInAs === null || isOther) await signInWith({ email: invited.email, password });
      await acceptInvite({ token });
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
