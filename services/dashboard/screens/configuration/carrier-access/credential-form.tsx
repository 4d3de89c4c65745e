import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { credentialFormOf } from '#shared/domain/carriers/credential-fields.ts';
import type { ConnectorCode, CredentialField, CredentialValues } from '#shared/domain/carriers/known-connectors.ts';
import { call, ofAccount } from '../../../api/call.ts';
import { queryClient } from '../../../api/query-client.ts';
import type { WireCarrier } from '../../../api/wire.ts';
import { Button } from '../../../parts/button.tsx';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { NativeSelect } from '../../../parts/select.tsx';
import { TextField } from '../../../parts/text-field.tsx';
import { fieldList, fieldWords } from './access-words.ts';

/** Write-only: what is stored is never shown, and saving replaces all of it. */
export function CredentialForm({
  carrier,
  connector,
  mayManage,
}: {
  carrier: WireCarrier;
  connector: ConnectorCode;
  mayManage: boolean;
}) {
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
  const has = carrier.credentials.source === 'account';
  return (
    <section aria-labelledby="own-title" className="p-5">
      <h3 id="own-title" className="font-semibold text-section">
        {has ? 'Replace yours' : 'Your own credentials'}
      </h3>
      <p className="mt-1 text-t2">
        They come before the installation’s. They are kept encrypted and nothing reads them back
        {has ? '; saving replaces all of them' : ''}.
      </p>
      <form onSubmit={submit} className="mt-4 flex flex-col gap-4" autoComplete="off">
        {anyOf.length > 1 && (
          <NativeSelect
            label={`What ${carrier.name} gave you`}
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
            required={needed.includes(field)}
            disabled={!mayManage}
            value={values[field] ?? ''}
            onValue={(value) => setValues({ ...values, [field]: value })}
          />
        ))}
        {saving.isError && <ProblemNote error={saving.error} />}
        {saving.isSuccess && (
          <p role="status" className="text-green">
            Stored. {carrier.name} is asked with them within seconds if you have a shipment there; above stands what it
            says.
          </p>
        )}
        <Button
          type="submit"
          kind="primary"
          className="self-start"
          busy={saving.isPending}
          disabled={!mayManage || needed.some((field: CredentialField) => !values[field]?.trim())}
          title={mayManage ? undefined : 'Only owners set credentials'}
        >
          {saving.isPending ? 'Storing' : 'Store'}
        </Button>
      </form>
    </section>
  );
}

type Props = {
  field: CredentialField;
  required: boolean;
  disabled: boolean;
  value: string;
  onValue: (value: string) => void;
};

/** One field of a carrier's credentials. No password manager is meant: none of it is a person's. */
export function CredentialInput({ field, required, disabled, value, onValue }: Props) {
  const id = useId();
  const { name, hint, lines, secret } = fieldWords[field];
  const label = required ? name : `${name} (if you have it)`;
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
        aria-describedby={`${id}-told`}
        onChange={(event) => onValue(event.target.value)}
        className="w-full resize-y rounded-control border border-line2 bg-bg px-2.5 py-1.5 font-mono text-number"
      />
      <p id={`${id}-told`} className="text-label text-t3">
        {hint}
      </p>
    </div>
  );
}
