import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { call } from '../../../api/call.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Button } from '../../../parts/button.tsx';
import { ProblemNote, SectionProblem } from '../../../parts/page-states.tsx';
import { RowSkeletons } from '../../../parts/skeleton.tsx';
import { dayWords, momentWords } from '../../../parts/time-words.ts';
import { signOut } from '../../session/sign-out.ts';
import { useSession } from '../../session/use-session.ts';
import { SectionFrame } from '../section-frame.tsx';
import { PasswordForm } from './password-form.tsx';
import { deviceWords, type SignIn, signInsQuery } from './sign-ins.ts';

/** Where one is signed in, and one's password. */
export function SessionsSection() {
  const { user } = useSession();
  const signIns = useQuery(signInsQuery);
  const renew = () => queryClient.invalidateQueries({ queryKey: signInsQuery.queryKey });
  const heading = useRef<HTMLHeadingElement>(null);
  const ending = useMutation({
    mutationFn: (id: string) => call('endSignIn', { params: { session_id: id } }),
    // The button goes with its row.
    onSuccess: () => heading.current?.focus(),
    onSettled: renew,
  });
  const endingOthers = useMutation({
    mutationFn: () => call('endOtherSignIns'),
    onSettled: renew,
  });
  const others = signIns.data?.filter(({ current }) => !current).length ?? 0;
  const problem = ending.error ?? endingOthers.error;
  return (
    <SectionFrame
      title="Sessions and password"
      actions={
        <Button
          disabled={others === 0}
          busy={endingOthers.isPending}
          title={others === 0 ? 'This is the only one' : undefined}
          onClick={() => endingOthers.mutate()}
        >
          Sign out everywhere else
        </Button>
      }
    >
      {problem !== null && <ProblemNote error={problem} className="border-line border-b px-4 py-2.5" />}
      <h2
        ref={heading}
        tabIndex={-1}
        className="flex h-8 items-center gap-2 border-line border-b bg-sunk px-4 text-label text-t3"
      >
        <span className="font-semibold text-t1">Signed in</span>
        {user.email}
      </h2>
      {signIns.isPending && <RowSkeletons label="Loading the sessions" rows={2} />}
      {signIns.isError && <SectionProblem error={signIns.error} retry={() => signIns.refetch()} />}
      <ul>
        {(signIns.data ?? [])
          .toSorted(byCurrent)
          .map(({ id, current, address, user_agent: agent, created_at: created, expires_at: expires }) => (
            <li key={id} className="flex min-h-10 items-center gap-3 border-line border-b px-4 py-1">
              <span className="min-w-0 flex-1">
                <span className="block truncate" title={agent ?? undefined}>
                  {deviceWords(agent)}
                  {current && (
                    <span className="ml-2 rounded-badge border border-line2 px-1.5 text-label text-t2">this one</span>
                  )}
                </span>
                <span className="block text-label text-t3 md:truncate">
                  since {momentWords(created)}
                  {address === null ? '' : ` · ${address}`} · ends {dayWords(expires)} unless used
                </span>
              </span>
              {current ? (
                <Button kind="quiet" onClick={signOut}>
                  Sign out
                </Button>
              ) : (
                <Button
                  kind="quiet"
                  busy={ending.isPending && ending.variables === id}
                  onClick={() => ending.mutate(id)}
                >
                  End<span className="sr-only"> {deviceWords(agent)}</span>
                </Button>
              )}
            </li>
          ))}
      </ul>
      <PasswordForm />
    </SectionFrame>
  );
}

function byCurrent(left: SignIn, right: SignIn): number {
  return Number(right.current) - Number(left.current) || right.created_at.localeCompare(left.created_at);
}
