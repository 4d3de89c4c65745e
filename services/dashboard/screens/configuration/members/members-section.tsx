import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Button } from '../../../parts/button.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { Locked, SectionProblem } from '../../../parts/page-states.tsx';
import { RowSkeletons } from '../../../parts/skeleton.tsx';
import { useAccount } from '../../session/use-session.ts';
import { SectionFrame } from '../section-frame.tsx';
import { InvitePanel } from './invite-panel.tsx';
import { InvitesTable } from './invites-table.tsx';
import { membersQuery } from './members.ts';
import { MembersTable } from './members-table.tsx';

/** Who is in the account, and who is invited. */
export function MembersSection() {
  const account = useAccount();
  const mayManage = account.role === 'owner';
  const members = useQuery(membersQuery);
  const { panel } = useSearch({ strict: false }) as { panel?: string };
  const navigate = useNavigate();
  const show = (search: { panel?: string }) =>
    navigate({ to: '/configuration/$section', params: { section: 'members' }, search });
  const isInviting = panel === 'invite' && mayManage;
  return (
    <SectionFrame
      title="Members"
      count={members.data?.length}
      panel={isInviting ? <InvitePanel close={() => show({})} /> : null}
      actions={
        <Button
          onClick={() => show({ panel: 'invite' })}
          disabled={!mayManage || isInviting}
          title={mayManage ? undefined : 'Only owners invite people'}
        >
          <Icon name="plus" size={14} />
          Invite
        </Button>
      }
    >
      {!mayManage && (
        <Locked>
          Owners invite people, change what they are and remove them. You are a {account.role} of {account.name}.
        </Locked>
      )}
      {members.isPending && <RowSkeletons label="Loading the members" rows={4} />}
      {members.isError && <SectionProblem error={members.error} retry={() => members.refetch()} />}
      {members.data !== undefined && <MembersTable members={members.data} mayManage={mayManage} />}
      {mayManage && <InvitesTable />}
    </SectionFrame>
  );
}
