import { useMutation } from '@tanstack/react-query';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/call.ts';
import { queryClient } from '../../api/query-client.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { EntryFrame, EntryProblem } from './entry-frame.tsx';
import { PasswordField } from './password-field.tsx';
import { signInWords } from './sign-in-words.ts';

/** Back to where one wanted to go, or to the shipments. */
export function SignInPage() {
  const { to } = useSearch({ from: '/sign-in' });
  const { history } = useRouter();
  const navigate = useNavigate();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signIn = useMutation({
    mutationFn: () => call('signIn', { body: { email: email.trim(), password } }),
    onSuccess: async () => {
      // What another person left in memory is not theirs to see.
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
    <EntryFrame title="Sign in" lead={to === undefined ? undefined : 'Then you go on to the page you asked for.'}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        {signIn.isError && <EntryProblem error={signIn.error} words={signInWords(signIn.error)} />}
        <TextField
          label="E-mail"
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
        No password yet? An owner of your account invites you by a link; on a new installation the first one is in the
        output of <code className="font-mono">npm start</code>. A lost one? Whoever runs this installation makes you a
        link: <code className="font-mono">npm run keys -- reset-password {'<e-mail>'}</code>.
      </p>
    </EntryFrame>
  );
}
