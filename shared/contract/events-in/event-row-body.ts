import { z } from 'zod';
import { allClassifiers, eventCodes } from '#shared/domain/events/event.ts';
import {
  clockKinds,
  freeDayAuthorities,
  holdStatuses,
  holdTypes,
  isBelievableDay,
} from '#shared/domain/events/stated-free-time.ts';
import { transportModes } from '#shared/domain/events/transport-mode.ts';
import { maxEventRows, maxShipmentEventRows } from '#shared/domain/events-in/event-row.ts';
import { identifierKeys } from '#shared/domain/record/shipment.ts';
import { plainText } from '../input/plain-text.ts';

const maxStatements = 20;

const lat = z
  .number()
  .min(-90)
  .max(90)
  .meta({ description: 'Latitude in degrees (WGS 84).', examples: [41.85] });
const lng = z
  .number()
  .min(-180)
  .max(180)
  .meta({ description: 'Longitude in degrees (WGS 84).', examples: [-87.65] });
const code = (max: number, description: string, example: string) =>
  plainText({ max })
    .nullish()
    .meta({ description, examples: [example] });
const withOffset = (description: string) =>
  plainText({ max: 40 }).meta({
    description: `${description} ISO 8601 with an offset.`,
    examples: ['2026-04-15T08:00:00-05:00'],
  });
const day = z.iso
  .date()
  .refine(isBelievableDay, { error: 'must be a date from 1970 to 2999.' })
  .meta({ description: 'Calendar day at the terminal.', examples: ['2026-04-18'] });

const time = z.union([
  z.strictObject({ at: withOffset('The instant.') }),
  z.strictObject({
    local: plainText({ max: 40 }).meta({
      description: 'Local time without an offset, or a date.',
      examples: ['2026-04-15T08:00', '2026-04-15'],
    }),
    timezone: code(64, 'IANA time zone of `local`. Default: that of the location.', 'America/Chicago'),
  }),
]);

const location = z.strictObject({
  unlocode: code(6, 'UN/LOCODE, 5 characters. It must exist.', 'USCHI'),
  iata: code(4, 'IATA code of an airport. It must be known.', 'ORD'),
  name: code(200, 'Name of the place. Kept as it is.', 'Chicago'),
  country: code(3, 'ISO 3166-1 country code.', 'US'),
  lat: lat.nullish(),
  lng: lng.nullish(),
  facility: code(200, 'Terminal, ramp, depot or yard.', 'Corwith Ramp'),
});

const vehicle = z.strictObject({
  name: code(100, 'Name of the vessel, train or truck.', 'Truck 7'),
  imo: z
    .string()
    .refine((imo) => /^\d{7}$/.test(imo), { error: 'must have 7 digits.', params: { code: 'invalid_format' } })
    .nullish()
    .meta({ description: 'IMO number of the vessel.', examples: ['9811000'] }),
  voyage: code(50, 'Voyage or train number.', 'Q-CHILAX'),
  flight: code(20, 'Flight number.', 'KL0895'),
  position: z
    .strictObject({ lat, lng, at: withOffset('When it was there. Default: the time of the event.').nullish() })
    .nullish()
    .meta({ description: 'Where the vehicle was.' }),
});

const hold = z.strictObject({
  type: z.enum(holdTypes).meta({ description: 'Who holds the container, or why.', examples: ['customs'] }),
  status: z.enum(holdStatuses).meta({ description: 'Whether it is held.', examples: ['active'] }),
  detail: code(500, 'The reason in your words.', 'Documents missing'),
});

const fee = z.strictObject({
  type: plainText({ max: 100 }).meta({ description: 'Kind of fee.', examples: ['Demurrage'] }),
  amount: z
    .number()
    .min(0)
    .max(1e12)
    .meta({ description: 'In units of the currency.', examples: [150] }),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .meta({ description: 'ISO 4217 code.', examples: ['USD'] }),
});

const freeDay = z.strictObject({
  by: z.enum(freeDayAuthorities).meta({ description: 'Who states it.', examples: ['terminal'] }),
  kind: z
    .enum(clockKinds)
    .default('demurrage')
    .meta({ description: 'Kind of free time. Default: demurrage.', examples: ['demurrage'] }),
  day,
});

const list = <Item extends z.ZodType>(item: Item, description: string) =>
  z.array(item).max(maxStatements).nullish().meta({ description });

