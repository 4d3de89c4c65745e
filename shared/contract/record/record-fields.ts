import { z } from 'zod';
import { eventCodes } from '#shared/domain/events/event.ts';
import { transportModes } from '#shared/domain/events/transport-mode.ts';
import { countStatuses } from '#shared/domain/journey/part-states.ts';
import { lateHours } from '#shared/domain/record/lateness.ts';
import { attentionAfterHours } from '#shared/domain/record/needs-attention.ts';
import { allReferences } from '#shared/domain/record/references.ts';
import { etaKinds, statuses } from '#shared/domain/record/shipment.ts';
import { instant, instantOrNull, openEnum, textOrNull } from '../schema-parts.ts';
import { cargoFields, wireDelivery, wirePickupPoint, wirePieces, wireReturn } from './delivery-parts.ts';
import {
  toWireArrival,
  toWireDelivery,
  toWirePickupPoint,
  toWirePiece,
  toWireReturn,
  toWireTriple,
} from './delivery-wire.ts';
import { toEventId, toKnownTime, toWireEvent, toWireException, toWirePlace } from './event-wire.ts';
import { inMcp, ofJourney, ofRecord, ofShipment, ofWholeJourney } from './field-row.ts';
import { wireFreeTime } from './free-time-parts.ts';
import { toWireContainer, toWireFreeTime } from './free-time-wire.ts';
import { toWireEta, toWireIdentifiers, toWireLeg, toWirePosition, toWireWarning } from './part-wire.ts';
import { toWireAssignee, wireAssignee } from './person-wire.ts';
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
import { toShipmentId } from './shipment-id.ts';
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
import { toWireTracking, toWireTrackingSummary, wireTracking, wireTrackingSummary } from './tracking-wire.ts';

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
  shipment_id: ofShipment(
    z.string().meta({
      description: 'Id of the shipment: `shp_` followed by 26 characters.',
      examples: ['shp_01h455vb4pex5vsknk084sn02q'],
    }),
    ({ id }) => toShipmentId(id),
  ),
  transport_mode: inMcp(ofShipment(openEnum(transportModes, 'Transport mode.'), ({ transportMode }) => transportMode)),
  carrier: inMcp(
    ofShipment(
      z.string().meta({ description: 'Carrier code: SCAC, IATA code or slug.', examples: ['MAEU'] }),
      ({ carrier }) => carrier,
    ),
  ),
  carrier_name: ofShipment(
    z.string().meta({ description: 'Name of the carrier.', examples: ['Maersk'] }),
    ({ carrierName }) => carrierName,
  ),
  identifiers: ofShipment(wireIdentifiers, toWireIdentifiers),
  reference: ofShipment(textOrNull('Your reference.', 'PO-7741'), ({ reference }) => reference),
  references: ofShipment(
    z.array(z.string()).meta({
      description: 'All of your references, `reference` first.',
      examples: [['PO-7741', 'PO-7742']],
    }),
    // Changes may have been written without the list.
    ({ reference, references }) => references ?? allReferences(reference),
  ),
  tags: ofShipment(z.array(z.string()).meta({ description: 'Your tags.', examples: [['acme']] }), ({ tags }) => tags),
  status: inMcp(
    ofShipment(
      openEnum(statuses, 'Where the cargo is. See `tracking` for whether it can still be tracked.'),
      (_shipment, status) => status,
    ),
  ),
  status_changed_at: ofShipment(
    instantOrNull(
      'When the cargo reached the status, by the time of the deciding event. Null until an event has decided it.',
    ),
    ({ statusChangedAt }) => statusChangedAt,
  ),
  status_detail: inMcp(ofJourney(statusDetail, ({ statusDetail: detail }) => detail)),
  origin: ofJourney(placeOrNull('Where the main carriage begins.'), ({ origin }) => toWirePlace(origin)),
  destination: ofJourney(placeOrNull('Where the main carriage ends.'), ({ destination }) => toWirePlace(destination)),
  departure: ofJourney(wireTimes, ({ departure }) => toWireTriple(departure)),
  arrival: ofJourney(wireArrival, ({ arrival }) => toWireArrival(arrival)),
  delivery: ofJourney(wireDelivery, toWireDelivery),
  eta: ofJourney(wireEta, ({ eta }) => toWireEta(eta)),
  delay_hours: inMcp(ofJourney(delayHours, ({ delayHours: hours }) => hours)),
  delay_basis: ofJourney(delayBasis, ({ delayBasis: basis }) => basis),
  overdue_hours: inMcp(
    ofShipment(
      z
        .int()
        .min(0)
        .nullable()
        .meta({
          description:
            'Whole hours since the ETA passed without an actual arrival or delivery, at the time of reading. An ETA ' +
            'that is only a date passes with its local day. Null if it is not overdue.',
          examples: [192, null],
        }),
      ({ overdueHours }) => overdueHours,
    ),
  ),
  late: ofShipment(
    z.boolean().meta({
      description:
        `Whether \`delay_hours\` or \`overdue_hours\` is at least ${lateHours}. A parcel is late once it is expected, or ` +
        'not delivered, past the end of the promised window, otherwise past the promised day.',
      examples: [true],
    }),
    ({ late }) => late,
  ),
  service: ofJourney(cargoFields.service, ({ service }) => service && { code: service.code, name: service.name }),
  weight_kg: ofJourney(cargoFields.weight_kg, (journey) => journey.weightKg),
  pieces_count: ofJourney(cargoFields.pieces_count, (journey) => journey.piecesCount),
  free_time: ofJourney(wireFreeTime, ({ freeTime }) => toWireFreeTime(freeTime)),
  has_exception: ofJourney(
    z.boolean().meta({ description: 'Whether an exception is open.' }),
    ({ hasException }) => hasException,
  ),
  latest_event: ofJourney(
    wireEvent.nullable().meta({
      description:
        'Latest actual event, without documents and unknown codes after a movement. Null before the first one.',
    }),
    ({ latestEvent }) => latestEvent && toWireEvent(latestEvent),
  ),
  created_at: ofShipment(instant('When the shipment was registered.'), ({ createdAt }) => createdAt),
  updated_at: ofShipment(instant('Time of the last visible change.'), ({ updatedAt }) => updatedAt),
  archived_at: ofShipment(instantOrNull('When it was archived. Null if it is not.'), ({ archivedAt }) => archivedAt),
  assignee: ofShipment(
    wireAssignee.nullable().meta({ description: 'Member to whom it is assigned. Null: unassigned.' }),
    ({ assignee }) => toWireAssignee(assignee),
  ),
  notes_count: ofShipment(
    z
      .int()
      .min(0)
      .meta({ description: 'Number of notes.', examples: [2] }),
    ({ notesCount }) => notesCount ?? 0,
  ),
  version: ofShipment(version, (shipment) => shipment.version),
};

