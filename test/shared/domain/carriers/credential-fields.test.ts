import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  credentialFormOf,
  credentialMistakes,
  describeForm,
  fieldsOf,
} from '#shared/domain/carriers/credential-fields.ts';
import { connectorCodes, credentialFields } from '#shared/domain/carriers/known-connectors.ts';

it('declares the credentials of every connector', () => {
  for (const connector of connectorCodes) expect(describeForm(credentialFormOf(connector))).not.toBe('');
});

it('accepts exactly complete alternatives without other fields', () => {
  fc.assert(
    fc.property(fc.constantFrom(...connectorCodes), fc.subarray([...credentialFields]), (connector, given) => {
      const form = credentialFormOf(connector);
      const { missing, notTaken } = credentialMistakes(form, given);
      const complete = form.anyOf.some((needed) => needed.every((field) => given.includes(field)));
      expect(missing.length === 0).toBe(complete);
      expect(notTaken).toEqual(given.filter((field) => !fieldsOf(form).includes(field)));
    }),
  );
});

it('names the missing fields of the nearest alternative', () => {
  const form = { anyOf: [['api_key'], ['client_id', 'client_secret']], optional: ['scope'] } as const;
  expect(credentialMistakes(form, ['client_secret'])).toEqual({ missing: ['api_key'], notTaken: [] });
  expect(credentialMistakes(form, ['certificate', 'api_key'])).toEqual({ missing: [], notTaken: ['certificate'] });
  expect(describeForm(form)).toBe('api_key, or client_id and client_secret, and optionally scope');
});
