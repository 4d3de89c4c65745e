import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { credentialFormOf } from '#shared/domain/carriers/credential-fields.ts';
import type { ConnectorCode, CredentialField, CredentialValues } from '#shared/domain/carriers/known-connectors.ts';
import { call, ofAccount } from '../../../api/call.ts';
import { queryClient } from '../../../api/query-client.ts';
import type { WireCarrier } from '../../../api/wire.ts';
import { Button } from '../../../parts/button.tsx';
import { NativeSelect } from '../../../parts/inputs/select.tsx';
import { TextField } from '../../../parts/inputs/text-field.tsx';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { fieldList, fieldTexts } from './access-words.ts';
import { CheckResult, useCredentialCheck } from './credential-check.tsx';

type Props = { carrier: WireCarrier; connector: ConnectorCode; mayManage: boolean };

/** Sets the account's own credentials. Stored values are never shown, and saving replaces all of them. */
export function CredentialForm({ carrier, connector, mayManage }: Props) {
  const { anyOf, optional } = credentialFormOf(connector);
  const [choice, setChoice] = useState(0);
  const [values, setValues] = useState<CredentialValues>({});
  const needed = anyOf[choice] ?? [];
  const fields = [...needed, ...optional.filter((field) => !needed.includes(field))];
  const given = Object.fromEntries(
    fields.flatMap((field) => (values[field]?.trim() ? [[field, values[field].trim()]] : [])),
  );
  const saving = useMutation({
    mutationFn: () => call('setCarrierCredentials', { params: { carrier_code: carrier.code }, body: given }, ofAccount),
    onSuccess: async () => {
      setValues({});
      await queryClient.invalidateQueries({ queryKey: ['carriers'] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  const checking = useCredentialCheck(carrier);
  const isComplete = mayManage && needed.every((field) => values[field]?.trim());
  const isReplacing = carrier.credentials.source === 'account';
  return (
    <section aria-labelledby="own-title" className="p-5">
      <h3 id="own-title" className="font-semibold text-section">
        {isReplacing ? 'Replace your credentials' : 'Your own credentials'}
      </h3>
      <p className="mt-1 text-t2">
        Your credentials take precedence over the installation’s. They are stored encrypted and can't be shown again.
        {isReplacing ? ' Saving replaces all fields.' : ''}
      </p>
      <form onSubmit={submit} className="mt-4 flex flex-col gap-4" autoComplete="off">
        {anyOf.length > 1 && (
          <NativeSelect
            label={`Type of credentials from ${carrier.name}`}
            value={choice}
            disabled={!mayManage}
            onChange={(event) => setChoice(Number(event.target.value))}
          >
            {anyOf.map((alternative, index) => (
              <option key={alternative.join()} value={index}>
                {fieldList(alternative)}
              </option>
            ))}
          </NativeSelect>
        )}
        {fields.map((field) => (
          <CredentialInput
            key={field}
            field={field}
            nameAtCarrier={nameAt(carrier, field)}
            required={needed.includes(field)}
            disabled={!mayManage}
            value={values[field] ?? ''}
            onValue={(value) => {
              setValues({ ...values, [field]: value });
              checking.reset();
            }}
          />
        ))}
        <CheckResult checking={checking} />
        {saving.isError && <ProblemNote error={saving.error} />}
        {saving.isSuccess && (
          <p role="status" className="text-green">
            Saved. If you have a shipment with {carrier.name}, Landfall tries the credentials within seconds. The result
            appears above.
          </p>
        )}
        <div className="flex gap-2">
          <Button
            busy={checking.isPending}
            disabled={!isComplete}
            title={mayManage ? undefined : 'Only owners can verify credentials'}
            onClick={() => checking.mutate(given)}
          >
            {checking.isPending ? 'Verifying' : 'Verify'}
          </Button>
          <Button
            type="submit"
            kind="primary"
            busy={saving.isPending}
            disabled={!isComplete}
            title={mayManage ? undefined : 'Only owners can set credentials'}
          >
            {saving.isPending ? 'Saving' : 'Save'}
          </Button>
        </div>
      </form>
    </section>
  );
}

/** Returns the carrier's own name for a field, or null if it isn't known. */
function nameAt({ onboarding }: WireCarrier, field: CredentialField): string | null {
  const name = onboarding.fields.find((one) => one.field === field)?.name ?? null;
  return name === null || name.toLowerCase() === fieldTexts[field].name.toLowerCase() ? null : name;
}

type InputProps = {
  field: CredentialField;
  nameAtCarrier: string | null;
  required: boolean;
  disabled: boolean;
  value: string;
  onValue: (value: string) => void;
};

/** One field of a carrier's credentials. Password managers are kept out: these are not a person's credentials. */
function CredentialInput({ field, nameAtCarrier, required, disabled, value, onValue }: InputProps) {
  const id = useId();
  const { name, hint: usual, lines, secret } = fieldTexts[field];
  const hint = nameAtCarrier === null ? usual : `“${nameAtCarrier}” at this carrier.`;
  const label = required ? name : `${name} (optional)`;
  const common = {
    required,
    disabled,
    value,
    autoComplete: 'off',
    spellCheck: false,
    autoCapitalize: 'none',
    'data-1p-ignore': '',
  };
  if (lines === undefined) {
    return (
      <TextField
        {...common}
        label={label}
        hint={hint}
        type={secret ? 'password' : 'text'}
        {...(secret ? { autoComplete: 'new-password' } : {})}
        onChange={(event) => onValue(event.target.value)}
      />
    );
  }
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-label text-t2">
        {label}
      </label>
      <textarea
        {...common}
        id={id}
        rows={lines}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onValue(event.target.value)}
        className="w-full resize-y rounded-control border border-line2 bg-bg px-2.5 py-1.5 font-mono text-number"
      />
      <p id={`${id}-hint`} className="text-label text-t3">
        {hint}
      </p>
    </div>
  );
}
