import { z } from 'zod';
import { eventCodes } from '#shared/domain/events/event.ts';
import { transportModes } from '#shared/domain/events/transport-mode.ts';
import { lateHours } from '#shared/domain/record/lateness.ts';
import { attentionAfterHours } from '#shared/domain/record/needs-attention.ts';
import {
  etaKinds,
  freshnesses,
  statuses,
  trackingModes,
  trackingReasons,
  trackingStates,
} from '#shared/domain/record/shipment.ts';
import { instant, instantOrNull, knownValues, openEnum, textOrNull, traceKept } from '../schema-parts.ts';
import { cargoFields, wireDelivery, wirePickupPoint, wirePieces, wireReturn } from './delivery-parts.ts';
import { wireFreeTime } from './free-time-parts.ts';
import { wireAssignee } from './person-wire.ts';
import {
  delayBasis,
  delayHours,
  wireArrival,
  wireContainer,
  wireEta,
  wireException,
  wireLeg,
  wireWarning,
} from './record-parts.ts';
import {
  currentPosition,
  eventSource,
  placeOrNull,
  statusDetail,
  wireEvent,
  wireIdentifiers,
  wireTime,
  wireTimes,
} from './shipment-parts.ts';

const version = z
  .int()
  .min(1)
  .meta({ description: 'Increases with each visible change. A refresh without changes leaves it.', examples: [12] });
const statusCounts = z.record(z.string(), z.int().min(1));
const needsAttention = z.boolean();
const attentionRule =
  'Whether someone has to look at it: an open exception, failed tracking, missing or rejected credentials, a number ' +
  `that the carrier rejects or has not known for ${attentionAfterHours.unknown} hours, no response for ` +
  `${attentionAfterHours.degraded} hours, or overdue by ${lateHours} hours (a parcel: at all).`;

/** The fields that a record and a summary have in common. */
const commonFields = {
  shipment_id: z.string().meta({
    description: 'Id of the shipment: `shp_` followed by 26 characters.',
    examples: ['shp_01h455vb4pex5vsknk084sn02q'],
  }),
  transport_mode: openEnum(transportModes, 'Transport mode.'),
  carrier: z.string().meta({ description: 'Carrier code: SCAC, IATA code or slug.', examples: ['MAEU'] }),
  carrier_name: z.string().meta({ description: 'Name of the carrier.', examples: ['Maersk'] }),
  identifiers: wireIdentifiers,
  reference: textOrNull('Your reference.', 'PO-7741'),
  tags: z.array(z.string()).meta({ description: 'Your tags.', examples: [['acme']] }),
  status: openEnum(statuses, 'Where the cargo is. See `tracking` for whether it can still be tracked.'),
  status_changed_at: instantOrNull(
    'When the cargo reached the status, by the time of the deciding event. Null until an event has decided it.',
  ),
  status_detail: statusDetail,
  origin: placeOrNull('Where the main carriage begins.'),
  destination: placeOrNull('Where the main carriage ends.'),
  departure: wireTimes,
  arrival: wireArrival,
  delivery: wireDelivery,
  eta: wireEta,
  delay_hours: delayHours,
  delay_basis: delayBasis,
  overdue_hours: z
    .int()
    .min(0)
    .nullable()
    .meta({
      description:
        'Whole hours since the ETA passed without an actual arrival or delivery, at the time of reading. An ETA that ' +
        'is only a date passes with its local day. Null if it is not overdue.',
      examples: [192, null],
    }),
  late: z.boolean().meta({
    description:
      `Whether \`delay_hours\` or \`overdue_hours\` is at least ${lateHours}. A parcel is late once it is expected, or ` +
      'not delivered, past the end of the promised window, otherwise past the promised day.',
    examples: [true],
  }),
  ...cargoFields,
  free_time: wireFreeTime,
  has_exception: z.boolean().meta({ description: 'Whether an exception is open.' }),
  latest_event: wireEvent.nullable().meta({
    description:
      'Latest actual event, without documents and unknown codes after a movement. Null before the first one.',
  }),
  created_at: instant('When the shipment was registered.'),
  updated_at: instant('Time of the last visible change.'),
  archived_at: instantOrNull('When it was archived. Null if it is not.'),
  assignee: wireAssignee.nullable().meta({ description: 'The member who takes care of it. Null if nobody does.' }),
  notes_count: z
    .int()
    .min(0)
    .meta({ description: 'Number of notes.', examples: [2] }),
  version,
};

const trackingFields = {
  mode: openEnum(trackingModes, 'Whether Landfall polls the carrier, or your sources push the events.'),
  state: openEnum(trackingStates, 'State of tracking.'),
  reason: z
    .string()
    .nullable()
    .meta({
      description: `Why tracking is in this state. Null if there is nothing to report. ${knownValues(trackingReasons)}`,
      examples: trackingReasons.slice(0, 1),
    }),
  freshness: openEnum(freshnesses, 'How current the data is at the time of reading.'),
  last_succeeded_at: instantOrNull('Last successful refresh. Null before the first one.'),
  next_refresh_at: instantOrNull('When the next refresh is due. Null if none is scheduled.'),
};

