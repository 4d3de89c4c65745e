import { z } from 'zod';
import { maxStatedPieces, pickupPointKinds, proofKinds } from '#shared/domain/events/event.ts';
import { punctualities, statuses } from '#shared/domain/record/shipment.ts';
import { openEnum, textOrNull } from '../schema-parts.ts';
import { promisedTimes } from './record-parts.ts';
import { piecesCount, placeOrNull, statusDetail, timeOrNull, weightKg, wireWindow } from './shipment-parts.ts';

const wireProof = z
  .strictObject({
    id: z.string().meta({ description: 'Id of the proof within the shipment.', examples: ['signature'] }),
    kind: openEnum(proofKinds, 'What it is.'),
    piece: textOrNull(
      'Tracking number of the piece that it is about. Null for the whole shipment.',
      '1Z12345E0205271688',
    ),
    available: z.boolean().meta({ description: 'Whether it can be requested from the carrier.', examples: [true] }),
  })
  .meta({ id: 'Proof', description: 'A proof of delivery.' });

export const wireDelivery = promisedTimes
  .extend({
    window: wireWindow.nullable().meta({
      description: 'Time window of the estimate, otherwise of the plan. Null if the carrier gives none.',
    }),
    on_time: openEnum(
      punctualities,
      'How the actual delivery, otherwise the expected one, compares with the first promise. `unknown` if nothing was ' +
        'promised or is expected, or if the shipment was returned, lost or cancelled. A delivery that is overdue and ' +
        'makes the shipment late is `late`.',
      ['late'],
    ),
    attempts: z
      .int()
      .min(0)
      .meta({
        description: 'Number of failed delivery attempts. Attempts for several pieces at the same time count once.',
        examples: [1],
      }),
    last_attempt_at: timeOrNull('Time of the last failed attempt. Null if there was none.'),
    received_by: textOrNull(
      'Who received the shipment, in the carrier’s words. Null until all of it is delivered.',
      'J. Smith',
    ),
    left_at: textOrNull('Where it was left, in the carrier’s words. Null until all of it is delivered.', 'Front door'),
    proof: z
      .array(wireProof)
      .meta({ description: 'Proofs of delivery that the carrier offers. Empty until all of it is delivered.' }),
  })
  .meta({
    id: 'Delivery',
    description:
      'Delivery to the consignee. With a time window, the planned or estimated time is the end of the window. A shipment of ' +
      'several pieces is delivered with its last piece.',
  });

/** The fields about the cargo that a record and a summary have in common. */
export const cargoFields = {
  service: z
    .strictObject({
      code: textOrNull('Code of the service.', '11'),
      name: textOrNull('Name of the service.', 'UPS Standard'),
    })
    .nullable()
    .meta({ id: 'Service', description: 'Service of the carrier, as the carrier calls it. Null if unknown.' }),
  weight_kg: weightKg.meta({ description: 'Gross weight in kilograms. Null if unknown.', examples: [12.5] }),
  pieces_count: piecesCount.meta({
    description: 'Number of pieces, including those that the carrier does not list. Null if unknown.',
    examples: [3],
  }),
};

export const wirePiece = z
  .strictObject({
    tracking_number: z
      .string()
      .meta({ description: 'Tracking number of the piece.', examples: ['1Z12345E0205271688'] }),
    status: openEnum(statuses, 'Where the piece is.'),
    status_detail: statusDetail,
    weight_kg: weightKg.meta({ description: 'Weight in kilograms. Null if unknown.', examples: [4.2] }),
    dimensions_cm: z
      .strictObject({
        length: z.number().meta({ description: 'Length in centimeters.', examples: [40] }),
        width: z.number().meta({ description: 'Width in centimeters.', examples: [30] }),
        height: z.number().meta({ description: 'Height in centimeters.', examples: [20] }),
      })
      .nullable()
      .meta({ description: 'Dimensions in centimeters. Null if unknown.' }),
  })
  .meta({ id: 'Piece', description: 'A piece of a shipment that has several.' });

export const wirePieces = z.array(wirePiece).meta({
  description:
    `Pieces, sorted by tracking number, at most ${maxStatedPieces}. Empty if the carrier lists none, or only one that has ` +
    'the tracking number of the shipment.',
});

export const wirePickupPoint = z
  .strictObject({
    kind: openEnum(pickupPointKinds, 'What it is.'),
    id: textOrNull('Number of the pickup point at the carrier.', '4711'),
    name: textOrNull('Name.', 'Packstation 145'),
    address: textOrNull('Street and number.', 'Coolsingel 40'),
    place: placeOrNull('City and country.'),
    hours: textOrNull('Opening hours, in the carrier’s words.', 'Mon–Sat 8:00–20:00'),
    kept_until: timeOrNull('Until when the shipment can be collected. Null if unknown.'),
  })
  .nullable()
  .meta({
    id: 'PickupPoint',
    description:
      'Where the consignee can collect the shipment, or where it was kept. Null if it goes to no pickup point.',
  });

export const wireReturn = z
  .strictObject({
    reason: textOrNull('Why it is returned, in the carrier’s words. Null if unknown.', 'Refused by the receiver'),
    tracking_number: textOrNull(
      'Tracking number of the return. Null if the carrier gives no other one.',
      '1Z12345E0390105056',
    ),
    to: placeOrNull('Where it is returned to. Null if unknown.'),
    started_at: timeOrNull('When the return started. Null if unknown.'),
    completed_at: timeOrNull('When it was returned. Null while it is on its way.'),
  })
  .nullable()
  .meta({ id: 'Return', description: 'The return to the shipper. Null if the shipment is not being returned.' });
