import { z } from 'zod';
import {
  type Change,
  type EndpointChangeData,
  maxAddedEvents,
  type ShipmentChange,
  type ShipmentChanges,
  type ShipmentSnapshot,
} from '#shared/domain/feed/change.ts';
import { changeTypes, disabledReasons } from '#shared/domain/feed/change-types.ts';
import { type SnakeCase, snakeCase } from '#shared/domain/fold-text.ts';
import { clockStates } from '#shared/domain/record/free-time.ts';
import { freshnesses, statuses, trackingReasons, trackingStates } from '#shared/domain/record/shipment.ts';
import { type StatedName, statedNames } from '#shared/domain/record/stated-fields.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { manualFreeDay } from '../free-time/manual-free-days.ts';
import { toWireChangedNote, wireChangedNote } from '../notes/note-wire.ts';
import { toWireEvent, toWireException, toWireTime } from '../record/event-wire.ts';
import { toWireIdentifiers } from '../record/part-wire.ts';
import { toWireAssignee, wireAssignee } from '../record/person-wire.ts';
import { wireException } from '../record/record-parts.ts';
import { timeOrNull, wireEvent, wireIdentifiers } from '../record/shipment-parts.ts';
import { wireSummary } from '../record/shipment-schemas.ts';
import { toWireSummary } from '../record/shipment-wire.ts';
import { statedShape } from '../record/stated-inputs.ts';
import { instant, oldAndNew, openEnum, textOrNull } from '../schema-parts.ts';

/** Only the changed fields are present. */
export const wireChanges = z
  .strictObject({
    status: oldAndNew(openEnum(statuses, 'Where the cargo is.').nullable(), 'The status. Null before the first one.'),
    eta: oldAndNew(timeOrNull('Expected arrival.'), 'The time of `eta`.'),
    events_count: oldAndNew(z.int().min(0), 'Number of events.'),
    containers: oldAndNew(z.array(z.string()), 'Container numbers.'),
    exception: oldAndNew(
      wireException.nullable(),
      'The exception. Null before it was opened, and as the new value if its event was voided.',
    ),
    tracking_state: oldAndNew(openEnum(trackingStates, 'State of tracking.'), '`tracking.state`.'),
    tracking_reason: oldAndNew(openEnum(trackingReasons, 'Reason for the state.').nullable(), '`tracking.reason`.'),
    freshness: oldAndNew(openEnum(freshnesses, 'How current the data is.'), '`tracking.freshness`.'),
    overdue_hours: oldAndNew(z.int().min(0).nullable(), 'Whole hours since the ETA passed. Null before.'),
    identifiers: oldAndNew(wireIdentifiers, 'All identifiers.'),
    carrier: oldAndNew(z.string(), 'Carrier code.'),
    ...statedShape('change'),
    archived: oldAndNew(z.boolean(), 'Whether it is archived.'),
    free_time: oldAndNew(
      openEnum(clockStates, 'The most urgent state of a clock.').nullable(),
      'The most urgent state of its clocks. Null without containers.',
    ),
    last_free_day: oldAndNew(z.iso.date().nullable(), 'The earliest last free day. Null: no open clock has one.'),
    last_free_days: oldAndNew(z.array(manualFreeDay), 'The last free days that you set.'),
    assignee: oldAndNew(wireAssignee.nullable(), 'Member to whom it is assigned. Null: unassigned.'),
    notes_count: oldAndNew(z.int().min(0), 'Number of notes.'),
    needs_attention: oldAndNew(z.boolean(), '`needs_attention`, when time alone has changed it.'),
  })
  .meta({
    description:
      'The changed fields, each with its old and new value. Empty if the change is about other fields of the record.',
    examples: [{ status: ['booked', 'in_transit'] }],
  });

const shipmentData = z
  .strictObject({
    shipment: wireSummary.meta({ description: 'The shipment after the change, as in the list.' }),
    changes: wireChanges,
    events: z
      .array(wireEvent)
      .max(maxAddedEvents)
      .optional()
      .meta({
        description:
          `With \`shipment.event_added\`: the new events, at most ${maxAddedEvents}: past events, newest first, then ` +
          'plans and estimates, soonest first.',
      }),
    more: z
      .int()
      .min(0)
      .optional()
      .meta({
        description: 'With `shipment.event_added`: number of further new events. Read them with `…/events`.',
        examples: [0],
      }),
    note: wireChangedNote.optional(),
  })
  .meta({ description: 'The shipment and its changes.' });

const endpointData = z
  .strictObject({
    webhook_endpoint: z
      .strictObject({
        webhook_endpoint_id: z
          .string()
          .meta({ description: 'Id of the endpoint.', examples: ['whe_01kahf3m2xfr5tq4d8z9w6c7yb'] }),
        url: z.string().meta({ description: 'Its address.', examples: ['https://example.com/hooks/landfall'] }),
        description: textOrNull('Your description.', 'Warehouse system'),
        reason: openEnum(disabledReasons, 'Why it was disabled.', ['failing']),
      })
      .meta({ description: 'The endpoint.' }),
  })
  .meta({ description: 'With `webhook.disabled`: the endpoint. There is no shipment.' });

