import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { WireMember } from '#shared/contract/people/people-wire.ts';
import type { Role } from '#shared/domain/people/role.ts';
import { queryClient } from '../../api/query-client.ts';
import { ask } from '../../api/request.ts';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { ConfirmDialog } from '../configuration/confirm-dialog.tsx';
import { giveFocusBack } from '../configuration/give-focus-back.ts';
import { useAccount } from '../session/use-session.ts';
import { MemberRow } from './member-row.tsx';
import { membersQuery } from './members-query.ts';
import { whyMustStay } from './role-words.ts';

export function MembersTable({ members, mayManage }: { members: readonly WireMember[]; mayManage: boolean }) {
  const account = useAccount();
  const [leaving, setLeaving] = useState<WireMember | null>(null);
  const renew = () => queryClient.invalidateQueries({ queryKey: membersQuery.queryKey });
  const changing = useMutation({
    mutationFn: ({ id, role }: { id: string; role: Role }) => ask('PATCH', `/members/${id}`, { role }),
    onSuccess: async (_, { id }) => {
      // What one may do oneself comes with the session.
      if (members.some((member) => member.id === id && member.you)) window.location.reload();
      await renew();
    },
    onError: renew,
  });
  const removing = useMutation({
    mutationFn: (member: WireMember) => ask('DELETE', `/members/${member.id}`),
    onSuccess: async (_, member) => {
      if (member.you) window.location.assign('/');
      setLeaving(null);
      await renew();
      // The button went with its row.
      giveFocusBack(null);
    },
  });
  return (
    <>
      {changing.isError && <ProblemNote error={changing.error} className="border-line border-b px-4 py-2.5" />}
      <table className="w-full border-collapse text-body">
        <caption className="sr-only">Members of {account.name}</caption>
        <thead className="text-left text-label text-t3 max-md:hidden">
          <tr className="h-8 border-line border-b">
            <th scope="col" className="pl-4 font-normal">
              Name
            </th>
            <th scope="col" className="px-2 font-normal">
              E-mail
            </th>
            <th scope="col" className="px-2 font-normal">
              Role
            </th>
            <th scope="col" className="px-2 text-right font-normal">
              Since
            </th>
            <th scope="col" className="w-10 pr-4">
              <span className="sr-only">Remove</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <MemberRow
              key={member.id}
              member={member}
              mayManage={mayManage}
              mustStay={whyMustStay(members, member.id)}
              busy={changing.isPending && changing.variables.id === member.id}
              onRole={(role) => changing.mutate({ id: member.id, role })}
              onRemove={() => {
                removing.reset();
                setLeaving(member);
              }}
            />
          ))}
        </tbody>
      </table>
      {leaving !== null && (
        <ConfirmDialog
          title={leaving.you ? `Leave ${account.name}?` : 'Remove this member?'}
          action={leaving.you ? 'Leave' : 'Remove'}
          busy={removing.isPending}
          error={removing.error}
          onConfirm={() => removing.mutate(leaving)}
          onClose={() => setLeaving(null)}
        >
          {leaving.you ? (
            'You lose'
          ) : (
            <>
              <bdi className="font-medium text-t1">{leaving.name}</bdi> ({leaving.email}) loses
            </>
          )}{' '}
          access to {account.name} at once. API keys go on working: they belong to the account. To come back takes a new
          invitation.
        </ConfirmDialog>
      )}
    </>
  );
}
