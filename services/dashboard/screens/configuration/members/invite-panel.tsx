import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { WireInvite } from '#shared/contract/people/people-wire.ts';
import type { Role } from '#shared/domain/people/role.ts';
import { call } from '../../../api/call.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Button } from '../../../parts/button.tsx';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { StatusGlyph, WarningMark } from '../../../parts/marks.tsx';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { SidePanel } from '../../../parts/panel.tsx';
import { NativeSelect } from '../../../parts/select.tsx';
import { TextField } from '../../../parts/text-field.tsx';
import { dayWords } from '../../../parts/time-words.ts';
import { useAccount } from '../../session/use-session.ts';
import { capital } from '../keys/scope-words.ts';
import { invitesQuery, roleChoices, roleWords } from './members.ts';

/** Makes a link for one address. Landfall sends no mail: who invites passes it on. */
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
    <SidePanel
      title={`Invite to ${account.name}`}
      close={close}
      footer={
        <div className="ml-auto flex gap-2">
          <Button onClick={close}>Cancel</Button>
          <Button kind="primary" type="submit" form="invite" busy={inviting.isPending} disabled={email.trim() === ''}>
            {inviting.isPending ? 'Making the link' : 'Make the link'}
          </Button>
        </div>
      }
    >
      <form id="invite" onSubmit={submit} className="flex flex-col gap-6 p-5">
        {inviting.isError && <ProblemNote error={inviting.error} />}
        <TextField
          label="E-mail"
          type="email"
          required
          autoFocus
          placeholder="somebody@example.com"
          hint="They sign in with it. Landfall sends no mail: you pass the link on."
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <NativeSelect
          label="Role"
          value={role}
          hint={roleWords[role]}
          onChange={(event) => setRole(event.target.value as Role)}
        >
          {roleChoices.map((choice) => (
            <option key={choice} value={choice}>
              {capital(choice)}
            </option>
          ))}
        </NativeSelect>
      </form>
    </SidePanel>
  );
}

/** The link, once. A lost one costs nothing: inviting the address again makes another and ends this one. */
export function InviteLink({ invite, close }: { invite: WireInvite & { link: string }; close: () => void }) {
  return (
    <SidePanel
      title="Link made"
      mark={<StatusGlyph status="delivered" />}
      close={close}
      footer={
        <Button kind="primary" className="ml-auto" onClick={close}>
          Done
        </Button>
      }
    >
      <div className="border-line border-b p-5">
        <Facts
          rows={[
            ['For', invite.email],
            ['Role', capital(invite.role)],
            ['Expires', dayWords(invite.expires_at)],
          ]}
        />
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
            Shown this once. Who opens it first becomes {invite.email} here, so send it to them alone. Lost it? Invite
            the address again: the new link ends this one.
          </span>
        </p>
      </section>
    </SidePanel>
  );
}
