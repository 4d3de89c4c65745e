import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Button } from '../../../parts/button.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { Locked } from '../../../parts/page-states.tsx';
import { useAccount } from '../../session/use-session.ts';
import { SectionFrame } from '../section-frame.tsx';
import { InvitePanel } from './invite-panel.tsx';
import { InvitesTable } from './invites-table.tsx';
import { membersQuery } from './members.ts';
import { MembersTable } from './members-table.tsx';

/** The members of the account and its open invitations. */
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
          title={mayManage ? undefined : 'Only owners can invite members'}
        >
          <Icon name="plus" size={14} />
          Invite
        </Button>
      }
    >
      {!mayManage && <Locked>Only owners can invite, change and remove members. Your role is {account.role}.</Locked>}
      <MembersTable
        members={members.data}
        mayManage={mayManage}
        error={members.error}
        retry={() => members.refetch()}
      />
      {mayManage && <InvitesTable />}
    </SectionFrame>
  );
}
