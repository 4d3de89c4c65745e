import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { WireInvite } from '#shared/contract/people/people-wire.ts';
import type { Role } from '#shared/domain/people/role.ts';
import { queryClient } from '../../api/query-client.ts';
import { ask } from '../../api/request.ts';
import { Button } from '../../parts/button.tsx';
import { NativeSelect } from '../../parts/native-select.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { SidePanel } from '../configuration/side-panel.tsx';
import { capital } from '../keys/scope-words.ts';
import { useAccount } from '../session/use-session.ts';
import { InviteLink } from './invite-link.tsx';
import { invitesQuery } from './members-query.ts';
import { roleChoices, roleWords } from './role-words.ts';

/** Makes a link for one address. Landfall sends no mail: who invites passes it on. */
export function InvitePanel({ close }: { close: () => void }) {
  const account = useAccount();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const inviting = useMutation({
    mutationFn: () => ask<WireInvite & { link: string }>('POST', '/invites', { email: email.trim(), role }),
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
