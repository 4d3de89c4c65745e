import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/call.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/inputs/text-field.tsx';
import { EntryFrame, EntryProblem, EntryWait, InvalidLink } from './entry-frame.tsx';
import { isInvalidLink, useLinkToken } from './links.ts';
import { PasswordField } from './password-field.tsx';
import { isUsable } from './password-hint.ts';
import { enter } from './sign-out.ts';

/** Creates the first user of a new installation, with the claim link from the startup output. */
export function ClaimPage() {
  const token = useLinkToken();
  const link = useQuery({
    queryKey: ['claim', token],
    queryFn: async () => (await call('checkClaim', { body: { token: token ?? '' } })).valid,
    enabled: token !== null,
    staleTime: Infinity,
  });
  const [user, setUser] = useState({ name: '', email: '' });
  const [password, setPassword] = useState('');
  const claiming = useMutation({
    mutationFn: () =>
      call('claim', { body: { token: token ?? '', name: user.name.trim(), email: user.email.trim(), password } }),
    onSuccess: () => enter('/'),
  });
  if (token === null || link.data === false || isInvalidLink(claiming.error)) {
    return (
      <InvalidLink title="Invalid claim link">
        A claim link works once. This one has been used or replaced, or is incomplete. To get a new one, restart
        Landfall, or ask the person who installed it.
      </InvalidLink>
    );
  }
  if (!link.isSuccess)
    return <EntryWait title="Claim this installation" error={link.error} retry={() => link.refetch()} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    claiming.mutate();
  };
  return (
    <EntryFrame
      title="Claim this installation"
      lead="You become the first owner and operator. You can invite others afterwards."
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        {claiming.isError && <EntryProblem error={claiming.error} />}
        <TextField
          label="Your name"
          name="name"
          autoComplete="name"
          required
          maxLength={200}
          autoFocus
          value={user.name}
          onChange={(event) => setUser({ ...user, name: event.target.value })}
        />
        <TextField
          label="Email"
          type="email"
          name="email"
          autoComplete="username"
          required
          hint="Used to sign in."
          value={user.email}
          onChange={(event) => setUser({ ...user, email: event.target.value })}
        />
        <PasswordField name="password" value={password} onValue={setPassword} isNew known={[user.name, user.email]} />
        <Button type="submit" kind="primary" className="h-8" busy={claiming.isPending} disabled={!isUsable(password)}>
          {claiming.isPending ? 'Creating user' : 'Claim and sign in'}
        </Button>
      </form>
    </EntryFrame>
  );
}