/** The fields of a record. */
export const recordFields = {
  object: ofRecord(z.literal('shipment').meta({ description: 'Always `shipment`.' }), () => 'shipment' as const),
  test: ofRecord(
    z.boolean().meta({ description: 'Whether it was registered with a test key. Test shipments reach no carrier.' }),
    ({ test }) => test,
  ),
  service_type: ofRecord(
    z.enum(['ltl', 'ftl']).nullable().meta({ description: 'Road shipments only, otherwise null.' }),
    ({ serviceType }) => serviceType,
  ),
  destination_postal_code: ofRecord(
    textOrNull('Postal code of the consignee, which some parcel carriers require.', '3011 AA'),
    ({ destinationPostalCode }) => destinationPostalCode,
  ),
  metadata: ofRecord(
    z.record(z.string(), z.string()).meta({ description: 'Your metadata.', examples: [{ buyer: 'acme' }] }),
    ({ metadata }) => metadata,
  ),
  ...commonFields,
  status_evidence: ofWholeJourney(
    z
      .strictObject({
        event_id: z.string().meta({ description: 'Id of the event.', examples: ['evt_01h455vb4pex5vsknk084sn02q'] }),
        code: openEnum(eventCodes, 'What happened.'),
        source: eventSource,
      })
      .nullable()
      .meta({ description: 'The event that decided the status. Null until one has.' }),
    ({ statusEvidence }) =>
      statusEvidence && {
        event_id: toEventId(statusEvidence.eventId),
        code: statusEvidence.code,
        source: statusEvidence.source,
      },
  ),
  current_location: ofWholeJourney(
    placeOrNull('Location of the cargo after the latest event. Null while it is between two places.'),
    ({ currentLocation }) => toWirePlace(currentLocation),
  ),
  eta_history: ofWholeJourney(
    z
      .array(
        z.strictObject({
          eta: wireTime,
          kind: openEnum(etaKinds, 'Whether it is the arrival, or the delivery to the door.'),
          seen_at: instant('When the carrier made the estimate, otherwise when Landfall received it.'),
          source: eventSource,
        }),
      )
      .meta({ description: 'History of the estimated arrival and delivery, oldest first.' }),
    ({ etaHistory }) =>
      etaHistory.map(({ eta, kind, seenAt, source }) => ({ eta: toKnownTime(eta), kind, seen_at: seenAt, source })),
  ),
  legs: ofWholeJourney(z.array(wireLeg).meta({ description: 'Legs of the journey, in order.' }), ({ legs }) =>
    legs.map(toWireLeg),
  ),
  containers: ofWholeJourney(
    z.array(wireContainer).meta({ description: 'Containers, sorted by number.' }),
    ({ containers }) => containers.map(toWireContainer),
  ),
  container_status_counts: ofWholeJourney(
    statusCounts.meta({
      description: 'Number of containers by status.',
      examples: [{ in_transit: 2 }],
    }),
    ({ containerStatusCounts }) => containerStatusCounts,
  ),
  pieces: ofWholeJourney(wirePieces, ({ pieces }) => pieces.map(toWirePiece)),
  piece_status_counts: ofWholeJourney(
    statusCounts.meta({
      description: 'Number of pieces by status.',
      examples: [{ in_transit: 2, delivered: 1 }],
    }),
    ({ pieces }) => countStatuses(pieces),
  ),
  pickup_point: ofWholeJourney(wirePickupPoint, ({ pickupPoint }) => toWirePickupPoint(pickupPoint)),
  return: ofWholeJourney(wireReturn, ({ returned }) => toWireReturn(returned)),
  exceptions: ofWholeJourney(
    z.array(wireException).meta({ description: 'Open and resolved exceptions, oldest first.' }),
    ({ exceptions }) => exceptions.map(toWireException),
  ),
  events_count: ofWholeJourney(
    z
      .int()
      .min(0)
      .meta({ description: 'Number of all events, including superseded and voided ones.', examples: [14] }),
    ({ eventsCount }) => eventsCount,
  ),
  events: ofWholeJourney(
    z
      .array(wireEvent)
      .max(50)
      .meta({
        description:
          'At most 50 events: past events, newest first, then open plans and estimates, soonest first, then replaced ' +
          'ones. For all events, use `…/events`.',
      }),
    ({ events }) => events.map(toWireEvent),
  ),
  current_position: ofRecord(currentPosition, ({ currentPosition: position }, _status, asOf) =>
    asOf === null ? toWirePosition(position) : null,
  ),
  tracking: ofRecord(
    wireTracking.nullable().meta({ description: 'State of tracking. Null with `as_of`.' }),
    ({ tracking }, _status, asOf) => (asOf === null ? toWireTracking(tracking) : null),
  ),
  needs_attention: ofRecord(
    needsAttention.nullable().meta({ description: `${attentionRule} Null with \`as_of\`.` }),
    ({ needsAttention: needed }, _status, asOf) => (asOf === null ? needed : null),
  ),
  warnings: ofRecord(z.array(wireWarning).meta({ description: 'Warnings about your input.' }), ({ warnings }) =>
    warnings.map(toWireWarning),
  ),
  as_of: ofRecord(
    instantOrNull('The requested moment in the past. Null for the current record.'),
    (_shipment, _status, asOf) => asOf,
  ),
};

/** The fields of a summary, the row of a list. */
export const summaryFields = {
  ...commonFields,
  needs_attention: ofShipment(
    needsAttention.meta({ description: attentionRule }),
    (shipment) => shipment.needsAttention,
  ),
  tracking: ofShipment(wireTrackingSummary, ({ tracking }) => toWireTrackingSummary(tracking)),
};
