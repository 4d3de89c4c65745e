import { z } from 'zod';
import { carrierHint, findCarrierByName } from '#shared/domain/carriers/carrier-catalogue.ts';
import { transportModes } from '#shared/domain/events/transport-mode.ts';
import { type SnakeCase, snakeCase } from '#shared/domain/fold-text.ts';
import { shipmentSorts } from '#shared/domain/lists/filter.ts';
import { anyoneElse } from '#shared/domain/lists/filter-conditions.ts';
import type { AskedValue, FilterName } from '#shared/domain/lists/filter-table.ts';
import { isSearchable } from '#shared/domain/lists/short-words.ts';
import { clockStates } from '#shared/domain/record/free-time.ts';
import { lateHours } from '#shared/domain/record/lateness.ts';
import {
  exceptionCodes,
  freshnesses,
  statuses,
  trackingModes,
  trackingReasons,
  trackingStates,
} from '#shared/domain/record/shipment.ts';
import { decodeTypeId } from '#shared/domain/type-id.ts';
import { anyOf, localDayAt, maxValues, oneMoment } from '../input/filter-parts.ts';
import { plainText } from '../input/plain-text.ts';
import { arrivalFilterFields } from './arrival-filter-fields.ts';

const carrierCode = plainText({ max: 64 }).superRefine((code, context) => {
  if (findCarrierByName(code) !== null) return;
  const hint = carrierHint(code);
  context.addIssue({
    code: 'custom',
    message: `is not a known carrier: ${code.slice(0, 64)}.${hint === null ? '' : ` ${hint}`}`,
    params: { code: 'unknown_carrier' },
  });
});

export const placeText = plainText({ min: 2, max: 100 });
export const referenceText = plainText({ max: 255 });
export const tagText = plainText({ max: 64 });

/** Fewer characters would match nearly everything. */
export const searchText = plainText({ max: 100 }).refine(isSearchable, {
  error: 'must have at least 3 characters, or 2 in Chinese, Japanese or Korean.',
  params: { code: 'too_short' },
});

const inUtc = 'A date (UTC) or a time with an offset.';

function oneDay(description: string, example: string) {
  return z.iso
    .date({ error: 'must be a date such as 2026-04-15.' })
    .refine((day) => day >= '0001-01-01', { error: 'must be a date such as 2026-04-15.' })
    .optional()
    .meta({ description: `${description} A calendar day at the terminal.`, examples: [example] });
}

/** The filters of REST and MCP. Any value of a list may match; all fields must match. */
export const filterFields = {
  status: anyOf(z.enum([...statuses, 'exception']), {
    description: 'Where the cargo is. `exception` is an alias of `has_exception=true` and cannot be combined.',
    examples: [['in_transit', 'arrived']],
  }),
  transport_mode: anyOf(z.enum(transportModes), { description: 'Transport modes.', examples: [['ocean']] }),
  carrier: anyOf(carrierCode, { description: 'Carriers, by code, alias or name.', examples: [['MAEU', 'HLCU']] }),
  has_exception: z
    .boolean()
    .optional()
    .meta({ description: 'Whether any exception is open.', examples: [true] }),
  needs_attention: z
    .boolean()
    .optional()
    .meta({
      description:
        'Whether someone has to look at it: an open exception, failed tracking, unusable credentials, an unknown ' +
        'number, or no response for long.',
      examples: [true],
    }),
  delayed_min_hours: z
    .number()
    .min(0)
    .max(10_000)
    .optional()
    .meta({ description: '`delay_hours` is at least this: delayed against the first promise.', examples: [24] }),
  overdue_min_hours: z
    .number()
    .min(0)
    .max(10_000)
    .optional()
    .meta({
      description: '`overdue_hours` is at least this: the ETA passed and no arrival is confirmed.',
      examples: [24],
    }),
  late: z
    .boolean()
    .optional()
    .meta({
      description: `Whether it is late: delayed or overdue by ${lateHours} hours, parcels at all.`,
      examples: [true],
    }),
  stale: z
    .boolean()
    .optional()
    .meta({ description: 'Whether the last successful refresh is older than scheduled.', examples: [true] }),
  eta_from: oneMoment(`\`eta\` at or after. ${localDayAt('arrives')}`, '2026-04-15'),
  eta_to: oneMoment(`\`eta\` at or before. ${localDayAt('arrives')}`, '2026-04-20'),
  updated_since: oneMoment(`Changed at or after. ${inUtc}`, '2026-04-15T08:00:00Z'),
  last_free_day_from: oneDay('The earliest last free day of its open clocks is on this day or later.', '2026-04-13'),
  last_free_day_to: oneDay(
    'The earliest last free day of its open clocks is on this day or earlier, so that later days cost. The response ' +
      'counts the shipments that can’t be assessed in `unknown_terms`.',
    '2026-04-17',
  ),
  free_time: anyOf(z.enum(clockStates), {
    description:
      'A clock of demurrage or detention is in one of these states. `unknown_terms`: it runs, or may run, and its ' +
      'last free day is unknown.',
    examples: [['over', 'expiring']],
  }),
};

