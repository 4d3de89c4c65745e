import { z } from 'zod';
import { type EventRowResult, eventOutcomes } from '#shared/domain/events-in/event-row.ts';
import { toWireRowError, wireRowError } from '../row-error.ts';
import { count, openEnum } from '../schema-parts.ts';

export const outcomeOf = openEnum(
  [...eventOutcomes, 'failed'],
  'Outcome of the row: `added` is a new event; `replaced` is a new version of one; `unchanged` was known; `outdated` ' +
    'was followed by a newer version; `voided` was voided and stays so; `position_updated` had nothing but a position.',
);

export const eventsAnswer = z.strictObject({
  results: z
    .array(
      z.strictObject({
        index: z
          .int()
          .min(0)
          .meta({ description: 'Index in `events`, from 0.', examples: [0] }),
        outcome: outcomeOf,
        shipments: z
          .array(
            z.strictObject({
              shipment_id: z
                .string()
                .meta({ description: 'The shipment.', examples: ['shp_01kahf3m2xfr5tq4d8z9w6c7yb'] }),
              outcome: outcomeOf,
              event_id: z
                .string()
                .nullable()
                .meta({
                  description: 'The event. Null for a mere position.',
                  examples: ['evt_01h455vb4pex5vsknk084sn02q'],
                }),
            }),
          )
          .meta({
            description: 'The shipments that the row was recorded for, with its outcome there. Empty if it failed.',
          }),
        error: wireRowError.optional().meta({ description: 'Why the row failed. Absent otherwise.' }),
      }),
    )
    .meta({ description: 'One result per row, in order.' }),
  summary: z
    .strictObject({
      received: count('Rows in the body.', 2),
      added: count('Rows that added an event, or replaced one.', 1),
      unchanged: count('Rows that were known, voided or outdated.', 1),
      position_updated: count('Rows that had nothing but a position.', 0),
      failed: count('Failed rows.', 0),
    })
    .meta({ description: 'Number of rows by outcome.' }),
});

export type EventsAnswer = z.infer<typeof eventsAnswer>;

/** The most informative outcome of a row that is about several shipments. */
const byWeight = [
  'added',
  'replaced',
  'position_updated',
  'unchanged',
  'outdated',
  'voided',
] as const satisfies readonly (typeof eventOutcomes)[number][];

export function toWireEvents(recorded: readonly EventRowResult[]): EventsAnswer {
  const results = recorded.map((result, index) => {
    if (result.outcome === 'failed')
      return { index, outcome: 'failed', shipments: [], error: toWireRowError(result.error, `/events/${index}`) };
    const outcomes = result.shipments.map(({ outcome }) => outcome);
    return {
      index,
      outcome: byWeight.find((outcome) => outcomes.includes(outcome)) ?? 'unchanged',
      shipments: result.shipments.map(({ shipmentId, outcome, eventId }) => ({
        shipment_id: shipmentId,
        outcome,
        event_id: eventId,
      })),
    };
  });
  const countOf = (...outcomes: string[]) => results.filter(({ outcome }) => outcomes.includes(outcome)).length;
  return {
    results,
    summary: {
      received: results.length,
      added: countOf('added', 'replaced'),
      unchanged: countOf('unchanged', 'outdated', 'voided'),
      position_updated: countOf('position_updated'),
      failed: countOf('failed'),
    },
  };
}
