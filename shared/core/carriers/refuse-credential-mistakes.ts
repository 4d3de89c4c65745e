import type { Carrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import {
  credentialFormOf,
  credentialMistakes,
  describeForm,
  fieldsOf,
} from '#shared/domain/carriers/credential-fields.ts';
import {
  type ConnectorCode,
  type CredentialField,
  type CredentialValues,
  credentialFields,
} from '#shared/domain/carriers/known-connectors.ts';
import { type InputMistake, LandfallError } from '#shared/domain/errors.ts';

/** The connector of a carrier. Throws LandfallError `carrier_not_supported` if this release has none. */
export function connectorOf({ name, connector }: Carrier): ConnectorCode {
  if (connector !== null) return connector;
  throw new LandfallError(
    'carrier_not_supported',
    `This release has no connector for ${name}, so it accepts no credentials.`,
  );
}

/**
 * The fields that were sent. Throws LandfallError `validation_failed` unless they are credentials for the connector; it
 * names fields, never the values that were sent.
 */
export function refuseCredentialMistakes(
  { name }: Carrier,
  connector: ConnectorCode,
  values: CredentialValues,
): CredentialField[] {
  const form = credentialFormOf(connector);
  const given = credentialFields.filter((field) => values[field] !== undefined);
  const { missing, notTaken } = credentialMistakes(form, given);
  const mistakes: InputMistake[] = [
    ...missing.map((field) => ({
      pointer: `/${field}`,
      code: 'required',
      detail: `${field} is required: ${name} accepts ${describeForm(form)}.`,
    })),
    ...notTaken.map((field) => ({
      pointer: `/${field}`,
      code: 'not_taken',
      detail: `${name} accepts no ${field}, only ${fieldsOf(form).join(', ')}.`,
    })),
  ];
  if (mistakes.length === 0) return given;
  throw new LandfallError('validation_failed', mistakes.map(({ detail }) => detail).join(' '), { mistakes });
}
