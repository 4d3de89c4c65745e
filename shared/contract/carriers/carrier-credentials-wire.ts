import { z } from 'zod';
import {
  type CarrierCredential,
  type CredentialReport,
  credentialSources,
  credentialStates,
} from '#shared/domain/carriers/carrier-credential.ts';
import { credentialFields } from '#shared/domain/carriers/known-connectors.ts';

const instant = z.iso.datetime();
const fields = z.array(z.string()).meta({
  description: `Names of the fields that are set. Open: accept new values. Known: ${credentialFields.join(', ')}.`,
  examples: [['client_id', 'client_secret']],
});

export const wireCarrierCredentials = z
  .strictObject({
    object: z.literal('carrier_credentials').meta({ description: 'Always `carrier_credentials`.' }),
    carrier: z.string().meta({ description: 'Code of the carrier.', examples: ['MAEU'] }),
    state: z.string().meta({
      description: `Open: accept new values. Known: ${credentialStates.join(', ')}. Suspended ones were refused by the carrier and are not used.`,
      examples: ['active'],
    }),
    fields,
    version: z.int().meta({ description: 'One more with each change, also with a removal.', examples: [1] }),
    updated_at: instant.meta({ description: 'The last change.', examples: ['2026-04-15T09:30:00.000Z'] }),
  })
  .meta({
    id: 'CarrierCredentials',
    description: 'Your own credentials at a carrier, without their values: those cannot be read back.',
  });

export const wireCredentialReport = z
  .strictObject({
    source: z.string().meta({
      description:
        `Whose credentials the carrier is asked with. Open: accept new values. Known: ${credentialSources.join(', ')}. ` +
        '`account`: your own; `instance`: those of whoever runs this service; `simulator`: the carrier is simulated; ' +
        '`none`: its shipments wait for credentials (test shipments need none).',
      examples: ['account'],
    }),
    state: z
      .string()
      .nullable()
      .meta({
        description:
          `Open: accept new values. Known: ${credentialStates.join(', ')}; null: there are none. ` +
          'Suspended: the carrier refused them, so they are not used until they are replaced; one refresh in half an hour tries them.',
        examples: ['active'],
      }),
    fields,
    updated_at: instant.nullable().meta({
      description: 'When they were last changed; null: there are none.',
      examples: ['2026-04-15T09:30:00.000Z'],
    }),
    suspended_at: instant
      .nullable()
      .meta({ description: 'Since when they are suspended; null: they are not.', examples: [null] }),
    reason: z
      .string()
      .nullable()
      .meta({
        description: 'Why they are suspended, as `tracking.reason` of its shipments says it; null: they are not.',
        examples: [null],
      }),
  })
  .meta({
    id: 'CarrierCredentialReport',
    description: 'With whose credentials the carrier is asked for you, and whether it takes them.',
  });

export function toWireCarrierCredentials(credential: CarrierCredential): z.infer<typeof wireCarrierCredentials> {
  return {
    object: 'carrier_credentials',
    carrier: credential.carrier,
    state: credential.suspension === null ? 'active' : 'suspended',
    fields: credential.fields,
    version: credential.version,
    updated_at: credential.updatedAt,
  };
}

export function toWireCredentialReport(report: CredentialReport): z.infer<typeof wireCredentialReport> {
  return {
    source: report.source,
    state: report.state,
    fields: [...report.fields],
    updated_at: report.updatedAt,
    suspended_at: report.suspension?.at ?? null,
    reason: report.suspension?.reason ?? null,
  };
}
