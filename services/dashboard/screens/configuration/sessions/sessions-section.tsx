import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { call } from '../../../api/call.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Button } from '../../../parts/button.tsx';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { type Column, Table } from '../../../parts/table.tsx';
import { dayWords, momentWords } from '../../../parts/time-words.ts';
import { signOut } from '../../session/sign-out.ts';
import { useSession } from '../../session/use-session.ts';
import { SectionFrame } from '../section-frame.tsx';
import { PasswordForm } from './password-form.tsx';
import { deviceWords, type SignIn, signInsQuery } from './sign-ins.ts';

/** Lists the user's sessions and changes the password. */
export function SessionsSection() {
  const { user } = useSession();
  const signIns = useQuery(signInsQuery);
  const reload = () => queryClient.invalidateQueries({ queryKey: signInsQuery.queryKey });
  const heading = useRef<HTMLHeadingElement>(null);
  const ending = useMutation({
    mutationFn: (id: string) => call('endSignIn', { params: { session_id: id } }),
    // The focused button is gone with its row.
    onSuccess: () => heading.current?.focus(),
    onSettled: reload,
  });
  const endingOthers = useMutation({ mutationFn: () => call('endOtherSignIns'), onSettled: reload });
  const others = signIns.data?.filter(({ current }) => !current).length ?? 0;
  const problem = ending.error ?? endingOthers.error;
  return (
    <SectionFrame
      title="Sessions and password"
      actions={
        <Button
          disabled={others === 0}
          busy={endingOthers.isPending}
          title={others === 0 ? 'This is the only session' : undefined}
          onClick={() => endingOthers.mutate()}
        >
          Sign out all other sessions
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
      <Table
        caption="Sessions"
        columns={columnsOf({
          busyId: ending.isPending ? ending.variables : null,
          end: (id) => ending.mutate(id),
        })}
        rows={signIns.data?.toSorted(byCurrent)}
        rowKey={({ id }) => id}
        rowClassName={() => 'h-10'}
        head="hidden"
        skeletonRows={2}
        error={signIns.error}
        retry={() => signIns.refetch()}
      />
      <PasswordForm />
    </SectionFrame>
  );
}

function columnsOf({ busyId, end }: { busyId: string | null; end: (id: string) => void }): readonly Column<SignIn>[] {
  return [
    {
      key: 'device',
      name: 'Device',
      className: 'w-full max-w-0',
      cellClassName: 'py-1',
      cellTitle: ({ user_agent: agent }) => agent ?? undefined,
      skeleton: 'w-44',
      cell: ({ current, address, user_agent: agent, created_at: createdAt, expires_at: expiresAt }) => (
        <>
          <span className="block truncate">
            {deviceWords(agent)}
            {current && (
              <span className="ml-2 rounded-badge border border-line2 px-1.5 text-label text-t2">this session</span>
            )}
          </span>
          <span className="block text-label text-t3 md:truncate">
            signed in {momentWords(createdAt)}
            {address === null ? '' : ` · ${address}`} · expires {dayWords(expiresAt)} if unused
          </span>
        </>
      ),
    },
    {
      key: 'end',
      name: 'Sign out',
      className: 'text-right',
      cell: ({ id, current, user_agent: agent }) =>
        current ? (
          <Button kind="quiet" onClick={signOut}>
            Sign out
          </Button>
        ) : (
          <Button kind="quiet" busy={busyId === id} onClick={() => end(id)}>
            End session<span className="sr-only"> on {deviceWords(agent)}</span>
          </Button>
        ),
    },
  ];
}

function byCurrent(left: SignIn, right: SignIn): number {
  return Number(right.current) - Number(left.current) || right.created_at.localeCompare(left.created_at);
}
