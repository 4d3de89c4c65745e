import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { enter } from './enter.ts';
import { EntryProblem } from './entry-problem.tsx';
import { acceptInvite, type InvitedTo } from './link-calls.ts';
import { PasswordField } from './password-field.tsx';
import { isUsable } from './password-hint.ts';
import { signInWords } from './sign-in-words.ts';

/** Makes the user that was invited. */
export function InvitedNewcomer({ token, invited }: { token: string; invited: InvitedTo }) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const joining = useMutation({
    mutationFn: () => acceptInvite({ token, name: name.trim(), password }),
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
