import { z } from 'zod';
import { type TransportMode, transportModes } from '#shared/domain/shipments/transport-mode.ts';
import { parseBody } from '../parse-body.ts';
import { plainText } from '../plain-text.ts';

const mostNumbers = 100;
const aNumber = plainText({ max: 120 });

/** The body that asks whose number something is. */
export const detectBody = z
  .strictObject({
    number: aNumber
      .optional()
      .meta({ description: 'A number of any kind. Send this or `numbers`.', examples: ['MAEU123456789'] }),
    numbers: z
      .array(aNumber)
      .min(1)
      .max(mostNumbers)
      .optional()
      .meta({
        description: 'Up to 100 numbers. Send this or `number`.',
        examples: [['MAEU123456789', '020-08002050']],
      }),
    transport_mode: z
      .enum(transportModes)
      .nullish()
      .meta({ description: 'Only carriers of this mode.', examples: ['ocean'] }),
  })
  .refine(({ number, numbers }) => (number === undefined) !== (numbers === undefined), {
    error: 'needs number or numbers, one of the two',
    params: { code: 'one_of' },
  });

/** Reads an untrusted body. Throws LandfallError `unknown_field`, `validation_failed`. */
export function parseDetectBody(body: unknown): { numbers: string[]; transportMode: TransportMode | null } {
  const { number, numbers, transport_mode: transportMode } = parseBody(detectBody, body);
  return { numbers: numbers ?? (number === undefined ? [] : [number]), transportMode: transportMode ?? null };
}
