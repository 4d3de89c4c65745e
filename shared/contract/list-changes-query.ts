import { z } from 'zod';
import { type ChangeType, changeTypes } from '#shared/domain/change-types.ts';
import { type InputMistake, LandfallError } from '#shared/domain/errors.ts';
import { inputMistakes, type MistakeNaming, parameterPointer } from './input-mistakes.ts';
import { readShipmentId } from './shipment-wire.ts';

/** The query of the change feed after its texts were read as numbers and lists. */
export const listChangesQuery = z.strictObject({
  after: z
    .union([z.int().min(0), z.literal('latest')])
    .optional()
    .meta({
      description:
        'Changes after this position: send `page.next_after` of the answer before. Without it the answer begins with the oldest change that is kept; `latest` gives no change, only where the feed ends now.',
      examples: [4711],
    }),
  type: z
    .array(z.enum(changeTypes))
    .min(1)
    .max(50)
    .optional()
    .meta({
      description: 'Only changes of these types; several with commas.',
      examples: [['shipment.status_changed', 'shipment.eta_changed']],
    }),
  shipment_id: z
    .string()
    .refine((text) => readShipmentId(text) !== null, {
      error: 'must be the id of a shipment: shp_ and 26 characters',
      params: { code: 'invalid_format' },
    })
    .optional()
    .meta({ description: 'Only changes of this shipment.', examples: ['shp_01kahf3m2xfr5tq4d8z9w6c7yb'] }),
  limit: z
    .int()
    .min(1)
    .max(500)
    .default(100)
    .meta({ description: 'The most changes in one answer.', examples: [100] }),
});

/** `shipmentId` is a uuid; null: no such condition. */
export type ChangesRequest = { after: number | 'latest' | null; types: ChangeType[] | null; shipmentId: string | null; limit: number };

/**
 * Reads the query of the change feed; in `type` a comma or a repetition is OR. Throws one LandfallError naming every mistake:
 * `unknown_parameter` when that is all that is wrong, else `validation_failed`.
 */
export function parseListChangesQuery(query: Readonly<Record<string, unknown>>): ChangesRequest {
  const naming: MistakeNaming = { pointerOf: parameterPointer, names: Object.keys(listChangesQuery.shape), noun: 'parameter' };
  const mistakes: InputMistake[] = [];
  const input: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(query)) {
    if (name === 'type') input[name] = [value].flat().flatMap(splitList);
    else if (Array.isArray(value) && naming.names.includes(name))
      mistakes.push({ pointer: `?${name}`, code: 'one_value', detail: `${name} may be given once` });
    else if (name === 'after' && !isAfter(value))
      mistakes.push({ pointer: '?after', code: 'invalid_value', detail: 'after must be a position, a whole number from 0, or latest' });
    else input[name] = isNumeral(value) && name !== 'shipment_id' ? Number(value) : value;
  }
  const result = listChangesQuery.safeParse(input);
  if (!result.success) mistakes.push(...inputMistakes(result.error.issues, input, naming));
  if (!result.success || mistakes.length > 0) throw refusal(mistakes);
  const { after, type, shipment_id, limit } = result.data;
  return {
    after: after ?? null,
    types: type ?? null,
    shipmentId: shipment_id === undefined ? null : readShipmentId(shipment_id),
    limit,
  };
}

function splitList(value: unknown): unknown[] {
  if (typeof value !== 'string') return [value];
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function isAfter(value: unknown): boolean {
  return value === 'latest' || isNumeral(value);
}

/** 15 digits: every such number is exact. */
function isNumeral(value: unknown): value is string {
  return typeof value === 'string' && /^\d{1,15}$/.test(value);
}

function refusal(mistakes: InputMistake[]): LandfallError {
  const code = mistakes.every((mistake) => mistake.code === 'unknown_parameter') ? 'unknown_parameter' : 'validation_failed';
  const detail = mistakes
    .map((mistake) => mistake.detail)
    .slice(0, 5)
    .join('; ');
  return new LandfallError(code, detail, { mistakes });
}
