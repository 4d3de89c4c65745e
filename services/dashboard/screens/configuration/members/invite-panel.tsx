import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { AnswerOf } from '#shared/contract/operations.ts';
import { type Role, roles } from '#shared/domain/members/role.ts';
import { call } from '../../../api/call.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Button } from '../../../parts/button.tsx';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { Panel } from '../../../parts/dialogs/panel.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { NativeSelect } from '../../../parts/inputs/select.tsx';
import { TextField } from '../../../parts/inputs/text-field.tsx';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { StatusGlyph, WarningMark } from '../../../parts/status-icons.tsx';
import { dayWords } from '../../../parts/time-words.ts';
import { wordOf } from '../../../parts/words/code-words.ts';
import { useAccount } from '../../session/use-session.ts';
import { invitesQuery, roleTexts } from './members.ts';

/** Creates an invitation link for one address. Landfall does not email it: the owner passes the link on. */
export function InvitePanel({ close }: { close: () => void }) {
  const account = useAccount();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const inviting = useMutation({
    mutationFn: () => call('createInvite', { body: { email: email.trim(), role } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: invitesQuery.queryKey }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    inviting.mutate();
  };
  if (inviting.data !== undefined) return <InviteLink invite={inviting.data} close={close} />;
  return (
    <Panel
      title={`Invite to ${account.name}`}
      close={close}
      footer={
        <div className="ml-auto flex gap-2">
          <Button onClick={close}>Cancel</Button>
          <Button kind="primary" type="submit" form="invite" busy={inviting.isPending} disabled={email.trim() === ''}>
            {inviting.isPending ? 'Creating' : 'Create link'}
          </Button>
        </div>
      }
    >
      <form id="invite" onSubmit={submit} className="flex flex-col gap-6 p-5">
        {inviting.isError && <ProblemNote error={inviting.error} />}
        <TextField
          label="Email"
          type="email"
          required
          autoFocus
          placeholder="name@example.com"
          hint="The address they sign in with. Landfall does not email invitations: share the link yourself."
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <NativeSelect
          label="Role"
          value={role}
          hint={roleTexts[role]}
          onChange={(event) => setRole(event.target.value as Role)}
        >
          {roles.map((choice) => (
            <option key={choice} value={choice}>
              {wordOf(choice)}
            </option>
          ))}
        </NativeSelect>
      </form>
    </Panel>
  );
}

/** Shows the link once. Inviting the same address again creates another link and invalidates this one. */
function InviteLink({ invite, close }: { invite: AnswerOf<'createInvite'>; close: () => void }) {
  return (
    <Panel
      title="Link created"
      mark={<StatusGlyph status="delivered" />}
      close={close}
      footer={
        <Button kind="primary" className="ml-auto" onClick={close}>
          Done
        </Button>
      }
    >
      <div className="border-line border-b p-5">
        <Facts rows={{ For: invite.email, Role: wordOf(invite.role), Expires: dayWords(invite.expires_at) }} />
      </div>
      <section aria-label="Link" className="p-5">
        <h3 className="mb-1.5 text-label text-t2">Link</h3>
        <div className="flex min-h-10 items-center gap-2 rounded-control border border-line2 py-1 pr-1.5 pl-3">
          <code className="min-w-0 flex-1 select-all break-all font-mono text-number">{invite.link}</code>
          <CopyButton text={invite.link} kind="strong" name="the link" />
        </div>
        <p className="mt-2 flex gap-2 text-t2">
          <span className="mt-[3px]">
            <WarningMark severity="warning" />
          </span>
          <span>
            Shown only once. Anyone with the link can join as {invite.email}, so send it to them only. If it is lost,
            invite the address again: the new link replaces this one.
          </span>
        </p>
      </section>
    </Panel>
  );
}
