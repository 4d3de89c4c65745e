import {
  type ConnectorCode,
  type CredentialField,
  type CredentialForm,
  credentialFields,
  knownConnectors,
} from './known-connectors.ts';

/** The fields that credentials for this connector consist of. */
export function credentialFormOf(connector: ConnectorCode): CredentialForm {
  return knownConnectors[connector];
}

/** Every field of the form, in the order of `credentialFields`. */
export function fieldsOf({ anyOf, optional }: CredentialForm): CredentialField[] {
  return credentialFields.filter((field) => optional.includes(field) || anyOf.some((needed) => needed.includes(field)));
}

/**
 * Returns the reasons why these fields are not valid credentials: missing fields (of the alternative that lacks the
 * fewest), and unknown ones.
 */
export function credentialMistakes(
  form: CredentialForm,
  given: readonly CredentialField[],
): { missing: CredentialField[]; notTaken: CredentialField[] } {
  const taken = fieldsOf(form);
  const lacking = form.anyOf.map((needed) => needed.filter((field) => !given.includes(field)));
  const [missing = []] = lacking.toSorted((left, right) => left.length - right.length);
  return { missing, notTaken: given.filter((field) => !taken.includes(field)) };
}

/** The form in words: "client_id and client_secret, or api_key". */
export function describeForm({ anyOf, optional }: CredentialForm): string {
  const alternatives = anyOf.map((needed) => needed.join(' and ')).join(', or ');
  return optional.length === 0 ? alternatives : `${alternatives}, and optionally ${optional.join(', ')}`;
}
