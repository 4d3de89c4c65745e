import { useMutation } from '@tanstack/react-query';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/call.ts';
import { queryClient } from '../../api/query-client.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/inputs/text-field.tsx';
import { EntryFrame, EntryProblem } from './entry-frame.tsx';
import { PasswordField } from './password-field.tsx';

/** Continues to the requested page, or to the shipments. */
export function SignInPage() {
  const { to, ended } = useSearch({ from: '/sign-in' });
  const { history } = useRouter();
  const navigate = useNavigate();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signIn = useMutation({
    mutationFn: () => call('signIn', { body: { email: email.trim(), password } }),
    onSuccess: async () => {
      // Cached data may belong to another user.
      queryClient.clear();
      if (to === undefined) await navigate({ to: '/', replace: true });
      else history.replace(to);
    },
    onError: () => setPassword(''),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate();
  };
  return (
    <EntryFrame title="Sign in" lead={leadText({ to, ended })}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        {signIn.isError && <EntryProblem error={signIn.error} />}
        <TextField
          label="Email"
          type="email"
          name="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <PasswordField name="password" value={password} onValue={setPassword} />
        <Button type="submit" kind="primary" className="h-8" busy={signIn.isPending}>
          {signIn.isPending ? 'Signing in' : 'Sign in'}
        </Button>
      </form>
      <p className="mt-6 text-label text-t3">
        No password yet? Ask an owner of your account for an invitation. On a new installation, open the claim link that
        Landfall printed when it started. Forgot your password? Your operator can create a link for a new one.
      </p>
    </EntryFrame>
  );
}

function leadText({ to, ended }: { to?: string | undefined; ended?: true | undefined }): string | undefined {
  if (ended) return 'Your session has ended. Sign in to continue where you were.';
  return to === undefined ? undefined : 'You will continue to the requested page.';
}
