import { z } from 'zod';
import { findCarrier, nearestCarrier } from '#shared/domain/carrier-catalogue.ts';
import { type ShipmentFilter, shipmentSorts } from '#shared/domain/filter.ts';
import { type IdentifierKey, type Status, statuses } from '#shared/domain/shipment.ts';
import { transportModes } from '#shared/domain/transport-mode.ts';
import { readMoment } from './moment.ts';
import { plainText } from './plain-text.ts';

const moment = z.string().refine((text) => readMoment(text, 'from') !== null, {
  error: 'must be a date (2026-04-15) or a time with an offset (2026-04-15T08:00:00Z)',
  params: { code: 'invalid_format' },
});

const carrierCode = plainText({ max: 64 }).superRefine((code, context) => {
  if (findCarrier(code) !== null) return;
  const nearest = nearestCarrier(code);
  const hint = nearest === null ? '' : `; did you mean ${nearest.code} (${nearest.name})?`;
  context.addIssue({ code: 'custom', message: `is not a known carrier: ${code}${hint}`, params: { code: 'unknown_carrier' } });
});

const place = plainText({ max: 100 }).meta({ description: 'UN/LOCODE, IATA code, country code or name.' });

/** The parts of the filter language that every door shares; within one of the lists any value may match, different fields must all match. */
export const filterFields = {
  status: z
    .array(z.enum([...statuses, 'exception']))
    .min(1)
    .max(20)
    .optional(),
  transport_mode: z.array(z.enum(transportModes)).min(1).max(10).optional(),
  carrier: z.array(carrierCode).min(1).max(50).optional(),
  reference: plainText({ max: 255 }).optional(),
  tag: plainText({ max: 64 }).optional(),
  origin: place.optional(),
  destination: place.optional(),
  eta_from: moment.optional(),
  eta_to: moment.optional(),
  updated_since: moment.optional(),
  has_exception: z.boolean().optional(),
  delayed_min_hours: z.number().min(0).max(10_000).optional(),
  stale: z.boolean().optional(),
};

/** Any number, reference, vessel or place. Under three characters nearly everything would match. */
export const searchText = plainText({ min: 3, max: 100 });

/** Identifiers that the REST list filters by. */
export const identifierFilterKeys = [
  'mbl',
  'hbl',
  'booking',
  'container',
  'awb',
  'hawb',
  'bol',
  'pro',
  'tracking_number',
] as const satisfies readonly IdentifierKey[];

export const sortField = z.enum(shipmentSorts);
export const cursorField = z.string().min(1).max(2000);

const filterSchema = z.object(filterFields);

export type FilterInput = z.infer<typeof filterSchema> & {
  q?: string | undefined;
  identifier?: string | undefined;
  identifiers?: ShipmentFilter['identifiers'];
};

/** A contradiction between fields that are valid each by itself. */
export type Contradiction = { field: keyof typeof filterFields; detail: string };

/** What cannot be asked for together. */
export function contradictionsOf(input: FilterInput): Contradiction[] {
  const found: Contradiction[] = [];
  const from = input.eta_from === undefined ? null : readMoment(input.eta_from, 'from');
  const to = input.eta_to === undefined ? null : readMoment(input.eta_to, 'to');
  if (from !== null && to !== null && from > to) found.push({ field: 'eta_to', detail: 'eta_to is before eta_from' });
  if (input.status?.includes('exception')) {
    if (input.status.some((status) => status !== 'exception')) {
      found.push({ field: 'status', detail: 'exception is no status: use has_exception=true beside the other statuses' });
    }
    if (input.has_exception === false) found.push({ field: 'has_exception', detail: 'status=exception means has_exception=true' });
  }
  return found;
}

/** The domain's filter; carriers by their codes, times as ISO UTC. Absent fields stay absent. */
export function toShipmentFilter(input: FilterInput): ShipmentFilter {
  const askedStatuses = input.status?.filter((status): status is Status => status !== 'exception') ?? [];
  const onlyException = input.status !== undefined && askedStatuses.length === 0;
  const filter: { [Part in keyof ShipmentFilter]: ShipmentFilter[Part] | undefined | null } = {
    status: askedStatuses.length > 0 ? unique(askedStatuses) : undefined,
    transportMode: input.transport_mode && unique(input.transport_mode),
    carrier: input.carrier && unique(input.carrier.map((code) => findCarrier(code)?.code ?? code)),
    identifiers: input.identifiers,
    identifier: input.identifier,
    reference: input.reference,
    tag: input.tag,
    q: input.q,
    origin: input.origin,
    destination: input.destination,
    etaFrom: input.eta_from && readMoment(input.eta_from, 'from'),
    etaTo: input.eta_to && readMoment(input.eta_to, 'to'),
    updatedSince: input.updated_since && readMoment(input.updated_since, 'from'),
    hasException: onlyException ? true : input.has_exception,
    delayedMinHours: input.delayed_min_hours,
    stale: input.stale,
  };
  return Object.fromEntries(Object.entries(filter).filter(([, part]) => part !== undefined && part !== null)) as ShipmentFilter;
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
