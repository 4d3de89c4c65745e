import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/call.ts';
import { Button } from '../../parts/button.tsx';
import { EntryFrame, EntryProblem, EntryWait, InvalidLink } from './entry-frame.tsx';
import { isInvalidLink, useLinkToken } from './links.ts';
import { PasswordField } from './password-field.tsx';
import { isUsable } from './password-hint.ts';
import { enter } from './sign-out.ts';

/** Sets a new password with a reset link from the operator. */
export function ResetPage() {
  const token = useLinkToken();
  const link = useQuery({
    queryKey: ['reset', token],
    queryFn: () => call('checkPasswordReset', { body: { token: token ?? '' } }),
    enabled: token !== null,
    staleTime: Infinity,
  });
  const [password, setPassword] = useState('');
  const reset = useMutation({
    mutationFn: () => call('resetPassword', { body: { token: token ?? '', password } }),
    onSuccess: () => enter('/'),
  });
  if (token === null || isInvalidLink(link.error) || isInvalidLink(reset.error)) {
    return (
      <InvalidLink title="Invalid reset link">
        A reset link works once and expires after 24 hours. This one has been used or replaced, has expired, or is
        incomplete. Ask your operator for a new one.
      </InvalidLink>
    );
  }
  if (!link.isSuccess)
    return <EntryWait title="Choose a new password" error={link.error} retry={() => link.refetch()} />;
  const { name, email } = link.data;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    reset.mutate();
  };
  return (
    <EntryFrame
      title="Choose a new password"
      lead={
        <>
          For {name} (<span className="font-medium text-t1">{email}</span>). This signs you out of all other sessions.
        </>
      }
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        {reset.isError && <EntryProblem error={reset.error} />}
        <input type="hidden" name="email" autoComplete="username" value={email} />
        <PasswordField
          name="password"
          label="New password"
          value={password}
          onValue={setPassword}
          isNew
          known={[name, email]}
          autoFocus
        />
        <Button type="submit" kind="primary" className="h-8" busy={reset.isPending} disabled={!isUsable(password)}>
          {reset.isPending ? 'Saving' : 'Save and sign in'}
        </Button>
      </form>
    </EntryFrame>
  );
}
