import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { WireMember } from '#shared/contract/members/people-wire.ts';
import { type Role, roles } from '#shared/domain/members/role.ts';
import { call } from '../../../api/call.ts';
import { queryClient } from '../../../api/query-client.ts';
import { IconButton } from '../../../parts/button.tsx';
import { returnFocus } from '../../../parts/dialogs/panel.tsx';
import { NativeSelect } from '../../../parts/inputs/select.tsx';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { type Column, Table } from '../../../parts/table.tsx';
import { dayWords } from '../../../parts/time-words.ts';
import { wordOf } from '../../../parts/words/code-words.ts';
import { useAccount } from '../../session/use-session.ts';
import { lockedReason, membersQuery } from './members.ts';
import { RemovingDialog } from './removing-dialog.tsx';

type Props = {
  members: readonly WireMember[] | undefined;
  mayManage: boolean;
  error: unknown;
  retry: () => void;
};

/** The members. Owners change roles and remove members here. */
export function MembersTable({ members, mayManage, error, retry }: Props) {
  const account = useAccount();
  const [leaving, setLeaving] = useState<WireMember | null>(null);
  const reload = () => queryClient.invalidateQueries({ queryKey: membersQuery.queryKey });
  const changing = useMutation({
    mutationFn: ({ id, role }: { id: string; role: Role }) =>
      call('changeMember', { params: { member_id: id }, body: { role } }),
    onSuccess: async (_, { id }) => {
      // The user's own permissions are part of the session.
      if (members?.some((member) => member.id === id && member.you)) window.location.reload();
      await reload();
    },
    onError: reload,
  });
  const afterRemoval = async (member: WireMember) => {
    if (member.you) window.location.assign('/');
    setLeaving(null);
    await reload();
    // The focused button is gone with its row.
    returnFocus(null);
  };
  const columns = columnsOf({
    members: members ?? [],
    mayManage,
    busyId: changing.isPending ? changing.variables.id : null,
    change: (id, role) => changing.mutate({ id, role }),
    remove: setLeaving,
  });
  return (
    <>
      {changing.isError && <ProblemNote error={changing.error} className="border-line border-b px-4 py-2.5" />}
      <Table
        caption={`Members of ${account.name}`}
        columns={columns}
        rows={members}
        rowKey={({ id }) => id}
        rowClassName={() => 'h-10 max-md:h-15'}
        narrow="headless"
        skeletonRows={4}
        error={error}
        retry={retry}
      />
      {leaving !== null && (
        <RemovingDialog member={leaving} onRemoved={afterRemoval} onClose={() => setLeaving(null)} />
      )}
    </>
  );
}

type Actions = {
  members: readonly WireMember[];
  mayManage: boolean;
  busyId: string | null;
  change: (id: string, role: Role) => void;
  remove: (member: WireMember) => void;
};

function columnsOf({ members, mayManage, busyId, change, remove }: Actions): readonly Column<WireMember>[] {
  const locked = ({ id }: WireMember) => (mayManage ? lockedReason(members, id) : null);
  return [
    {
      key: 'name',
      name: 'Name',
      className: 'w-1/2 max-w-0 max-md:w-full',
      cellClassName: 'truncate py-1 max-md:whitespace-normal',
      cellTitle: ({ name }) => name,
      skeleton: 'w-40',
      cell: (member) => (
        <>
          <bdi>{member.name}</bdi>
          {member.you && <span className="text-t3"> you</span>}
          <span className="block truncate text-label text-t3 md:hidden">{member.email}</span>
          {locked(member) !== null && (
            <span className="block whitespace-normal text-label text-t3 xl:hidden">{locked(member)}</span>
          )}
        </>
      ),
    },
    {
      key: 'email',
      name: 'Email',
      className: 'w-1/2 max-w-0 max-md:hidden',
      cellClassName: 'truncate text-t2',
      cellTitle: ({ email }) => email,
      skeleton: 'w-44',
      cell: (member) => (
        <>
          {member.email}
          {locked(member) !== null && <span className="ml-2 text-label text-t3 max-xl:hidden">{locked(member)}</span>}
        </>
      ),
    },
    {
      key: 'role',
      name: 'Role',
      cell: (member) =>
        mayManage ? (
          <NativeSelect
            label={`Role of ${member.name}`}
            labelHidden
            className="w-28"
            value={member.role}
            disabled={locked(member) !== null || busyId === member.id}
            title={locked(member) ?? undefined}
            onChange={(event) => change(member.id, event.target.value as Role)}
          >
            {roles.map((role) => (
              <option key={role} value={role}>
                {wordOf(role)}
              </option>
            ))}
          </NativeSelect>
        ) : (
          wordOf(member.role)
        ),
    },
    {
      key: 'since',
      name: 'Since',
      className: 'text-right max-md:hidden',
      cellClassName: 'whitespace-nowrap text-t2 tabular-nums',
      cell: ({ joined_at: joinedAt }) => dayWords(joinedAt),
    },
    {
      key: 'remove',
      name: 'Remove',
      isNameHidden: true,
      className: 'w-10 text-right',
      skeleton: 'w-4',
      cell: (member) =>
        mayManage && (
          <IconButton
            icon="close"
            size={14}
            label={locked(member) ?? (member.you ? 'Leave the account' : `Remove ${member.name}`)}
            disabled={locked(member) !== null}
            onClick={() => remove(member)}
          />
        ),
    },
  ];
}