const place =
  'UN/LOCODE, IATA code, country, or name in any usual spelling: `Gothenburg`, `Göteborg`, `Port of Rotterdam`, ' +
  '`Rotterdam, NL`, `NYC`. A text that names no known place matches a part of a name.';

const assigneeText = z
  .string()
  .refine((text) => Object.hasOwn(anyoneElse, text) || decodeTypeId('user', text) !== null, {
    error: 'must be the id of a member (user_ and 26 characters), me or none.',
    params: { code: 'invalid_value' },
  });

/** Further filters of REST. */
export const restFilterFields = {
  ...filterFields,
  tracking_state: anyOf(z.enum(trackingStates), {
    description: 'State of tracking.',
    examples: [['failed', 'degraded']],
  }),
  tracking_reason: anyOf(z.enum(trackingReasons), {
    description: 'Why tracking is in its state.',
    examples: [['credentials_missing']],
  }),
  tracking_mode: anyOf(z.enum(trackingModes), {
    description: 'Whether Landfall polls the carrier, or your sources push the events.',
    examples: [['pushed']],
  }),
  assignee: anyOf(assigneeText, {
    description:
      'Assigned to one of these members, by id. `me`: to you, in the dashboard and its saved views; keys match no ' +
      'shipment. `none`: unassigned.',
    examples: [['user_01kahf3m2xfr5tq4d8z9w6c7yb', 'none']],
  }),
  freshness: anyOf(z.enum(freshnesses), { description: 'How current the data is.', examples: [['stale', 'never']] }),
  reference: anyOf(referenceText, {
    description: 'Your references, exact match. A reference with a comma needs double quotes: `"PO 7741, part 2"`.',
    examples: [['PO-7741']],
  }),
  tag: anyOf(tagText, {
    description: 'Has one of these tags, exact match. A tag with a comma needs double quotes.',
    examples: [['acme']],
  }),
  q: searchText.optional().meta({
    description: 'Part of an identifier, reference, carrier, vessel or place. Several words must all occur.',
    examples: ['7741'],
  }),
  metadata: z
    .record(plainText({ max: 255 }), z.array(z.string().max(4096)).min(1).max(maxValues))
    .refine((metadata) => Object.keys(metadata).length <= 5, {
      error: 'must have at most 5 keys.',
      params: { code: 'too_long' },
    })
    .optional()
    .meta({
      description: 'Your metadata, exact match by key: `metadata[buyer]=acme`. Up to 5 keys; all must match.',
      examples: [{ buyer: ['acme'] }],
    }),
  vessel: anyOf(plainText({ max: 100 }), {
    description: 'Vessel on any leg: its whole name in any case, or its IMO number.',
    examples: [['EVER GIVEN', '9811000']],
  }),
  container_status: anyOf(z.enum(statuses), {
    description: 'A container has one of these statuses.',
    examples: [['available_for_pickup']],
  }),
  origin: anyOf(placeText, { description: `Origin: ${place}`, examples: [['CNSHA']] }),
  destination: anyOf(placeText, { description: `Destination: ${place}`, examples: [['NLRTM', 'Hamburg']] }),
  departed_from: oneMoment(`Departed at or after. ${localDayAt('departed')}`, '2026-04-01'),
  departed_to: oneMoment(`Departed at or before. ${localDayAt('departed')}`, '2026-04-07'),
  delivered_from: oneMoment(`Delivered at or after. ${localDayAt('was delivered')}`, '2026-04-20'),
  delivered_to: oneMoment(`Delivered at or before. ${localDayAt('was delivered')}`, '2026-04-26'),
  ...arrivalFilterFields,
  created_from: oneMoment(`Registered at or after. ${inUtc}`, '2026-04-01'),
  created_to: oneMoment(`Registered at or before. ${inUtc} A date includes the whole day.`, '2026-04-30'),
  exception: anyOf(z.enum(exceptionCodes), {
    description: 'Has one of these exceptions open.',
    examples: [['customs_hold', 'delayed']],
  }),
  archived: z
    .enum(['false', 'true', 'any'])
    .default('false')
    .meta({ description: '`false`: without archived shipments. `true`: only those. `any`: both.', examples: ['any'] }),
} satisfies FieldsOfFilters;

/**
 * A field for each filter of the domain's table, in snake_case, with a value of the same type; 'to-shipment-filter.ts' converts
 * the others.
 */
type FieldsOfFilters = Readonly<
  Record<'status' | 'archived', z.ZodType> & {
    [Name in Exclude<FilterName, 'status' | 'archived' | 'identifier' | 'identifiers'> as SnakeCase<Name>]: z.ZodType<
      AskedValue<Name> | undefined
    >;
  }
>;

/** The name of a filter in REST. */
export function fieldOf(name: FilterName): string {
  return snakeCase(name);
}

export const sortField = z.enum(shipmentSorts).meta({
  description: 'Sort order; `-` is descending. Ties are sorted by id. Shipments without the value come last.',
  examples: ['-created_at', 'eta'],
});
export const cursorField = z
  .string()
  .min(1)
  .max(2000)
  .meta({
    description: '`next_cursor` of the previous page. Opaque, and valid only with the same filter and sort.',
    examples: ['WzEyMywiW10iXQ'],
  });
