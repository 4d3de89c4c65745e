import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { WireMember } from '#shared/contract/people/people-wire.ts';
import type { Role } from '#shared/domain/people/role.ts';
import { call } from '../../../api/call.ts';
import { queryClient } from '../../../api/query-client.ts';
import { IconButton } from '../../../parts/button.tsx';
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { giveFocusBack } from '../../../parts/panel.tsx';
import { NativeSelect } from '../../../parts/select.tsx';
import { dayWords } from '../../../parts/time-words.ts';
import { useAccount } from '../../session/use-session.ts';
import { capital } from '../keys/scope-words.ts';
import { membersQuery, roleChoices, whyMustStay } from './members.ts';

export function MembersTable({ members, mayManage }: { members: readonly WireMember[]; mayManage: boolean }) {
  const account = useAccount();
  const [leaving, setLeaving] = useState<WireMember | null>(null);
  const renew = () => queryClient.invalidateQueries({ queryKey: membersQuery.queryKey });
  const changing = useMutation({
    mutationFn: ({ id, role }: { id: string; role: Role }) =>
      call('changeMember', { params: { member_id: id }, body: { role } }),
    onSuccess: async (_, { id }) => {
      // What one may do oneself comes with the session.
      if (members.some((member) => member.id === id && member.you)) window.location.reload();
      await renew();
    },
    onError: renew,
  });
  const removing = useMutation({
    mutationFn: (member: WireMember) => call('removeMember', { params: { member_id: member.id } }),
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

type Props = {
  member: WireMember;
  mayManage: boolean;
  /** Why this one can be neither removed nor made less. */
  mustStay: string | null;
  busy: boolean;
  onRole: (role: Role) => void;
  onRemove: () => void;
};

export function MemberRow({ member, mayManage, mustStay, busy, onRole, onRemove }: Props) {
  const { name, email, role, you } = member;
  return (
    <tr className="h-10 border-line border-b max-md:h-15">
      <td className="max-w-60 truncate py-1 pl-4 max-md:w-full max-md:max-w-0" title={name}>
        <bdi>{name}</bdi>
        {you && <span className="text-t3"> you</span>}
        <span className="block truncate text-label text-t3 md:hidden">{email}</span>
        {mustStay !== null && mayManage && (
          <span className="block whitespace-normal text-label text-t3 xl:hidden">{mustStay}</span>
        )}
      </td>
      <td className="w-full max-w-0 truncate px-2 text-t2 max-md:hidden" title={email}>
        {email}
        {mustStay !== null && mayManage && <span className="ml-2 text-label text-t3 max-xl:hidden">{mustStay}</span>}
      </td>
      <td className="px-2">
        {mayManage ? (
          <NativeSelect
            label={`Role of ${name}`}
            labelHidden
            className="w-28"
            value={role}
            disabled={mustStay !== null || busy}
            title={mustStay ?? undefined}
            onChange={(event) => onRole(event.target.value as Role)}
          >
            {roleChoices.map((choice) => (
              <option key={choice} value={choice}>
                {capital(choice)}
              </option>
            ))}
          </NativeSelect>
        ) : (
          capital(role)
        )}
      </td>
      <td className="whitespace-nowrap px-2 text-right text-t2 tabular-nums max-md:hidden">
        {dayWords(member.joined_at)}
      </td>
      <td className="pr-4 text-right">
        {mayManage && (
          <IconButton
            icon="close"
            size={14}
            label={mustStay ?? (you ? 'Leave the account' : `Remove ${name}`)}
            disabled={mustStay !== null}
            onClick={onRemove}
          />
        )}
      </td>
    </tr>
  );
}