/** One event of a source, as the document shows it. */
const rowFields = {
  source_name: z
    .string()
    .trim()
    .toLowerCase()
    .refine((name) => /^[a-z0-9][a-z0-9._-]{0,63}$/.test(name), {
      error: 'must have 1 to 64 letters, digits, dots, underscores or hyphens, and begin with a letter or digit.',
      params: { code: 'invalid_format' },
    })
    .meta({
      description:
        'Name of the source: 1 to 64 letters, digits, dots, underscores or hyphens. Kept in lower case. The event’s ' +
        '`source` is `client:` and this name.',
      examples: ['acme-rail'],
    }),
  external_id: code(
    200,
    'Your id of the event. The same id with other content replaces the source’s earlier statement. Without it, the ' +
      'content is the identity.',
    'mv-4711-3',
  ),
  created_at: withOffset(
    'When the source made this statement. Of two versions of an event, and of two estimates, the later one counts, ' +
      'whichever arrives first. Default: the order of arrival.',
  ).nullish(),
  code: z
    .enum(eventCodes)
    .nullish()
    .meta({
      description: 'Kind of event. Optional if the row has holds, fees, last free days, availability or a position.',
      examples: ['rail_departed'],
    }),
  classifier: z
    .enum(allClassifiers)
    .default('actual')
    .meta({ description: 'Whether it happened, is estimated or is planned. Default: actual.', examples: ['actual'] }),
  time: time.nullish().meta({ description: 'Time of the event. Required unless the row has nothing but a position.' }),
  location: location.nullish().meta({ description: 'Where.' }),
  container: code(20, 'The container that the event is about. Absent: the whole shipment.', 'CSQU3054383'),
  piece: code(100, 'Tracking number of the piece that the event is about.', '1Z12345E0205271688'),
  transport_mode: z
    .enum(transportModes)
    .nullish()
    .meta({ description: 'Mode of the leg, if it is not that of the shipment.', examples: ['rail'] }),
  vehicle: vehicle.nullish().meta({ description: 'The vessel, train, truck or flight.' }),
  holds: list(hold, 'Holds of the container. One that is not named stays as it was.'),
  last_free_days: list(freeDay, 'Last free days of the container, as a line or terminal states them.'),
  fees: list(fee, 'Fees of the container.'),
  available: z
    .boolean()
    .nullish()
    .meta({ description: 'Whether the container can be collected.', examples: [true] }),
  description: code(1000, 'Description in your words.', 'Departed Corwith Ramp'),
};

export const shipmentEventRow = z
  .strictObject(rowFields)
  .meta({ id: 'PushedEvent', description: 'An event that one of your sources pushes.' });

const numberFields = Object.fromEntries(
  identifierKeys.map(
    (key) =>
      [
        key,
        plainText({ max: 120 })
          .optional()
          .meta({ description: `Only shipments with this \`${key}\`, written as in a registration.` }),
      ] as const,
  ),
) as Record<(typeof identifierKeys)[number], z.ZodOptional<z.ZodString>>;

const target = z.strictObject({
  id: z
    .string()
    .optional()
    .meta({ description: 'Id of the shipment.', examples: ['shp_01kahf3m2xfr5tq4d8z9w6c7yb'] }),
  ...numberFields,
  carrier: plainText({ max: 64 })
    .optional()
    .meta({ description: 'Only shipments of this carrier.', examples: ['BNSF'] }),
  transport_mode: z
    .enum(transportModes)
    .optional()
    .meta({ description: 'Only shipments of this mode.', examples: ['rail'] }),
});

export const batchEventRow = z
  .strictObject({
    shipment: target.nullish().meta({
      description:
        'The shipment: its `id`, or its numbers, such as `container`. The row goes to every open shipment of the ' +
        'account that has all of them, at most 20.',
      examples: [{ container: 'CSQU3054383' }],
    }),
    reference: code(
      255,
      'Your reference of the shipment, in place of `shipment`. The row goes to the shipment whose `reference` it is ' +
        'and, unless that one is open, to every open one that has it in `references`, at most 20.',
      'PO-7741',
    ),
    ...rowFields,
  })
  .meta({ id: 'PushedBatchEvent', description: 'An event that one of your sources pushes, and its shipment.' });

export const shipmentEventsBody = z.strictObject({
  events: z
    .array(shipmentEventRow)
    .min(1)
    .max(maxShipmentEventRows)
    .meta({ description: `1 to ${maxShipmentEventRows} events of the shipment.` }),
});

export const batchEventsBody = z.strictObject({
  events: z
    .array(batchEventRow)
    .min(1)
    .max(maxEventRows)
    .meta({ description: `1 to ${maxEventRows.toLocaleString('en')} events, each with its shipment.` }),
});
