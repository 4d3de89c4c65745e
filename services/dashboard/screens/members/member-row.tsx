import type { WireMember } from '#shared/contract/people/people-wire.ts';
import type { Role } from '#shared/domain/people/role.ts';
import { IconButton } from '../../parts/icon-button.tsx';
import { NativeSelect } from '../../parts/native-select.tsx';
import { dayWords } from '../../parts/time-words.ts';
import { capital } from '../keys/scope-words.ts';
import { roleChoices } from './role-words.ts';

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
