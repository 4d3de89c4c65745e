import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { ask } from '../../api/request.ts';
import { TextField } from '../../parts/text-field.tsx';
import { ConfirmDialog } from '../configuration/confirm-dialog.tsx';
import { useAccount } from '../session/use-session.ts';

/** Archives what the demonstration made. The account's name is typed, so that it is this account's. */
export function WipeDialog({ close, onWiped }: { close: () => void; onWiped: (archived: number) => void }) {
  const { name } = useAccount();
  const [typed, setTyped] = useState('');
  const wiping = useMutation({
    mutationFn: () => ask<{ archived: number }>('POST', '/wipe-demo', {}),
    onSuccess: ({ archived }) => {
      onWiped(archived);
      return queryClient.invalidateQueries();
    },
  });
  return (
    <ConfirmDialog
      title="Wipe the demonstration?"
      action="Wipe it"
      busy={wiping.isPending}
      disabled={typed.trim() !== name}
      error={wiping.error}
      onConfirm={() => wiping.mutate()}
      onClose={close}
    >
      <p>The demonstration’s shipments are archived and leave every list. What you registered yourself stays.</p>
      <TextField
        className="mt-3"
        label={`Type “${name}”, the account’s name`}
        value={typed}
        autoComplete="off"
        onChange={(event) => setTyped(event.target.value)}
      />
    </ConfirmDialog>
  );
}
