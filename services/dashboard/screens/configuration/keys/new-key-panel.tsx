import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type GrantableScope, grantableScopes } from '#shared/domain/caller.ts';
import { call, chosen, ofAccount } from '../../../api/call.ts';
import { queryClient } from '../../../api/query-client.ts';
import type { WireCreatedApiKey } from '../../../api/wire.ts';
import { Button } from '../../../parts/button.tsx';
import { Panel } from '../../../parts/dialogs/panel.tsx';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { CheckboxLine } from '../../../parts/inputs/checkbox.tsx';
import { ChoiceCards } from '../../../parts/inputs/choice-cards.tsx';
import { NativeSelect } from '../../../parts/inputs/select.tsx';
import { TextField } from '../../../parts/inputs/text-field.tsx';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { dayWords } from '../../../parts/time-words.ts';
import { capital } from '../../../parts/words/code-words.ts';
import { type ExpiryId, expiresAt, expiryPresets } from './key-state.ts';
import { keysQuery } from './keys-query.ts';
import { scopeTexts } from './scope-words.ts';

/** The name, mode, scopes and expiry of a new key. */
export function NewKeyPanel({ onCreated, close }: { onCreated: (key: WireCreatedApiKey) => void; close: () => void }) {
  const now = useNow();
  const [name, setName] = useState('');
  const [test, setTest] = useState(chosen.mode === 'test');
  const [scopes, setScopes] = useState<readonly GrantableScope[]>(['shipments:read', 'shipments:write']);
  const [expiry, setExpiry] = useState<ExpiryId>('never');
  const [date, setDate] = useState('');
  const ends = endOf(expiry, date, now);
  const given = test ? scopes.filter((scope) => scope !== 'carriers:manage') : scopes;
  const creating = useMutation({
    mutationFn: () =>
      call(
        'createApiKey',
        { body: { name: name.trim(), test, scopes: [...given], expires_at: ends ?? null } },
        ofAccount,
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
    <Panel
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
            {creating.isPending ? 'Creating' : 'Create key'}
          </Button>
        </div>
      }
    >
      <form id="new-key" onSubmit={submit} className="flex flex-col gap-6 p-5">
        {creating.isError && <ProblemNote error={creating.error} />}
        <TextField
          label="Name"
          hint="The person or system that uses the key."
          placeholder="ERP connector, SAP"
          required
          maxLength={200}
          autoFocus
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <ChoiceCards
          label="Mode"
          value={test ? 'test' : 'live'}
          choices={modes}
          choose={(mode) => setTest(mode === 'test')}
        />
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
              error={date !== '' && ends === undefined ? 'Choose a day in the future.' : null}
              onChange={(event) => setDate(event.target.value)}
            />
          )}
        </div>
      </form>
    </Panel>
  );
}

/** Undefined: the day is invalid. */
function endOf(expiry: ExpiryId, date: string, now: number): string | null | undefined {
  try {
    return expiresAt(expiry, date, now);
  } catch {
    return undefined;
  }
}

const modes = [
  { value: 'live', name: 'Live', explains: 'Real shipments, real carriers.' },
  {
    value: 'test',
    name: 'Test',
    explains: 'Test shipments only. They are simulated and never reach a carrier.',
  },
] as const;

type ScopeProps = {
  scopes: readonly GrantableScope[];
  onScopes: (scopes: readonly GrantableScope[]) => void;
  test: boolean;
};

function ScopeChoice({ scopes, onScopes, test }: ScopeProps) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-label text-t2">Scopes</legend>
      <div className="flex flex-col gap-2.5">
        {grantableScopes.map((scope) => {
          const { name, allows } = scopeTexts[scope];
          const isLiveOnly = scope === 'carriers:manage' && test;
          return (
            <CheckboxLine
              key={scope}
              checked={scopes.includes(scope)}
              disabled={isLiveOnly}
              hint={isLiveOnly ? 'Live keys only: test shipments never reach a carrier.' : allows}
              onChecked={(checked) =>
                onScopes(grantableScopes.filter((one) => (one === scope ? checked : scopes.includes(one))))
              }
            >
              {capital(name)}
            </CheckboxLine>
          );
        })}
      </div>
      {scopes.length === 0 && (
        <p role="alert" className="mt-2 text-label text-red">
          Choose at least one scope.
        </p>
      )}
    </fieldset>
  );
}
