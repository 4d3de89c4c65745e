import { z } from 'zod';
import { attentionAfterHours } from '#shared/domain/shipments/needs-attention.ts';
import {
  exceptionCodes,
  freshnesses,
  statuses,
  trackingReasons,
  trackingStates,
} from '#shared/domain/shipments/shipment.ts';
import { transportModes } from '#shared/domain/shipments/transport-mode.ts';
import { eventCodes } from '#shared/domain/tracking/event.ts';
import { instant, instantOrNull, knownValues, openEnum, textOrNull } from '../schema-parts.ts';
import {
  placeOrNull,
  timeOrNull,
  vehicleOrNull,
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
const delayHours = z
  .number()
  .nullable()
  .meta({
    description:
      'Whole hours between the first estimate and the actual or expected arrival. Negative if early, null without an ' +
      'estimate.',
    examples: [31],
  });

const needsAttention = z.boolean();
const attentionRule =
  'Whether someone has to look at it: an open exception, failed tracking, missing or rejected credentials, a number ' +
  `that the carrier rejects or has not known for ${attentionAfterHours.unknown} hours, or no response for ` +
  `${attentionAfterHours.degraded} hours.`;

const wireArrival = wireTimes
  .extend({
    original_estimated: timeOrNull('First estimate that Landfall received.'),
    delay_hours: delayHours,
    eta_source: z
      .string()
      .nullable()
      .meta({
        description: 'Source of the estimate. Null without an estimate. More values may be added.',
        examples: ['carrier'],
      }),
  })
  .meta({ id: 'Arrival', description: 'Arrival at the final port, airport, ramp or terminal.' });

/** The fields that a record and a summary have in common. */
const commonFields = {
  shipment_id: z.string().meta({
    description: 'Id of the shipment: `shp_` followed by 26 characters.',
    examples: ['shp_01h455vb4pex5vsknk084sn02q'],
  }),
  transport_mode: openEnum(transportModes, 'Transport mode.'),
  carrier: z.string().meta({ description: 'Carrier code: SCAC, IATA code or slug.', examples: ['MAEU'] }),
  identifiers: wireIdentifiers,
  reference: textOrNull('Your reference.', 'PO-7741'),
  tags: z.array(z.string()).meta({ description: 'Your tags.', examples: [['acme']] }),
  status: openEnum(statuses, 'Where the cargo is. See `tracking` for whether it can still be tracked.'),
  status_changed_at: instantOrNull(
    'When the cargo reached the status, by the time of the deciding event. Null until an event has decided it.',
  ),
  origin: placeOrNull('Where the main carriage begins.'),
  destination: placeOrNull('Where the main carriage ends.'),
  departure: wireTimes,
  arrival: wireArrival,
  has_exception: z.boolean().meta({ description: 'Whether an exception is open.' }),
  latest_event: wireEvent.nullable().meta({
    description:
      'Latest actual event, without documents and unknown codes after a movement. Null before the first one.',
  }),
  created_at: instant('When the shipment was registered.'),
  updated_at: instant('Time of the last visible change.'),
  archived_at: instantOrNull('When it was archived. Null if it is not.'),
  version,
};

const trackingFields = {
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
    source: textOrNull('Source of the data. `simulator:…` for simulated carriers.', 'dcsa:maersk'),
    last_refreshed_at: instantOrNull('Last refresh, successful or not. Null before the first one.'),
    last_changed_at: instantOrNull('Last refresh that changed the record. Null before the first one.'),
    consecutive_failures: z
      .int()
      .min(0)
      .meta({ description: 'Failed refreshes since the last successful one.', examples: [0] }),
    trace_id: textOrNull('Trace of the last refresh.', '4bf92f3577b34da6a3ce929d0e0e4736'),
  })
  .meta({ id: 'Tracking', description: 'Whether the shipment is being tracked, and how well.' });

const wireLeg = z
  .strictObject({
    sequence: z
      .int()
      .min(1)
      .meta({ description: 'Position in the journey, from 1.', examples: [1] }),
    mode: openEnum(transportModes, 'Transport mode of the leg.'),
    from: placeOrNull('Where the leg begins.'),
    to: placeOrNull('Where the leg ends.'),
    vehicle: vehicleOrNull('The vessel or flight of the leg.'),
    departure: wireTimes,
    arrival: wireTimes,
  })
  .meta({ id: 'Leg', description: 'Part of the journey between two stops.' });

