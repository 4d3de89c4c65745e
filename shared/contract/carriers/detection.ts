import { z } from 'zod';
import { type ConnectionState, connectionStates } from '#shared/domain/carriers/connection.ts';
import { type TransportMode, transportModes } from '#shared/domain/events/transport-mode.ts';
import { identifierKeys } from '#shared/domain/record/shipment.ts';
import { type CarrierCandidate, confidences } from '#shared/domain/registration/detect-carriers.ts';
import { parseBody } from '../input/parse-body.ts';
import { plainText } from '../input/plain-text.ts';
import { knownValues, openEnum } from '../schema-parts.ts';

const maxNumbers = 100;
const anyNumber = plainText({ max: 120 });

/** The body that asks which carriers a number may belong to. */
export const detectBody = z
  .strictObject({
    number: anyNumber
      .optional()
      .meta({ description: 'A number of any type. Send this or `numbers`.', examples: ['MAEU123456789'] }),
    numbers: z
      .array(anyNumber)
      .min(1)
      .max(maxNumbers)
      .optional()
      .meta({
        description: 'Up to 100 numbers. Send this or `number`.',
        examples: [['MAEU123456789', '020-08002050']],
      }),
    transport_mode: z
      .enum(transportModes)
      .nullish()
      .meta({ description: 'Only carriers of this transport mode.', examples: ['ocean'] }),
  })
  .refine(({ number, numbers }) => (number === undefined) !== (numbers === undefined), {
    error: 'must contain either number or numbers.',
    params: { code: 'one_of' },
  });

/** Parses an untrusted body. Throws LandfallError `unknown_field` or `validation_failed`. */
export function parseDetectBody(body: unknown): { numbers: string[]; transportMode: TransportMode | null } {
  const { number, numbers, transport_mode: transportMode } = parseBody(detectBody, body);
  return { numbers: numbers ?? (number === undefined ? [] : [number]), transportMode: transportMode ?? null };
}

const wireCandidate = z
  .strictObject({
    carrier: z
      .string()
      .nullable()
      .meta({ description: 'Code of the carrier. Null if the number does not reveal it.', examples: ['MAEU'] }),
    carrier_name: z
      .string()
      .nullable()
      .meta({ description: 'Name of the carrier.', examples: ['Maersk'] }),
    transport_mode: openEnum(transportModes, 'Transport mode.', ['ocean']),
    identifier: openEnum(identifierKeys, 'Type of identifier.', ['mbl']),
    confidence: openEnum(confidences, 'How certain the match is.', ['high']),
    reason: z.string().meta({
      description: 'Why the number may belong to the carrier.',
      examples: ['MAEU begins the bills of lading and bookings of Maersk'],
    }),
    check_digit: openEnum(['valid', 'invalid', 'none'], 'Result of the check digit validation.', ['none']),
    connection: z
      .string()
      .nullable()
      .meta({
        description:
          'Whether your shipments with the carrier can be tracked now, as in `GET /v1/carriers`. Null if the number ' +
          `does not reveal its carrier. ${knownValues(connectionStates)}`,
        examples: ['ready'],
      }),
  })
  .meta({ id: 'CarrierCandidate', description: 'A carrier that a number may belong to.' });

export const wireDetection = z
  .strictObject({
    data: z
      .array(
        z.strictObject({
          number: z.string().meta({ description: 'The number as sent, trimmed.', examples: ['MAEU123456789'] }),
          candidates: z
            .array(wireCandidate)
            .meta({ description: 'Possible carriers, most likely first. Empty if the number doesn’t reveal one.' }),
        }),
      )
      .meta({ description: 'One entry per number, in the order sent.' }),
  })
  .meta({ id: 'CarrierDetection', description: 'Possible carriers of each number.' });

export function toWireCandidate(
  candidate: CarrierCandidate,
  connection: ConnectionState | null,
): z.infer<typeof wireCandidate> {
  return {
    carrier: candidate.carrier,
    carrier_name: candidate.carrierName,
    transport_mode: candidate.transportMode,
    identifier: candidate.identifier,
    confidence: candidate.confidence,
    reason: candidate.reason,
    check_digit: candidate.checkDigit,
    connection,
  };
}
