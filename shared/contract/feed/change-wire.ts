import { z } from 'zod';
import type { Change, ShipmentChanges, ShipmentSnapshot } from '#shared/domain/feed/change.ts';
import { changeTypes } from '#shared/domain/feed/change-types.ts';
import { freshnesses, statuses, trackingReasons, trackingStates } from '#shared/domain/shipments/shipment.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { toWireException, toWireIdentifiers, toWireSummary, toWireTime } from '../shipments/shipment-wire.ts';
import { instant, openEnum, timeOrNull, wireIdentifiers } from '../wire-parts.ts';
import { wireException, wireSummary } from '../wire-schemas.ts';

function oldAndNew<Value extends z.ZodType>(value: Value, description: string) {
  return z.tuple([value, value]).optional().meta({ description });
}

/** Only the fields that a change is about are there. */
export const wireChanges = z
  .strictObject({
    status: oldAndNew(openEnum(statuses, 'Where the cargo is.').nullable(), 'The status; null before the first one.'),
    eta: oldAndNew(
      timeOrNull('A time of arrival.'),
      'The expected arrival: `arrival.estimated`, else `arrival.planned`; where no arrival is told, as for parcels, `delivery.estimated`.',
    ),
    events_count: oldAndNew(z.int().min(0), 'The number of events.'),
    containers: oldAndNew(z.array(z.string()), 'The numbers of the containers.'),
    exception: oldAndNew(
      wireException.nullable(),
      'The exception; null before it was opened, and as its new value when the event behind it was taken back.',
    ),
    tracking_state: oldAndNew(openEnum(trackingStates, 'Whether the shipment is being followed.'), '`tracking.state`.'),
    tracking_reason: oldAndNew(
      openEnum(trackingReasons, 'Why it is not simply being followed.').nullable(),
      '`tracking.reason`.',
    ),
    freshness: oldAndNew(openEnum(freshnesses, 'How current the record is.'), '`tracking.freshness`.'),
    identifiers: oldAndNew(wireIdentifiers, 'All identifiers.'),
    carrier: oldAndNew(z.string(), 'The carrier’s code.'),
    reference: oldAndNew(z.string().nullable(), 'Your reference.'),
    tags: oldAndNew(z.array(z.string()), 'Your tags.'),
    metadata: oldAndNew(z.record(z.string(), z.string()), 'Your metadata.'),
    destination_postal_code: oldAndNew(z.string().nullable(), 'The destination’s postal code.'),
    archived: oldAndNew(z.boolean(), 'Whether it is archived.'),
  })
  .meta({
    description:
      'The fields that the change is about, each with its old and its new value; empty when it is about other fields of the record.',
    examples: [{ status: ['booked', 'in_transit'] }],
  });

/** One change, the same in the feed and in a webhook. */
export const wireChange = z.strictObject({
  id: z.string().meta({ description: '`chg_` and 26 characters.', examples: ['chg_01kahf3m2xfr5tq4d8z9w6c7yb'] }),
  position: z.int().meta({
    description: 'Its place in the feed. Rises from change to change; numbers in between belong to other accounts.',
    examples: [4711],
  }),
  type: openEnum(changeTypes, 'What happened.'),
  created_at: instant('When it happened.'),
  data: z
    .strictObject({
      shipment: wireSummary.meta({ description: 'The shipment right after the change, as in the list.' }),
      changes: wireChanges,
    })
    .meta({ description: 'What happened to which shipment.' }),
  traceparent: z
    .string()
    .nullable()
    .meta({
      description: 'W3C trace context of what caused the change.',
      examples: ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
    }),
});

/** One answer of the feed. */
export const wireChangeList = z.strictObject({
  data: z.array(wireChange).meta({ description: 'In the order of the feed.' }),
  page: z
    .strictObject({
      limit: z.int().meta({ description: 'The most changes in one answer.', examples: [100] }),
      has_more: z
        .boolean()
        .meta({ description: 'True: there are more right now, ask again at once.', examples: [false] }),
      next_after: z
        .int()
        .meta({ description: 'Send it as `after` to read on; nothing that matches is skipped.', examples: [4711] }),
      oldest_position: z.int().meta({ description: 'The feed is kept from this position on.', examples: [1200] }),
      latest_position: z.int().meta({ description: 'The last position given so far.', examples: [4711] }),
      gap: z.boolean().meta({
        description:
          'True: changes between `after` and `oldest_position` are no longer kept. Read the shipments anew with the list.',
        examples: [false],
      }),
    })
    .meta({ description: 'How to read on.' }),
  as_of: instant('When this was read.'),
});

export type WireChange = z.infer<typeof wireChange>;
export type WireChanges = z.infer<typeof wireChanges>;
export type WireChangeList = z.infer<typeof wireChangeList>;

export function toWireChange(change: Change): WireChange {
  const { shipment, changes } = change.data;
  return {
    id: encodeTypeId('chg', change.id),
    position: change.position,
    type: change.type,
    created_at: change.createdAt,
    data: { shipment: toWireSummary(shipment), changes: toWireChanges(changes, shipment) },
    traceparent: change.traceparent,
  };
}

/** What `listChanges` of the core gives. */
export type ChangePage = {
  changes: Change[];
  limit: number;
  hasMore: boolean;
  nextAfter: number;
  oldestPosition: number;
  latestPosition: number;
  gap: boolean;
  asOf: string;
};

export function toWireChangeList(page: ChangePage): WireChangeList {
  return {
    data: page.changes.map(toWireChange),
    page: {
      limit: page.limit,
      has_more: page.hasMore,
      next_after: page.nextAfter,
      oldest_position: page.oldestPosition,
      latest_position: page.latestPosition,
      gap: page.gap,
    },
    as_of: page.asOf,
  };
}

function toWireChanges(changes: ShipmentChanges, { transportMode }: ShipmentSnapshot): WireChanges {
  const {
    eventsCount,
    trackingState,
    trackingReason,
    destinationPostalCode,
    eta,
    exception,
    identifiers,
    ...sameOnBothSides
  } = changes;
  return {
    ...sameOnBothSides,
    ...(eventsCount && { events_count: eventsCount }),
    ...(trackingState && { tracking_state: trackingState }),
    ...(trackingReason && { tracking_reason: trackingReason }),
    ...(destinationPostalCode && { destination_postal_code: destinationPostalCode }),
    ...(eta && { eta: both(eta, toWireTime) }),
    ...(exception && { exception: both(exception, (one) => one && toWireException(one)) }),
    ...(identifiers && {
      identifiers: both(identifiers, (one) => toWireIdentifiers({ transportMode, identifiers: one })),
    }),
  };
}

function both<Value, Wire>([before, after]: [Value, Value], toWire: (value: Value) => Wire): [Wire, Wire] {
  return [toWire(before), toWire(after)];
}
