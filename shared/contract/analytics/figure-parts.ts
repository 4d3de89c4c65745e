import { z } from 'zod';
import type { KeptState } from '#shared/domain/analytics/figures.ts';

export const count = (description: string, example: number) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [example] });
export const share = (description: string, example: number) =>
  z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .meta({ description, examples: [example] });
export const amount = (description: string, example: number) =>
  z
    .number()
    .min(0)
    .nullable()
    .meta({ description, examples: [example] });
export const listText = (description: string, example: string) => z.string().meta({ description, examples: [example] });
export const dayText = (description: string, example: string) =>
  z.iso.date().meta({ description, examples: [example] });

/** State of the kept figures. */
export const stateFields = {
  as_of: z.iso
    .datetime()
    .nullable()
    .meta({
      description: 'Changes up to then are counted. Null: nothing has been counted yet.',
      examples: ['2026-06-30T08:00:00.000Z'],
    }),
  complete: z
    .boolean()
    .meta({ description: 'False: shipments of before are still being counted, after an upgrade.', examples: [true] }),
};

export function toWireState({ asOf, isComplete }: KeptState) {
  return { as_of: asOf, complete: isComplete };
}
