import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/call.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { EntryFrame, EntryProblem, EntryWait, UsedLink } from './entry-frame.tsx';
import { isUsedUp, useLinkToken } from './links.ts';
import { PasswordField } from './password-field.tsx';
import { isUsable } from './password-hint.ts';
import { signInWords } from './sign-in-words.ts';
import { enter } from './sign-out.ts';

/** The first person of a new installation, by the link that its start printed. */
export function ClaimPage() {
  const token = useLinkToken();
  const link = useQuery({
    queryKey: ['claim', token],
    queryFn: async () => (await call('checkClaim', { body: { token: token ?? '' } })).valid,
    enabled: token !== null,
    staleTime: Infinity,
  });
  const [person, setPerson] = useState({ name: '', email: '' });
  const [password, setPassword] = useState('');
  const claiming = useMutation({
    mutationFn: () =>
      call('claim', { body: { token: token ?? '', name: person.name.trim(), email: person.email.trim(), password } }),
    onSuccess: () => enter('/'),
  });
  if (token === null || link.data === false || isUsedUp(claiming.error)) {
    return (
      <UsedLink title="This link opens nothing">
        It works once, and somebody may have used it; or a newer one took its place, or a part of it is missing. If
        nobody can sign in yet, start Landfall again or run <code className="font-mono">npm run keys -- claim</code>: it
        prints a new link.
      </UsedLink>
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
      lead="You become its first person and its operator. You invite the others afterwards."
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        {claiming.isError && <EntryProblem error={claiming.error} words={signInWords(claiming.error)} />}
        <TextField
          label="Your name"
          name="name"
          autoComplete="name"
          required
          maxLength={200}
          autoFocus
          value={person.name}
          onChange={(event) => setPerson({ ...person, name: event.target.value })}
        />
        <TextField
          label="E-mail"
          type="email"
          name="email"
          autoComplete="username"
          required
          hint="You sign in with it. Nothing is sent there."
          value={person.email}
          onChange={(event) => setPerson({ ...person, email: event.target.value })}
        />
        <PasswordField
          name="password"
          value={password}
          onValue={setPassword}
          chooses
          known={[person.name, person.email]}
        />
        <Button type="submit" kind="primary" className="h-8" busy={claiming.isPending} disabled={!isUsable(password)}>
          {claiming.isPending ? 'Making your user' : 'Claim and sign in'}
        </Button>
      </form>
    </EntryFrame>
  );
}
