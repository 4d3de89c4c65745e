import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { credentialFormOf } from '#shared/domain/carriers/credential-fields.ts';
import type { ConnectorCode, CredentialField, CredentialValues } from '#shared/domain/carriers/known-connectors.ts';
import { type Carrier, setCarrierCredentials } from '../../api/landfall-client.ts';
import { queryClient } from '../../api/query-client.ts';
import { answerOf } from '../../api/request.ts';
import { Button } from '../../parts/button.tsx';
import { NativeSelect } from '../../parts/native-select.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { ofAccount } from '../keys/keys-query.ts';
import { CredentialInput } from './credential-input.tsx';
import { fieldList } from './field-words.ts';

/** Write-only: what is stored is never shown, and saving replaces all of it. */
export function CredentialForm({
  carrier,
  connector,
  mayManage,
}: {
  carrier: Carrier;
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
    mutationFn: () =>
      answerOf(setCarrierCredentials({ carrierCode: carrier.code, setCarrierCredentialsBody: given }, ofAccount)),
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
