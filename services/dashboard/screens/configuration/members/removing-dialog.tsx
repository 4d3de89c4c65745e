import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WireApiKey } from '#shared/contract/keys/api-key-wire.ts';
import type { WireMember } from '#shared/contract/members/people-wire.ts';
import { call } from '../../../api/call.ts';
import { queryClient } from '../../../api/query-client.ts';
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { CheckboxLine } from '../../../parts/inputs/checkbox.tsx';
import { relativeWords } from '../../../parts/time-words.ts';
import { useAccount } from '../../session/use-session.ts';
import { keysQuery } from '../keys/keys-query.ts';
import { invitesQuery } from './members.ts';

/** Removes a member, and shows the keys that the member made and that can be revoked with it. */
export function RemovingDialog({ member, onRemoved, onClose }: Props) {
  const account = useAccount();
  const [revokesKeys, setRevokesKeys] = useState(true);
  const keys = useQuery({
    queryKey: ['member keys', member.id],
    queryFn: async () => (await call('listMemberKeys', { params: { member_id: member.id } })).data,
    staleTime: 0,
    gcTime: 0,
  });
  const removing = useMutation({
    mutationFn: () =>
      call('removeMember', {
        params: { member_id: member.id },
        query: { revoke_keys: revokesKeys ? 'true' : 'false' },
      }),
    onSuccess: async () => {
      for (const { queryKey } of [invitesQuery, keysQuery]) await queryClient.invalidateQueries({ queryKey });
      onRemoved(member);
    },
  });
  return (
    <ConfirmDialog
      title={member.you ? `Leave ${account.name}?` : 'Remove this member?'}
      action={member.you ? 'Leave' : 'Remove'}
      busy={removing.isPending}
      // The person who confirms has seen which keys exist.
      disabled={keys.data === undefined}
      error={removing.error ?? keys.error}
      onConfirm={() => removing.mutate()}
      onClose={onClose}
    >
      {member.you ? (
        'You lose'
      ) : (
        <>
          <bdi className="font-medium text-t1">{member.name}</bdi> ({member.email}) loses
        </>
      )}{' '}
      access to {account.name} immediately. {member.you ? 'Your' : 'Their'} pending invitations end. Rejoining requires
      a new invitation.
      {keys.data !== undefined && keys.data.length > 0 && (
        <div className="mt-4">
          <CheckboxLine
            checked={revokesKeys}
            onChecked={setRevokesKeys}
            hint="Programs that use a revoked key lose access within a second. Other keys keep working."
          >
            Revoke {keys.data.length === 1 ? 'the API key' : `the ${keys.data.length} API keys`}{' '}
            {member.you ? 'you' : 'they'} created
          </CheckboxLine>
          <MemberKeys keys={keys.data} />
        </div>
      )}
    </ConfirmDialog>
  );
}

type Props = { member: WireMember; onRemoved: (member: WireMember) => void; onClose: () => void };

function MemberKeys({ keys }: { keys: readonly WireApiKey[] }) {
  const now = useNow();
  return (
    <ul aria-label="API keys" className="mt-2 max-h-40 overflow-y-auto rounded-control border border-line px-3 py-1">
      {keys.map((key) => (
        <li key={key.api_key_id} className="flex items-baseline gap-2 py-1">
          <bdi className="min-w-0 flex-1 wrap-anywhere text-t1">{key.name}</bdi>
          <code className="whitespace-nowrap font-mono text-label text-t3">…{key.last_four}</code>
          <span className="whitespace-nowrap text-label text-t3 tabular-nums">
            {key.last_used_at === null ? 'never used' : `used ${relativeWords(key.last_used_at, now)}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
