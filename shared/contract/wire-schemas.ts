import { z } from 'zod';
import {
  exceptionCodes,
  freshnesses,
  statuses,
  trackingReasons,
  trackingStates,
} from '#shared/domain/shipments/shipment.ts';
import { transportModes } from '#shared/domain/shipments/transport-mode.ts';
import { eventCodes } from '#shared/domain/tracking/event.ts';
import {
  instant,
  instantOrNull,
  openEnum,
  placeOrNull,
  textOrNull,
  timeOrNull,
  vehicleOrNull,
  wireEvent,
  wireIdentifiers,
  wireTime,
  wireTimes,
} from './wire-parts.ts';

const version = z
  .int()
  .min(1)
  .meta({ description: 'Grows with each visible change; a refresh that found nothing new leaves it.', examples: [12] });
const statusCounts = z.record(z.string(), z.int().min(1));
const delayHours = z
  .number()
  .nullable()
  .meta({
    description:
      'Whole hours between the first estimate and the arrival, actual or expected; negative when early; null without an estimate.',
    examples: [31],
  });

const wireArrival = wireTimes
  .extend({
    original_estimated: timeOrNull('The first estimate that we saw.'),
    delay_hours: delayHours,
    eta_source: z
      .string()
      .nullable()
      .meta({
        description: 'Who estimated; null without an estimate. Open: accept new values.',
        examples: ['carrier'],
      }),
  })
  .meta({ id: 'Arrival', description: 'Arrival at the final port, airport, ramp or terminal.' });

/** What the record and the summary of a list have in common. */
const commonFields = {
  shipment_id: z.string().meta({
    description: 'The id of the shipment: `shp_` and 26 characters.',
    examples: ['shp_01h455vb4pex5vsknk084sn02q'],
  }),
  transport_mode: openEnum(transportModes, 'How the cargo moves.'),
  carrier: z.string().meta({ description: 'The carrier’s code: SCAC, IATA code or slug.', examples: ['MAEU'] }),
  identifiers: wireIdentifiers,
  reference: textOrNull('Your own id of the shipment.', 'PO-7741'),
  tags: z.array(z.string()).meta({ description: 'Your own labels.', examples: [['acme']] }),
  status: openEnum(statuses, 'Where the cargo is. Whether it can still be seen says `tracking`.'),
  status_changed_at: instantOrNull(
    'When the cargo reached the status, by the time of the deciding event; null while no event has decided it.',
  ),
  origin: placeOrNull('Where the main carriage begins.'),
  destination: placeOrNull('Where the main carriage ends.'),
  departure: wireTimes,
  arrival: wireArrival,
  has_exception: z.boolean().meta({ description: 'An exception is open.' }),
  latest_event: wireEvent.nullable().meta({ description: 'The last event that happened; null before the first one.' }),
  created_at: instant('When it was registered.'),
  updated_at: instant('When it last changed visibly.'),
  archived_at: instantOrNull('When it was archived; null unless it is.'),
  version,
};

const lastSucceededAt = instantOrNull('The last refresh that the carrier answered; null before the first.');
const trackingFields = {
  state: openEnum(trackingStates, 'Whether the shipment is being followed.'),
  reason: openEnum(trackingReasons, 'Why it is not simply being followed.')
    .nullable()
    .meta({
      description: `Why it is not simply being followed; null when there is nothing to say. Open: accept new values. Known: ${trackingReasons.join(', ')}.`,
    }),
  freshness: openEnum(freshnesses, 'How far the record can be trusted to be current, at the moment of reading.'),
  last_succeeded_at: lastSucceededAt,
  next_refresh_at: instantOrNull('When the carrier is asked next; null when it is not.'),
};

const wireTracking = z
  .strictObject({
    ...trackingFields,
    source: textOrNull('Where the data come from; `simulator:…` for simulated ones.', 'dcsa:maersk'),
    last_refreshed_at: instantOrNull('The last refresh, answered or not; null before the first.'),
    last_changed_at: instantOrNull('The last refresh that brought news; null before the first.'),
    consecutive_failures: z
      .int()
      .min(0)
      .meta({ description: 'Refreshes that failed since the last success.', examples: [0] }),
    trace_id: textOrNull('The trace of the last refresh.', '4bf92f3577b34da6a3ce929d0e0e4736'),
  })
  .meta({ id: 'Tracking', description: 'Whether we can still see the cargo, and how well.' });

const wireLeg = z
  .strictObject({
    sequence: z
      .int()
      .min(1)
      .meta({ description: 'Its place in the journey, from 1.', examples: [1] }),
    mode: openEnum(transportModes, 'How this leg moves.'),
    from: placeOrNull('Where it begins.'),
    to: placeOrNull('Where it ends.'),
    vehicle: vehicleOrNull('What carries the cargo on it.'),
    departure: wireTimes,
    arrival: wireTimes,
  })
  .meta({ id: 'Leg', description: 'The way between two stops.' });

