import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type CreatedApiKey, createApiKey } from '../../api/landfall-client.ts';
import { queryClient } from '../../api/query-client.ts';
import { answerOf, chosen } from '../../api/request.ts';
import { Button } from '../../parts/button.tsx';
import { NativeSelect } from '../../parts/native-select.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { dayWords } from '../../parts/time-words.ts';
import { useNow } from '../../parts/use-now.ts';
import { SidePanel } from '../configuration/side-panel.tsx';
import { type ExpiryId, expiresAt, expiryPresets } from './expiry-presets.ts';
import { keysQuery, ofAccount } from './keys-query.ts';
import { ModeChoice } from './mode-choice.tsx';
import { ScopeChoice } from './scope-choice.tsx';
import type { OfferedScope } from './scope-words.ts';

/** What the key is called, what it may do and for how long. */
export function NewKeyPanel({ onCreated, close }: { onCreated: (key: CreatedApiKey) => void; close: () => void }) {
  const now = useNow();
  const [name, setName] = useState('');
  const [test, setTest] = useState(chosen.mode === 'test');
  const [scopes, setScopes] = useState<readonly OfferedScope[]>(['shipments:read', 'shipments:write']);
  const [expiry, setExpiry] = useState<ExpiryId>('never');
  const [date, setDate] = useState('');
  const ends = endOf(expiry, date, now);
  const given = test ? scopes.filter((scope) => scope !== 'carriers:manage') : scopes;
  const creating = useMutation({
    mutationFn: () =>
      answerOf(
        createApiKey(
          { createApiKeyBody: { name: name.trim(), test, scopes: [...given], expires_at: ends ?? null } },
          ofAccount,
        ),
      ),
    onSuccess: (key) => {
      onCreated(key);
      return queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    creating.mutate();
  };
  return (
    <SidePanel
      title="New key"
      close={close}
      footer={
        <div className="ml-auto flex gap-2">
          <Button onClick={close}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            form="new-key"
            busy={creating.isPending}
            disabled={name.trim() === '' || given.length === 0 || ends === undefined}
          >
            {creating.isPending ? 'Making it' : 'Create key'}
          </Button>
        </div>
      }
    >
      <form id="new-key" onSubmit={submit} className="flex flex-col gap-6 p-5">
        {creating.isError && <ProblemNote error={creating.error} />}
        <TextField
          label="Name"
          hint="Who or what uses it, to tell it from the others later."
          placeholder="ERP connector, SAP"
          required
          maxLength={200}
          autoFocus
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <ModeChoice test={test} onTest={setTest} />
        <ScopeChoice scopes={given} onScopes={setScopes} test={test} />
        <div className="flex flex-wrap items-start gap-2">
          <NativeSelect
            label="Expires"
            className="w-40"
            value={expiry}
            onChange={(event) => setExpiry(event.target.value as ExpiryId)}
            hint={expiry !== 'date' && ends ? `On ${dayWords(ends, null, now)}` : undefined}
          >
            {expiryPresets.map((preset) => (
              <option key={preset.id} value={preset.id}>
                {preset.name}
              </option>
            ))}
          </NativeSelect>
          {expiry === 'date' && (
            <TextField
              label="Last day"
              type="date"
              required
              value={date}
              error={date !== '' && ends === undefined ? 'A day ahead, please' : null}
              onChange={(event) => setDate(event.target.value)}
            />
          )}
        </div>
      </form>
    </SidePanel>
  );
}

/** Undefined: the day that was typed is none. */
function endOf(expiry: ExpiryId, date: string, now: number): string | null | undefined {
  try {
    return expiresAt(expiry, date, now);
  } catch {
    return undefined;
  }
}
