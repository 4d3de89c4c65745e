import type { ConnectorCode } from '#shared/domain/carriers/carrier-catalogue.ts';
import { edit, type Fields, isFields } from '../edit-json.ts';
import { differences, type Vary } from '../read-varied.ts';
import type { Relation } from '../relation.ts';
import type { Shape } from '../shapes.ts';

/** A parcel that had the number more than a year before: its pickup and its delivery. */
const earlier: Readonly<Partial<Record<ConnectorCode, readonly Fields[]>>> = {
  dhl: [
    { timestamp: '2025-01-10T12:00:00+01:00', statusCode: 'delivered', status: 'delivered', description: 'Delivered' },
    { timestamp: '2025-01-08T12:00:00+01:00', statusCode: 'transit', status: 'transit', description: 'Picked up' },
  ],
  fedex: [
    { date: '2025-01-10T12:00:00-05:00', eventType: 'DL', eventDescription: 'Delivered', derivedStatusCode: 'DL' },
    { date: '2025-01-08T12:00:00-05:00', eventType: 'PU', eventDescription: 'Picked up', derivedStatusCode: 'PU' },
  ],
  gls: [
    { eventDateTime: '2025-01-10T12:00:00+0100', code: 'DELIVD.NORMAL', description: 'The parcel has been delivered.' },
    {
      eventDateTime: '2025-01-08T12:00:00+0100',
      code: 'INTIAL.NORMAL',
      description: 'The parcel was handed over to GLS.',
    },
  ],
  ups: [
    { date: '20250110', time: '120000', status: { type: 'D', statusCode: '011', description: 'DELIVERED' } },
    { date: '20250108', time: '120000', status: { type: 'P', statusCode: '038', description: 'Pickup Scan' } },
  ],
  usps: [
    { eventTimestamp: '2025-01-10T12:00:00', GMTOffset: '-05:00', eventCode: '01', eventType: 'Delivered' },
    {
      eventTimestamp: '2025-01-08T12:00:00',
      GMTOffset: '-05:00',
      eventCode: '03',
      eventType: 'Accepted at USPS Origin Facility',
    },
  ],
};

/** Carriers give their numbers out again, and may list both uses. */
export const useRelations: readonly Relation[] = [
  {
    name: 'an older finished shipment of the number',
    holds: 'the record is the same, before the list and after it',
    variants: ({ connector }, shape) => {
      const { [connector]: events } = earlier;
      const { uses } = shape;
      if (events === undefined || uses === null) return [];
      return [asUse(uses, shape, events, 'first'), asUse(uses, shape, events, 'last')];
    },
    violations: (before, after) => differences(before, after),
  },
  {
    name: 'events of an older finished shipment of the number in the list',
    holds: 'the record is the same, before the events and after them',
    variants: ({ connector }, shape) => {
      const { [connector]: events } = earlier;
      return events === undefined ? [] : [asEvents(shape, events, 'first'), asEvents(shape, events, 'last')];
    },
    violations: (before, after) => differences(before, after),
  },
];

type Position = 'first' | 'last';

function asUse(path: string, shape: Shape, events: readonly Fields[], position: Position): Vary {
  return (body) =>
    edit(body, path, (uses) => {
      if (!Array.isArray(uses) || uses.length !== 1 || !isFields(uses[0])) return uses;
      const older = shape.events.reduce((use, at) => withList(use, within(at, path), events), numbersOf(uses[0]));
      return position === 'first' ? [older, ...uses] : [...uses, older];
    });
}

const numbers = [
  ...['id', 'service', 'inquiryNumber', 'package', 'trackingNumber', 'trackingNumberInfo', 'carrierCode'],
  ...['trackingNumberUniqueId', 'requested', 'unitno'],
];

/** The numbers of a shipment, without the ids by which the carrier distinguishes two uses. */
function numbersOf(use: Fields): unknown {
  const bare = JSON.stringify(use, (key, value: unknown) =>
    key === '' || /^\d+$/.test(key) || numbers.includes(key) ? value : undefined,
  );
  return JSON.parse(bare.replaceAll(/"\d{10}~/g, '"2400001000~'));
}

function withList(use: unknown, path: string, events: readonly Fields[]): unknown {
  const steps = path.split('.');
  const name = steps.at(-1) ?? '';
  return edit(use, steps.slice(0, -1).join('.'), (holder) =>
    isFields(holder) ? { ...holder, [name]: [...events] } : holder,
  );
}

/** The path below an item of a list. */
function within(path: string, list: string): string {
  return path.slice(`${list}[].`.length);
}

function asEvents(shape: Shape, events: readonly Fields[], position: Position): Vary {
  return (body) =>
    shape.events.reduce(
      (changed, path) =>
        edit(changed, path, (list) => {
          if (!Array.isArray(list) || list.length === 0) return list;
          return position === 'first' ? [...events, ...list] : [...list, ...events];
        }),
      body,
    );
}
