import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/call.ts';
import { Button } from '../../parts/button.tsx';
import { EntryFrame, EntryProblem, EntryWait, UsedLink } from './entry-frame.tsx';
import { isUsedUp, useLinkToken } from './links.ts';
import { PasswordField } from './password-field.tsx';
import { isUsable } from './password-hint.ts';
import { signInWords } from './sign-in-words.ts';
import { enter } from './sign-out.ts';

/** A new password, by the link that whoever runs the installation made. */
export function ResetPage() {
  const token = useLinkToken();
  const link = useQuery({
    queryKey: ['reset', token],
    queryFn: () => call('checkPasswordReset', { body: { token: token ?? '' } }),
    enabled: token !== null,
    staleTime: Infinity,
  });
  const [password, setPassword] = useState('');
  const choosing = useMutation({
    mutationFn: () => call('resetPassword', { body: { token: token ?? '', password } }),
    onSuccess: () => enter('/'),
  });
  if (token === null || isUsedUp(link.error) || isUsedUp(choosing.error)) {
    return (
      <UsedLink title="This link opens nothing">
        It works once and for a day. It was used, has expired, a newer one took its place, or a part of it is missing.
        Whoever runs this installation makes another.
      </UsedLink>
    );
  }
  if (!link.isSuccess)
    return <EntryWait title="Choose a new password" error={link.error} retry={() => link.refetch()} />;
  const { name, email } = link.data;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    choosing.mutate();
  };
  return (
    <EntryFrame
      title="Choose a new password"
      lead={
        <>
          For {name}, who signs in as <span className="font-medium text-t1">{email}</span>. Everywhere else you are
          signed out.
        </>
      }
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        {choosing.isError && <EntryProblem error={choosing.error} words={signInWords(choosing.error)} />}
        <input type="hidden" name="email" autoComplete="username" value={email} />
        <PasswordField
          name="password"
          label="New password"
          value={password}
          onValue={setPassword}
          chooses
          known={[name, email]}
          autoFocus
        />
        <Button type="submit" kind="primary" className="h-8" busy={choosing.isPending} disabled={!isUsable(password)}>
          {choosing.isPending ? 'Changing' : 'Change and sign in'}
        </Button>
      </form>
    </EntryFrame>
  );
}
