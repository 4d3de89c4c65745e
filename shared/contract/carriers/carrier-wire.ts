import { z } from 'zod';
import { type Carrier, connectorFor } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { CredentialReport } from '#shared/domain/carriers/carrier-credential.ts';
import {
  type CarrierRefreshes,
  carrierHealthState,
  carrierHealthStates,
} from '#shared/domain/carriers/carrier-health.ts';
import type { CarrierServiceState } from '#shared/domain/carriers/carrier-service.ts';
import { type CarrierCandidate, confidences } from '#shared/domain/registration/detect-carriers.ts';
import { identifierRules } from '#shared/domain/registration/identifier-rules.ts';
import { identifierKeysOf } from '#shared/domain/registration/identifiers.ts';
import { type IdentifierKey, identifierKeys } from '#shared/domain/shipments/shipment.ts';
import { transportModes } from '#shared/domain/shipments/transport-mode.ts';

import { toWireCredentialReport, wireCredentialReport } from './carrier-credentials-wire.ts';
import { toWireCarrierService, wireCarrierService } from './carrier-service-wire.ts';

const instant = z.iso.datetime();
const mode = z
  .string()
  .meta({ description: `Open: accept new values. Known: ${transportModes.join(', ')}.`, examples: ['ocean'] });
const identifierKey = z
  .string()
  .meta({ description: `Open: accept new values. Known: ${identifierKeys.join(', ')}.`, examples: ['mbl'] });

const wireCarrierIdentifier = z
  .strictObject({
    transport_mode: mode,
    identifier: identifierKey,
    trackable: z.boolean().meta({
      description: 'True: a carrier can be asked about it. False: it is stored and can be searched.',
      examples: [true],
    }),
    shape: z.string().meta({ description: 'What it must look like.', examples: ['4 letters and 7 digits'] }),
    check_digit: z
      .string()
      .nullable()
      .meta({
        description: 'The rule of its check digit, which warns and never refuses; null: it has none.',
        examples: ['ISO 6346, mod 11'],
      }),
  })
  .meta({ id: 'CarrierIdentifier', description: 'A number that a shipment with this carrier may have.' });

const wireCarrierHealth = z
  .strictObject({
    state: z.string().meta({
      description: `How the carrier answers your account. Open: accept new values. Known: ${carrierHealthStates.join(', ')}.`,
      examples: ['healthy'],
    }),
    last_success_at: instant.nullable().meta({
      description: 'Its last answer, also that it does not know a number; null: none.',
      examples: ['2026-04-15T09:30:00.000Z'],
    }),
    last_error_at: instant
      .nullable()
      .meta({ description: 'The last refresh that failed; null: none.', examples: [null] }),
    answered: z.int().meta({ description: 'Refreshes that it answered.', examples: [412] }),
    failed: z.int().meta({ description: 'Refreshes that failed.', examples: [0] }),
    waiting: z.int().meta({ description: 'Shipments whose last refresh found nothing or failed.', examples: [3] }),
  })
  .meta({
    id: 'CarrierHealth',
    description: 'Your own refreshes in the last two days, as far as the newest 2,000 refreshes of your account tell.',
  });

export const wireCarrier = z
  .strictObject({
    object: z.literal('carrier').meta({ description: 'Always `carrier`.' }),
    code: z
      .string()
      .meta({ description: 'What records carry: SCAC, IATA code, reporting mark or slug.', examples: ['MAEU'] }),
    name: z.string().meta({ description: 'Its name.', examples: ['Maersk'] }),
    transport_modes: z.array(mode).meta({ description: 'How it carries.', examples: [['ocean']] }),
    aliases: z
      .array(z.string())
      .meta({ description: 'Other codes and names that may be sent as `carrier`.', examples: [['SUDU', 'MSK']] }),
    prefixes: z
      .strictObject({
        bill_of_lading: z.array(z.string()).meta({
          description: 'Put before its bills of lading and bookings; with or without one a number is the same.',
          examples: [['MAEU', 'SUDU']],
        }),
        container: z.array(z.string()).meta({ description: 'Owner codes of its containers.', examples: [['MSKU']] }),
        air_waybill: z.array(z.string()).meta({ description: 'Begin its air waybills.', examples: [['020']] }),
      })
      .meta({ description: 'By which its numbers are recognised.' }),
    supported: z.boolean().meta({
      description:
        'True: shipments with it can be followed; false: only test keys can register them. Credentials may be needed all the same.',
      examples: [true],
    }),
    identifiers: z
      .array(wireCarrierIdentifier)
      .meta({ description: 'The numbers that its shipments may have, by mode.' }),
    health: wireCarrierHealth,
    credentials: wireCredentialReport,
    service: wireCarrierService.nullable().meta({
      description:
        'How it does now with the credentials that serve your account; null: it was not asked in the last minutes, or only test shipments are.',
      examples: [null],
    }),
  })
  .meta({ id: 'Carrier', description: 'A carrier of the catalogue.' });

