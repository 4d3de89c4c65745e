import { z } from 'zod';
import { readInstant } from './read-instant.ts';

/** A date or a time with an offset. */
export const momentText = z.string().refine((text) => readInstant(text, 'from') !== null, {
  error: 'must be a date (2026-04-15) or a time with an offset (2026-04-15T08:00:00Z).',
  params: { code: 'invalid_format' },
});

/** Of one filter. */
export const maxValues = 50;

/** A filter by any of several values. */
export function anyOf<Value extends z.ZodType>(
  value: Value,
  documentation: { description: string; examples: z.output<Value>[][] },
) {
  return z.array(value).min(1).max(maxValues).optional().meta(documentation);
}

export function oneMoment(description: string, example: string) {
  return momentText.optional().meta({ description, examples: [example] });
}

export function localDayAt(event: string): string {
  return `A date means the whole calendar day where the shipment ${event}; a time with an offset is an instant.`;
}
