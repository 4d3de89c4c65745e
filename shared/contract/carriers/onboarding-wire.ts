import { z } from 'zod';
import { credentialFields } from '#shared/domain/carriers/known-connectors.ts';
import type { Onboarding } from '#shared/domain/carriers/onboarding.ts';
import { openEnum, textOrNull } from '../schema-parts.ts';

/** Steps to get credentials from the carrier, from public sources. */
export const wireOnboarding = z
  .strictObject({
    portal_url: textOrNull('Where to register.', 'https://developer.maersk.com'),
    product: textOrNull('Product to apply for, by the carrier’s name for it.', 'Track and Trace Plus'),
    who_may_apply: textOrNull('Who gets credentials.', 'Registered users of the portal.'),
    typical_days: z
      .int()
      .nullable()
      .meta({ description: 'Working days from the application to the credentials.', examples: [null] }),
    fields: z
      .array(
        z.strictObject({
          field: openEnum(credentialFields, 'Name of the field in Landfall.', ['client_id']),
          name: textOrNull('Name of the field at the carrier.', 'Consumer Key'),
        }),
      )
      .meta({ description: 'Fields of the credentials.' }),
    docs_url: textOrNull('Documentation of the carrier.', 'https://developer.maersk.com/support/authorisation'),
    checked_on: z.iso
      .date()
      .nullable()
      .meta({
        description: 'Day on which all sources were last read. Null: some have not been checked, or nothing is known.',
        examples: ['2026-11-23'],
      }),
    sources: z.array(z.string()).meta({
      description: 'Pages that state this.',
      examples: [['https://developer.maersk.com/support/authorisation']],
    }),
  })
  .meta({
    id: 'CarrierOnboarding',
    description:
      'Steps to get credentials from the carrier, as far as they are publicly documented. Undocumented fields are ' +
      'null.',
  });

export function toWireOnboarding(onboarding: Onboarding): z.infer<typeof wireOnboarding> {
  return {
    portal_url: onboarding.portalUrl,
    product: onboarding.product,
    who_may_apply: onboarding.whoMayApply,
    typical_days: onboarding.typicalDays,
    fields: onboarding.fields.map(({ field, name }) => ({ field, name })),
    docs_url: onboarding.docsUrl,
    checked_on: onboarding.checkedOn,
    sources: [...onboarding.sources],
  };
}
