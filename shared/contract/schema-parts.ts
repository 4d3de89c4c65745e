import { z } from 'zod';

/** A time of Landfall's own clock. */
export function instant(description: string) {
  return z.iso.datetime().meta({ description, examples: ['2026-04-15T09:30:00.000Z'] });
}

export function instantOrNull(description: string) {
  return z.iso
    .datetime()
    .nullable()
    .meta({ description, examples: ['2026-04-15T09:30:00.000Z'] });
}

/**
 * An enum that may grow: clients must accept unknown values. The document lists the known ones in `x-extensible-enum`
 * as well.
 */
export function openEnum(values: readonly string[], description: string, examples = values.slice(0, 1)) {
  return z.string().meta({ description: `${description} ${knownValues(values)}`, examples });
}

/** The last sentence of the description of an open enum. */
export function knownValues(values: readonly string[]): string {
  return `Known values: ${values.join(', ')}. More may be added.`;
}

/** Free text, or null if unknown. */
export function textOrNull(description: string, ...examples: string[]) {
  return z
    .string()
    .nullable()
    .meta({ description, ...(examples.length > 0 ? { examples } : {}) });
}

export function count(description: string, example: number) {
  return z
    .int()
    .min(0)
    .meta({ description, examples: [example] });
}

/** Stands beside a `trace_id`. */
export const traceKept = z.boolean().meta({
  description:
    'Whether the trace was selected for the built-in trace store, which keeps it for two days. False without a trace.',
  examples: [true],
});

/** A field of a change. Absent: it did not change. */
export function oldAndNew<Value extends z.ZodType>(value: Value, description: string) {
  return z.tuple([value, value]).optional().meta({ description });
}
