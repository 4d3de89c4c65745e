import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { WireInvite } from '#shared/contract/members/people-wire.ts';
import { call } from '../../../api/call.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Button } from '../../../parts/button.tsx';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { type Column, Table } from '../../../parts/table.tsx';
import { relativeWords } from '../../../parts/time-words.ts';
import { wordOf } from '../../../parts/words/code-words.ts';
import { invitesQuery } from './members.ts';

/** Pending invitations. */
export function InvitesTable() {
  const now = useNow();
  const invites = useQuery(invitesQuery);
  const heading = useRef<HTMLHeadingElement>(null);
  const withdrawing = useMutation({
    mutationFn: (id: string) => call('withdrawInvite', { params: { invite_id: id } }),
    // The focused button is gone with its row.
    onSuccess: () => heading.current?.focus(),
    onSettled: () => queryClient.invalidateQueries({ queryKey: invitesQuery.queryKey }),
  });
  const columns = columnsOf({
    now,
    busyId: withdrawing.isPending ? withdrawing.variables : null,
    withdraw: (id) => withdrawing.mutate(id),
  });
  return (
    <section aria-labelledby="invites-title">
      <h2
        ref={heading}
        tabIndex={-1}
        id="invites-title"
        className="flex h-8 items-center gap-2 border-line border-b bg-sunk px-4 text-label text-t3"
      >
        <span className="font-semibold text-t1">Invitations</span>
        {invites.data !== undefined && (invites.data.length === 0 ? 'none pending' : `${invites.data.length} pending`)}
      </h2>
      {withdrawing.isError && <ProblemNote error={withdrawing.error} className="border-line border-b px-4 py-2.5" />}
      <Table
        caption="Pending invitations"
        columns={columns}
        rows={invites.data}
        rowKey={({ id }) => id}
        rowClassName={() => 'h-10'}
        head="hidden"
        skeletonRows={1}
        error={invites.error}
        retry={() => invites.refetch()}
        empty={null}
      />
    </section>
  );
}

type Actions = { now: number; busyId: string | null; withdraw: (id: string) => void };

function columnsOf({ now, busyId, withdraw }: Actions): readonly Column<WireInvite>[] {
  return [
    {
      key: 'email',
      name: 'Email',
      className: 'w-full max-w-0',
      cellClassName: 'py-1',
      cellTitle: ({ email }) => email,
      skeleton: 'w-44',
      cell: ({ email, role, expires_at: expiresAt }) => (
        <>
          <span className="block truncate max-md:whitespace-normal max-md:wrap-anywhere" title={email}>
            {email}
          </span>
          <span className="block truncate text-label text-t3 md:hidden">
            {wordOf(role)}, expires {relativeWords(expiresAt, now)}
          </span>
        </>
      ),
    },
    {
      key: 'role',
      name: 'Role',
      className: 'min-w-28 max-md:hidden',
      cellClassName: 'text-t2',
      cell: ({ role }) => wordOf(role),
    },
    {
      key: 'inviter',
      name: 'Invited by',
      className: 'max-w-44 max-lg:hidden',
      cellClassName: 'truncate text-t3',
      cell: ({ invited_by: inviter }) => `by ${inviter}`,
    },
    {
      key: 'expires',
      name: 'Expires',
      className: 'text-right max-md:hidden',
      cellClassName: 'whitespace-nowrap text-t2 tabular-nums',
      cell: ({ expires_at: expiresAt }) => `expires ${relativeWords(expiresAt, now)}`,
    },
    {
      key: 'withdraw',
      name: 'Withdraw',
      className: 'text-right',
      cell: ({ id, email }) => (
        <Button
          kind="quiet"
          busy={busyId === id}
          onClick={() => withdraw(id)}
          aria-label={`Withdraw the invitation of ${email}`}
        >
          Withdraw
        </Button>
      ),
    },
  ];
}