const wireContainer = z
  .strictObject({
    number: z.string().meta({ description: 'The container’s number.', examples: ['CSQU3054383'] }),
    iso_type: textOrNull('ISO 6346 size and type.', '45G1'),
    status: openEnum(statuses, 'Where this container is.'),
    seals: z.array(z.string()).meta({ description: 'Seal numbers.', examples: [['SL1234567']] }),
    holds: z
      .array(openEnum(['customs_hold', 'carrier_hold', 'terminal_hold', 'freight_hold'], 'A hold that is open.'))
      .meta({
        description: 'The open holds that concern it.',
        examples: [['customs_hold']],
      }),
    last_free_day: z
      .string()
      .nullable()
      .meta({
        description: 'The last day without demurrage, a local date; null when it is not known.',
        examples: ['2026-05-02'],
      }),
  })
  .meta({ id: 'Container', description: 'A container of the shipment, named by you or by the carrier.' });

export const wireException = z
  .strictObject({
    code: openEnum(exceptionCodes, 'What is wrong.'),
    severity: openEnum(['info', 'warning', 'critical'], 'How much it matters.'),
    message: z.string().meta({ description: 'The carrier’s words, else ours.', examples: ['Held by customs'] }),
    opened_at: instant('When it began, by the carrier’s time.'),
    resolved_at: instantOrNull('When it ended, by the carrier’s time; null while it is open.'),
    event_id: z
      .string()
      .meta({ description: 'The event that opened it.', examples: ['evt_01h455vb4pex5vsknk084sn02q'] }),
  })
  .meta({
    id: 'Exception',
    description: 'Something that hinders the cargo. It does not change `status`: the cargo is still where it is.',
  });

const wireWarning = z
  .strictObject({
    code: z
      .string()
      .meta({ description: 'What was noticed. Open: accept new values.', examples: ['check_digit_mismatch'] }),
    field: z.string().meta({ description: 'Where.', examples: ['identifiers.container'] }),
    detail: z.string().meta({ description: 'The warning in words.' }),
    expected: textOrNull('What was expected there.', '3'),
  })
  .meta({ id: 'Warning', description: 'Something odd in what you sent; it was taken nevertheless.' });

/** The whole record of a shipment. */
export const wireShipment = z
  .strictObject({
    object: z.literal('shipment').meta({ description: 'Always `shipment`.' }),
    test: z.boolean().meta({ description: 'Made with a test key; never reaches a carrier.' }),
    service_type: z.enum(['ltl', 'ftl']).nullable().meta({ description: 'Road only; null otherwise.' }),
    carrier_name: z.string().meta({ description: 'The carrier’s name.', examples: ['Maersk'] }),
    destination_postal_code: textOrNull('As you sent it; some parcel carriers need it.', '3011 AA'),
    metadata: z.record(z.string(), z.string()).meta({ description: 'Your own data.', examples: [{ buyer: 'acme' }] }),
    ...commonFields,
    status_evidence: z
      .strictObject({
        event_id: z.string().meta({ description: 'The deciding event.', examples: ['evt_01h455vb4pex5vsknk084sn02q'] }),
        code: openEnum(eventCodes, 'What happened.'),
        source: openEnum(['carrier', 'client', 'test'], 'Who says so.'),
      })
      .nullable()
      .meta({ description: 'The event that decided the status; null while none has.' }),
    current_location: placeOrNull('Where the last event left the cargo; null while it is between places.'),
    delivery: z
      .strictObject({ estimated: timeOrNull('The latest estimate.'), actual: timeOrNull('When it was delivered.') })
      .meta({ description: 'Delivery to the consignee.' }),
    eta_history: z
      .array(
        z.strictObject({
          eta: wireTime,
          seen_at: instant('When the carrier made the estimate, else when we saw it.'),
          source: openEnum(['carrier', 'client', 'test'], 'Who estimated.'),
        }),
      )
      .meta({ description: 'How the estimate of the arrival moved, oldest first.' }),
    legs: z.array(wireLeg).meta({ description: 'The journey, stop by stop.' }),
    containers: z.array(wireContainer).meta({ description: 'By number.' }),
    container_status_counts: statusCounts.meta({
      description: 'How many containers are where.',
      examples: [{ in_transit: 2 }],
    }),
    exceptions: z.array(wireException).meta({ description: 'Open and resolved ones, oldest first.' }),
    events_count: z
      .int()
      .min(0)
      .meta({ description: 'All events, also those that do not count.', examples: [14] }),
    events: z.array(wireEvent).max(50).meta({ description: 'Newest first, the first 50; the rest is at `…/events`.' }),
    tracking: wireTracking.nullable().meta({ description: 'Null under `as_of`: the past has no tracking.' }),
    warnings: z.array(wireWarning).meta({ description: 'Oddities of what you sent.' }),
    as_of: instantOrNull('The moment of the past that `as_of` asked for; null in a current record.'),
  })
  .meta({ description: 'The whole record of one shipment. Every field is always there; what is not known is null.' });

/** One row of a list. */
export const wireSummary = z
  .strictObject({
    ...commonFields,
    delay_hours: delayHours,
    tracking: z
      .strictObject(trackingFields)
      .meta({ id: 'TrackingSummary', description: 'Whether we can still see the cargo.' }),
  })
  .meta({ description: 'A shipment as a row of a list.' });

export type WireShipment = z.infer<typeof wireShipment>;
export type WireSummary = z.infer<typeof wireSummary>;