const wireTracking = z
  .strictObject({
    ...trackingFields,
    stale_after_hours: z
      .int()
      .nullable()
      .meta({
        description: 'Hours without pushed events after which it is stale. Null if it is polled.',
        examples: [48],
      }),
    source: textOrNull('Source of the data. `simulator:…` for simulated carriers.', 'dcsa:maersk'),
    last_refreshed_at: instantOrNull('Last refresh, successful or not. Null before the first one.'),
    last_changed_at: instantOrNull('Last refresh that changed the record. Null before the first one.'),
    consecutive_failures: z
      .int()
      .min(0)
      .meta({ description: 'Failed refreshes since the last successful one.', examples: [0] }),
    trace_id: textOrNull('Trace of the last refresh.', '4bf92f3577b34da6a3ce929d0e0e4736'),
    trace_kept: traceKept,
  })
  .meta({ id: 'Tracking', description: 'Whether the shipment is being tracked, and how well.' });

/** The whole record of a shipment. */
export const wireShipment = z
  .strictObject({
    object: z.literal('shipment').meta({ description: 'Always `shipment`.' }),
    test: z
      .boolean()
      .meta({ description: 'Whether it was registered with a test key. Test shipments reach no carrier.' }),
    service_type: z.enum(['ltl', 'ftl']).nullable().meta({ description: 'Road shipments only, otherwise null.' }),
    destination_postal_code: textOrNull('Postal code of the consignee, which some parcel carriers require.', '3011 AA'),
    metadata: z.record(z.string(), z.string()).meta({ description: 'Your metadata.', examples: [{ buyer: 'acme' }] }),
    ...commonFields,
    status_evidence: z
      .strictObject({
        event_id: z.string().meta({ description: 'Id of the event.', examples: ['evt_01h455vb4pex5vsknk084sn02q'] }),
        code: openEnum(eventCodes, 'What happened.'),
        source: eventSource,
      })
      .nullable()
      .meta({ description: 'The event that decided the status. Null until one has.' }),
    current_location: placeOrNull('Location of the cargo after the latest event. Null while it is between two places.'),
    eta_history: z
      .array(
        z.strictObject({
          eta: wireTime,
          kind: openEnum(etaKinds, 'Whether it is the arrival, or the delivery to the door.'),
          seen_at: instant('When the carrier made the estimate, otherwise when Landfall received it.'),
          source: eventSource,
        }),
      )
      .meta({ description: 'History of the estimated arrival and delivery, oldest first.' }),
    legs: z.array(wireLeg).meta({ description: 'Legs of the journey, in order.' }),
    containers: z.array(wireContainer).meta({ description: 'Containers, sorted by number.' }),
    container_status_counts: statusCounts.meta({
      description: 'Number of containers by status.',
      examples: [{ in_transit: 2 }],
    }),
    pieces: wirePieces,
    piece_status_counts: statusCounts.meta({
      description: 'Number of pieces by status.',
      examples: [{ in_transit: 2, delivered: 1 }],
    }),
    pickup_point: wirePickupPoint,
    return: wireReturn,
    exceptions: z.array(wireException).meta({ description: 'Open and resolved exceptions, oldest first.' }),
    events_count: z
      .int()
      .min(0)
      .meta({ description: 'Number of all events, including superseded and voided ones.', examples: [14] }),
    events: z
      .array(wireEvent)
      .max(50)
      .meta({
        description:
          'At most 50 events: what happened, newest first, then open plans and estimates, soonest first, then replaced ' +
          'ones. For all events, use `…/events`.',
      }),
    current_position: currentPosition,
    tracking: wireTracking.nullable().meta({ description: 'State of tracking. Null with `as_of`.' }),
    needs_attention: needsAttention.nullable().meta({ description: `${attentionRule} Null with \`as_of\`.` }),
    warnings: z.array(wireWarning).meta({ description: 'Warnings about your input.' }),
    as_of: instantOrNull('The requested moment in the past. Null for the current record.'),
  })
  .meta({ description: 'The full record of a shipment. Every field is always present; unknown values are null.' });

/** One row of a list. */
export const wireSummary = z
  .strictObject({
    ...commonFields,
    needs_attention: needsAttention.meta({ description: attentionRule }),
    tracking: z.strictObject(trackingFields).meta({ id: 'TrackingSummary', description: 'State of tracking.' }),
  })
  .meta({ description: 'A shipment as a row of a list.' });

export type WireShipment = z.infer<typeof wireShipment>;
export type WireSummary = z.infer<typeof wireSummary>;
