import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../../api/call.ts';
import { ProblemError } from '../../../api/problem-error.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Button } from '../../../parts/button.tsx';
import { CheckboxLine } from '../../../parts/inputs/checkbox.tsx';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { PasswordField } from '../../session/password-field.tsx';
import { isUsable } from '../../session/password-hint.ts';
import { useSession } from '../../session/use-session.ts';
import { signInsQuery } from './sign-ins.ts';

/** Changes the password of the user. */
export function PasswordForm() {
  const { user } = useSession();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [endsOthers, setEndsOthers] = useState(true);
  const changing = useMutation({
    mutationFn: () =>
      call('changePassword', {
        body: {
          currentPassword: current,
          newPassword: next,
          revokeOtherSessions: endsOthers,
        },
      }),
    onSuccess: () => {
      setCurrent('');
      setNext('');
      return queryClient.invalidateQueries({ queryKey: signInsQuery.queryKey });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    changing.mutate();
  };
  const isWrong = changing.error instanceof ProblemError && changing.error.code === 'wrong_password';
  return (
    <section aria-labelledby="password-title">
      <h2
        id="password-title"
        className="flex h-8 items-center border-line border-b bg-sunk px-4 font-semibold text-label"
      >
        Password
      </h2>
      <form onSubmit={submit} className="flex max-w-sm flex-col gap-4 p-4">
        <input type="hidden" autoComplete="username" name="email" value={user.email} />
        <PasswordField
          label="Current password"
          value={current}
          onValue={setCurrent}
          error={isWrong ? 'Incorrect password.' : null}
        />
        <PasswordField label="New password" value={next} onValue={setNext} isNew known={[user.name, user.email]} />
        <CheckboxLine checked={endsOthers} onChecked={setEndsOthers}>
          Sign out all other sessions
        </CheckboxLine>
        {changing.isError && !isWrong && <ProblemNote error={changing.error} />}
        {changing.isSuccess && (
          <p role="status" className="text-green">
            Password changed.
          </p>
        )}
        <Button
          type="submit"
          kind="primary"
          className="self-start"
          busy={changing.isPending}
          disabled={current === '' || !isUsable(next)}
        >
          {changing.isPending ? 'Changing' : 'Change password'}
        </Button>
      </form>
    </section>
  );
}
