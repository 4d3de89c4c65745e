import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/call.ts';
import { queryClient } from '../../api/query-client.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/inputs/text-field.tsx';
import { Locked, ProblemNote } from '../../parts/page-states.tsx';
import { sessionQuery, useAccount } from '../session/use-session.ts';
import { SectionFrame } from './section-frame.tsx';

/** The name of the account. */
export function AccountSection() {
  const { role } = useAccount();
  return (
    <SectionFrame title="Account">
      {role !== 'owner' && <Locked>Only owners can rename the account. Your role is {role}.</Locked>}
      <NameForm isLocked={role !== 'owner'} />
    </SectionFrame>
  );
}

function NameForm({ isLocked }: { isLocked: boolean }) {
  const account = useAccount();
  const [name, setName] = useState(account.name);
  const wanted = name.trim();
  const renaming = useMutation({
    mutationFn: () => call('renameAccount', { body: { name: wanted } }),
    onSuccess: (renamed) => {
      setName(renamed.name);
      return queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    renaming.mutate();
  };
  return (
    <form onSubmit={submit} className="flex max-w-md flex-col gap-4 p-4">
      <TextField
        label="Name"
        hint="All members and invited people see it. Programs identify the account by its ID."
        required
        maxLength={200}
        disabled={isLocked}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {renaming.isError && <ProblemNote error={renaming.error} />}
      {renaming.isSuccess && wanted === account.name && (
        <p role="status" className="text-green">
          Renamed.
        </p>
      )}
      <Button
        type="submit"
        kind="primary"
        className="self-start"
        busy={renaming.isPending}
        disabled={isLocked || wanted === '' || wanted === account.name}
      >
        {renaming.isPending ? 'Renaming' : 'Rename'}
      </Button>
    </form>
  );
}