const wireContainer = z
  .strictObject({
    number: z.string().meta({ description: 'Container number.', examples: ['CSQU3054383'] }),
    iso_type: textOrNull('ISO 6346 size and type code.', '45G1'),
    status: openEnum(statuses, 'Where the container is.'),
    seals: z.array(z.string()).meta({ description: 'Seal numbers.', examples: [['SL1234567']] }),
    holds: z
      .array(openEnum(['customs_hold', 'carrier_hold', 'terminal_hold', 'freight_hold'], 'An open hold.'))
      .meta({ description: 'Open holds on the container.', examples: [['customs_hold']] }),
    last_free_day: z
      .string()
      .nullable()
      .meta({
        description: 'Last day without demurrage charges, as a local date. Null if unknown.',
        examples: ['2026-05-02'],
      }),
  })
  .meta({ id: 'Container', description: 'A container of the shipment, given by you or reported by the carrier.' });

export const wireException = z
  .strictObject({
    code: openEnum(exceptionCodes, 'Type of exception.'),
    severity: openEnum(['info', 'warning', 'critical'], 'Severity.'),
    message: z
      .string()
      .meta({ description: 'Message of the carrier, otherwise a default one.', examples: ['Held by customs'] }),
    opened_at: instant('When it was opened, by the time of the event.'),
    resolved_at: instantOrNull('When it was resolved, by the time of the event. Null while it is open.'),
    event_id: z
      .string()
      .meta({ description: 'The event that opened it.', examples: ['evt_01h455vb4pex5vsknk084sn02q'] }),
  })
  .meta({
    id: 'Exception',
    description: 'A problem that holds up the cargo. It does not change `status`, because the cargo has not moved.',
  });

const wireWarning = z
  .strictObject({
    code: z
      .string()
      .meta({ description: 'Type of warning. More values may be added.', examples: ['check_digit_mismatch'] }),
    field: z.string().meta({ description: 'The field it is about.', examples: ['identifiers.container'] }),
    detail: z.string().meta({ description: 'Explanation of the warning.' }),
    expected: textOrNull('The expected value.', '3'),
  })
  .meta({ id: 'Warning', description: 'Something unusual in your input. The input was accepted.' });

/** The whole record of a shipment. */
export const wireShipment = z
  .strictObject({
    object: z.literal('shipment').meta({ description: 'Always `shipment`.' }),
    test: z
      .boolean()
      .meta({ description: 'Whether it was registered with a test key. Test shipments reach no carrier.' }),
    service_type: z.enum(['ltl', 'ftl']).nullable().meta({ description: 'Road shipments only, otherwise null.' }),
    carrier_name: z.string().meta({ description: 'Name of the carrier.', examples: ['Maersk'] }),
    destination_postal_code: textOrNull('Postal code of the consignee, which some parcel carriers require.', '3011 AA'),
    metadata: z.record(z.string(), z.string()).meta({ description: 'Your metadata.', examples: [{ buyer: 'acme' }] }),
    ...commonFields,
    status_evidence: z
      .strictObject({
        event_id: z.string().meta({ description: 'Id of the event.', examples: ['evt_01h455vb4pex5vsknk084sn02q'] }),
        code: openEnum(eventCodes, 'What happened.'),
        source: openEnum(['carrier', 'client', 'test'], 'Where the event comes from.'),
      })
      .nullable()
      .meta({ description: 'The event that decided the status. Null until one has.' }),
    current_location: placeOrNull('Location of the cargo after the latest event. Null while it is between two places.'),
    delivery: z
      .strictObject({ estimated: timeOrNull('Latest estimate.'), actual: timeOrNull('When it was delivered.') })
      .meta({ description: 'Delivery to the consignee.' }),
    eta_history: z
      .array(
        z.strictObject({
          eta: wireTime,
          seen_at: instant('When the carrier made the estimate, otherwise when Landfall received it.'),
          source: openEnum(['carrier', 'client', 'test'], 'Source of the estimate.'),
        }),
      )
      .meta({ description: 'History of the estimated arrival, oldest first.' }),
    legs: z.array(wireLeg).meta({ description: 'Legs of the journey, in order.' }),
    containers: z.array(wireContainer).meta({ description: 'Containers, sorted by number.' }),
    container_status_counts: statusCounts.meta({
      description: 'Number of containers by status.',
      examples: [{ in_transit: 2 }],
    }),
    exceptions: z.array(wireException).meta({ description: 'Open and resolved exceptions, oldest first.' }),
    events_count: z
      .int()
      .min(0)
      .meta({ description: 'Number of all events, including superseded and voided ones.', examples: [14] }),
    events: z
      .array(wireEvent)
      .max(50)
      .meta({ description: 'The newest 50 events, newest first. For all events, use `…/events`.' }),
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
    delay_hours: delayHours,
    needs_attention: needsAttention.meta({ description: attentionRule }),
    tracking: z.strictObject(trackingFields).meta({ id: 'TrackingSummary', description: 'State of tracking.' }),
  })
  .meta({ description: 'A shipment as a row of a list.' });

export type WireShipment = z.infer<typeof wireShipment>;
export type WireSummary = z.infer<typeof wireSummary>;