/** One change, the same in the feed and in a webhook. */
export const wireChange = z.strictObject({
  id: z.string().meta({
    description: 'Id of the change: `chg_` followed by 26 characters.',
    examples: ['chg_01kahf3m2xfr5tq4d8z9w6c7yb'],
  }),
  position: z.int().meta({
    description: 'Position in the account’s feed. Increases with each change, with gaps.',
    examples: [4711],
  }),
  type: openEnum(changeTypes, 'What happened.'),
  created_at: instant('When the change happened.'),
  data: z.union([shipmentData, endpointData]).meta({ description: 'The changed shipment or, by `type`, endpoint.' }),
  traceparent: z
    .string()
    .nullable()
    .meta({
      description: 'W3C trace context of the operation that caused the change.',
      examples: ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
    }),
});

/** One page of the feed. */
export const wireChangeList = z.strictObject({
  data: z.array(wireChange).meta({ description: 'The changes, in order.' }),
  page: z
    .strictObject({
      limit: z.int().meta({ description: 'Page size.', examples: [100] }),
      has_more: z.boolean().meta({ description: 'Whether more changes are available now.', examples: [false] }),
      next_after: z.int().meta({ description: '`after` of the next request.', examples: [4711] }),
      oldest_position: z.int().meta({ description: 'Oldest position that is still kept.', examples: [1200] }),
      latest_position: z.int().meta({ description: 'Latest position of the feed.', examples: [4711] }),
      gap: z.boolean().meta({
        description:
          'Whether changes are missing: those between `after` and `oldest_position` are no longer kept, or one of ' +
          'the page can’t be decoded. If true, read the shipments again with the list.',
        examples: [false],
      }),
    })
    .meta({ description: 'Pagination.' }),
  as_of: instant('When the page was read.'),
});

export type WireChange = z.infer<typeof wireChange>;
export type WireChanges = z.infer<typeof wireChanges>;
export type WireChangeList = z.infer<typeof wireChangeList>;

/** A change of a shipment. */
export type WireShipmentChange = WireChange & { data: z.infer<typeof shipmentData> };

export function toWireChange(change: ShipmentChange): WireShipmentChange;
export function toWireChange(change: Change): WireChange;
export function toWireChange(change: Change): WireChange {
  return {
    id: toChangeId(change.id),
    position: change.sequence,
    type: change.type,
    created_at: change.createdAt,
    data: change.type === 'webhook.disabled' ? toEndpointData(change.data) : toShipmentData(change.data),
    traceparent: change.traceparent,
  };
}

/** The public id of a change. It is the `webhook-id` of its deliveries. */
export function toChangeId(uuid: string): string {
  return encodeTypeId('chg', uuid);
}

function toShipmentData({ shipment, changes, added, note }: ShipmentChange['data']) {
  return {
    shipment: toWireSummary(shipment),
    changes: toWireChanges(changes, shipment),
    ...(added && { events: added.events.map(toWireEvent), more: added.more }),
    ...(note && { note: toWireChangedNote(note) }),
  };
}

function toEndpointData({ webhookEndpoint }: EndpointChangeData) {
  const { id, url, description, reason } = webhookEndpoint;
  return { webhook_endpoint: { webhook_endpoint_id: encodeTypeId('whe', id), url, description, reason } };
}

/** One page, as `listChanges` of the core returns it. */
export type ChangePage = {
  changes: Change[];
  limit: number;
  hasMore: boolean;
  nextAfter: number;
  oldestSequence: number;
  latestSequence: number;
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
      oldest_position: page.oldestSequence,
      latest_position: page.latestSequence,
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
    overdueHours,
    eta,
    exception,
    identifiers,
    needsAttention,
    freeTime,
    lastFreeDay,
    manualFreeDays,
    assignee,
    notesCount,
    ...others
  } = changes;
  const { renamed, sameOnBothSides } = byName(others);
  return {
    ...sameOnBothSides,
    ...(eventsCount && { events_count: eventsCount }),
    ...(trackingState && { tracking_state: trackingState }),
    ...(trackingReason && { tracking_reason: trackingReason }),
    ...renamed,
    ...(overdueHours && { overdue_hours: overdueHours }),
    ...(needsAttention && { needs_attention: needsAttention }),
    ...(freeTime && { free_time: freeTime }),
    ...(lastFreeDay && { last_free_day: lastFreeDay }),
    ...(manualFreeDays && { last_free_days: manualFreeDays }),
    ...(assignee && { assignee: both(assignee, toWireAssignee) }),
    ...(notesCount && { notes_count: notesCount }),
    ...(eta && { eta: both(eta, toWireTime) }),
    ...(exception && { exception: both(exception, (one) => one && toWireException(one)) }),
    ...(identifiers && {
      identifiers: both(identifiers, (one) => toWireIdentifiers({ transportMode, identifiers: one })),
    }),
  };
}

/** The stated fields that have another name on the wire, and what has the same. */
function byName<Changed extends ShipmentChanges>(changed: Changed) {
  const entries = Object.entries(changed);
  const isRenamed = (name: string) => renamedFields.some((one) => one === name);
  return {
    renamed: Object.fromEntries(
      entries.flatMap(([name, value]) => (isRenamed(name) ? [[snakeCase(name), value]] : [])),
    ),
    sameOnBothSides: Object.fromEntries(entries.filter(([name]) => !isRenamed(name))) as Omit<Changed, RenamedField>,
  };
}

const renamedFields = statedNames.filter((name) => snakeCase(name) !== name) as RenamedField[];
type RenamedField = { [Name in StatedName]: SnakeCase<Name> extends Name ? never : Name }[StatedName];

function both<Value, Wire>([before, after]: [Value, Value], toWire: (value: Value) => Wire): [Wire, Wire] {
  return [toWire(before), toWire(after)];
}
