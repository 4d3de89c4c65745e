import { z } from 'zod';
import type { Carrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { CredentialReport } from '#shared/domain/carriers/carrier-credential.ts';
import {
  type CarrierRefreshes,
  carrierHealthState,
  carrierHealthStates,
} from '#shared/domain/carriers/carrier-health.ts';
import { type CarrierServiceState, circuitStates } from '#shared/domain/carriers/carrier-service.ts';
import { type Connection, connectionStates } from '#shared/domain/carriers/connection.ts';
import { onboardingOf } from '#shared/domain/carriers/onboarding.ts';
import { transportModes } from '#shared/domain/events/transport-mode.ts';
import { type IdentifierKey, identifierKeys } from '#shared/domain/record/shipment.ts';
import { identifierRules } from '#shared/domain/registration/identifier-rules.ts';
import { identifierKeysOf } from '#shared/domain/registration/identifiers.ts';
import { instant, openEnum, textOrNull } from '../schema-parts.ts';
import { toWireCredentialReport, wireCredentialReport } from './carrier-credentials.ts';
import { toWireOnboarding, wireOnboarding } from './onboarding-wire.ts';

const time = z.iso.datetime();

const wireCarrierIdentifier = z
  .strictObject({
    transport_mode: openEnum(transportModes, 'Transport mode.', ['ocean']),
    identifier: openEnum(identifierKeys, 'Type of identifier.', ['mbl']),
    trackable: z.boolean().meta({
      description: 'Whether the carrier can be queried by it. If not, it is stored and can be searched.',
      examples: [true],
    }),
    shape: z.string().meta({ description: 'Format of the identifier.', examples: ['4 letters and 7 digits'] }),
    check_digit: z
      .string()
      .nullable()
      .meta({
        description: 'Check digit rule. A mismatch is a warning, not an error. Null if there is none.',
        examples: ['ISO 6346, mod 11'],
      }),
  })
  .meta({ id: 'CarrierIdentifier', description: 'An identifier that shipments with this carrier may have.' });

const wireCarrierHealth = z
  .strictObject({
    state: openEnum(carrierHealthStates, 'Health of the carrier for your account.', ['healthy']),
    last_success_at: time.nullable().meta({
      description: 'Last response, including for an unknown number. Null if there is none.',
      examples: ['2026-04-15T09:30:00.000Z'],
    }),
    last_error_at: time
      .nullable()
      .meta({ description: 'Last failed refresh. Null if there is none.', examples: [null] }),
    answered: z.int().meta({ description: 'Refreshes that got a response from the carrier.', examples: [412] }),
    failed: z.int().meta({ description: 'Failed refreshes.', examples: [0] }),
    waiting: z.int().meta({ description: 'Shipments whose last refresh failed or found nothing.', examples: [3] }),
  })
  .meta({
    id: 'CarrierHealth',
    description:
      'Your refreshes of the last two days, based on the newest 2,000 refreshes of your account and the last ones of ' +
      'some shipments of each carrier.',
  });

/** The carrier's responses to the credentials that are used for the account. */
const wireCarrierService = z
  .strictObject({
    circuit: openEnum(
      circuitStates,
      'State of the circuit breaker. `open`: after repeated failures, polling is paused; `half_open`: one refresh ' +
        'tests whether the carrier has recovered.',
      ['closed'],
    ),
    budget_left: z.int().meta({ description: 'Requests that may be sent now.', examples: [17] }),
    success_rate: z
      .number()
      .nullable()
      .meta({
        description: 'Share of successful requests in the last five minutes, from 0 to 1. Null if none was sent.',
        examples: [0.998],
      }),
    latency_ms: z
      .number()
      .nullable()
      .meta({ description: 'Median response time of these requests. Null if none was sent.', examples: [212.5] }),
    lag_s: z.number().meta({ description: 'Delay of the oldest due refresh in seconds.', examples: [0.4] }),
    updated_at: instant('When these values were measured.'),
  })
  .meta({
    id: 'CarrierService',
    description:
      'How the carrier responds to the credentials that are used for your account. If the operator uses the same ' +
      'credentials for several accounts, the values cover all of them.',
  });

export const wireCarrier = z
  .strictObject({
    object: z.literal('carrier').meta({ description: 'Always `carrier`.' }),
    code: z
      .string()
      .meta({ description: 'Code used in records: SCAC, IATA code, reporting mark or slug.', examples: ['MAEU'] }),
    name: z.string().meta({ description: 'Name of the carrier.', examples: ['Maersk'] }),
    transport_modes: z
      .array(openEnum(transportModes, 'Transport mode.', ['ocean']))
      .meta({ description: 'Transport modes.', examples: [['ocean']] }),
    aliases: z
      .array(z.string())
      .meta({ description: 'Other codes and names accepted as `carrier`.', examples: [['SUDU', 'MSK']] }),
    prefixes: z
      .strictObject({
        bill_of_lading: z.array(z.string()).meta({
          description: 'Prefixes of bills of lading and bookings. A number is the same with or without its prefix.',
          examples: [['MAEU', 'SUDU']],
        }),
        container: z.array(z.string()).meta({ description: 'Container owner codes.', examples: [['MSKU']] }),
        air_waybill: z.array(z.string()).meta({ description: 'Air waybill prefixes.', examples: [['020']] }),
      })
      .meta({ description: 'Prefixes by which its numbers are recognized.' }),
    connection: openEnum(
      connectionStates,
      'Whether your shipments with the carrier can be tracked now. `needs_credentials`: it has none that it accepts; ' +
        '`needs_address`: the operator must configure its address; `pushed_only`: there is no connector for it, ' +
        'and you push its events.',
      ['ready'],
    ),
    connection_reason: textOrNull(
      'Remedy or note. Null: none.',
      'Set credentials for Maersk: client_id and client_secret, and optionally api_key.',
    ),
    identifiers: z
      .array(wireCarrierIdentifier)
      .meta({ description: 'Identifiers that shipments with the carrier may have, by transport mode.' }),
    health: wireCarrierHealth,
    credentials: wireCredentialReport,
    onboarding: wireOnboarding,
    service: wireCarrierService.nullable().meta({
      description:
        'How the carrier currently responds to the credentials that are used for your account. Null if it was not ' +
        'polled in the last minutes, or for test shipments only.',
      examples: [null],
    }),
  })
  .meta({ id: 'Carrier', description: 'A carrier of the catalogue.' });

export const wireCarrierList = z
  .strictObject({ data: z.array(wireCarrier).meta({ description: 'All matching carriers. The list has no pages.' }) })
  .meta({ id: 'CarrierList', description: 'Carriers of the catalogue.' });

const checkDigitRules: Partial<Record<IdentifierKey, string>> = {
  container: 'ISO 6346, mod 11',
  awb: 'IATA, serial number mod 7',
  tracking_number: 'UPS 1Z, UPU S10 and USPS IMpb numbers; FedEx of 12 and 15 digits; DHL Express of 10',
};

type CarrierReport = {
  carrier: Carrier;
  connection: Connection;
  /** Null: none. */
  refreshes: CarrierRefreshes | null;
  credentials: CredentialReport;
  service: CarrierServiceState | null;
};

export function toWireCarrier({
  carrier,
  connection,
  refreshes,
  credentials,
  service,
}: CarrierReport): z.infer<typeof wireCarrier> {
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
    connection: connection.state,
    connection_reason: connection.reason,
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
    onboarding: toWireOnboarding(onboardingOf(carrier)),
    service: toWireCarrierService(service),
  };
}

function toWireCarrierService(service: CarrierServiceState | null): z.infer<typeof wireCarrierService> | null {
  if (service === null) return null;
  return {
    circuit: service.circuit,
    budget_left: service.budgetLeft,
    success_rate: service.successRate,
    latency_ms: service.latencyMs,
    lag_s: service.lagS,
    updated_at: service.updatedAt,
  };
}