export const wireCarrierList = z
  .strictObject({ data: z.array(wireCarrier).meta({ description: 'All that match, in one answer.' }) })
  .meta({ id: 'CarrierList', description: 'Carriers of the catalogue.' });

const wireCandidate = z
  .strictObject({
    carrier: z
      .string()
      .nullable()
      .meta({ description: 'Code of the carrier; null: the number does not tell it.', examples: ['MAEU'] }),
    carrier_name: z
      .string()
      .nullable()
      .meta({ description: 'Name of the carrier.', examples: ['Maersk'] }),
    transport_mode: mode,
    identifier: identifierKey,
    confidence: z.string().meta({
      description: `How much the number itself tells. Open: accept new values. Known: ${confidences.join(', ')}.`,
      examples: ['high'],
    }),
    reason: z
      .string()
      .meta({ description: 'Why.', examples: ['MAEU begins the bills of lading and bookings of Maersk'] }),
    check_digit: z.string().meta({
      description: 'Whether the check digit fits. Open: accept new values. Known: valid, invalid, none.',
      examples: ['none'],
    }),
    supported: z
      .boolean()
      .meta({ description: 'True: shipments with this carrier can be followed in this mode.', examples: [true] }),
  })
  .meta({ id: 'CarrierCandidate', description: 'A carrier that a number may belong to.' });

export const wireDetection = z
  .strictObject({
    data: z
      .array(
        z.strictObject({
          number: z.string().meta({ description: 'The number as you sent it, trimmed.', examples: ['MAEU123456789'] }),
          candidates: z
            .array(wireCandidate)
            .meta({ description: 'The likeliest first; empty: the number tells nothing.' }),
        }),
      )
      .meta({ description: 'One entry per number, in your order.' }),
  })
  .meta({ id: 'CarrierDetection', description: 'What numbers tell about their carriers.' });

const checkDigitRules: Partial<Record<IdentifierKey, string>> = {
  container: 'ISO 6346, mod 11',
  awb: 'IATA, serial number mod 7',
  tracking_number: 'UPS 1Z, UPU S10 and USPS IMpb numbers; FedEx of 12 and 15 digits; DHL Express of 10',
};

export function toWireCarrier(
  carrier: Carrier,
  refreshes: CarrierRefreshes | null,
  credentials: CredentialReport,
  service: CarrierServiceState | null,
): z.infer<typeof wireCarrier> {
  return {
    object: 'carrier',
    code: carrier.code,
    name: carrier.name,
    transport_modes: [...carrier.modes],
    aliases: [...carrier.aliases, ...(carrier.smdg === null ? [] : [carrier.smdg])],
    prefixes: {
      bill_of_lading: [...carrier.blPrefixes],
      container: [...carrier.containerPrefixes],
      air_waybill: [...carrier.awbPrefixes],
    },
    supported: carrier.modes.some((transportMode) => connectorFor(carrier.code, transportMode) !== null),
    identifiers: carrier.modes.flatMap((transportMode) =>
      identifierKeysOf(transportMode).map((identifier) => {
        const rule = identifierRules[transportMode][identifier];
        return {
          transport_mode: transportMode,
          identifier,
          trackable: rule?.trackable ?? false,
          shape: rule?.shapeText ?? '',
          check_digit: checkDigitRules[identifier] ?? null,
        };
      }),
    ),
    health: {
      state: carrierHealthState(refreshes),
      last_success_at: refreshes?.lastAnsweredAt ?? null,
      last_error_at: refreshes?.lastFailedAt ?? null,
      answered: refreshes?.answered ?? 0,
      failed: refreshes?.failed ?? 0,
      waiting: refreshes?.waiting ?? 0,
    },
    credentials: toWireCredentialReport(credentials),
    service: toWireCarrierService(service),
  };
}

export function toWireCandidate(candidate: CarrierCandidate): z.infer<typeof wireCandidate> {
  return {
    carrier: candidate.carrier,
    carrier_name: candidate.carrierName,
    transport_mode: candidate.transportMode,
    identifier: candidate.identifier,
    confidence: candidate.confidence,
    reason: candidate.reason,
    check_digit: candidate.checkDigit,
    supported: candidate.supported,
  };
}
