import { z } from 'zod';
import { eventCodes } from '#shared/domain/events/event.ts';
import { type EventFilter, type EventSort, eventSorts } from '#shared/domain/events/event-order.ts';
import { momentText } from '../input/filter-parts.ts';
import { parseQuery } from '../input/parse-query.ts';
import { plainText } from '../input/plain-text.ts';
import { readInstant } from '../input/read-instant.ts';
import type { RawQuery } from '../operation.ts';

export const getShipmentQuery = z.strictObject({
  as_of: momentText.optional().meta({
    description:
      'Returns the record as it was at a moment in the past: a time with an offset, or a date, which means the end ' +
      'of that day in UTC (for today: now). The journey is built from the events received by then, regardless of ' +
      'later corrections. Your own fields, `version` and `updated_at` are current, and so are the carrier’s facts on ' +
      'the shipment apart from its events: service, weight, measures of pieces and the pickup point. `tracking` is ' +
      'null. Before the registration the journey is empty.',
    examples: ['2026-04-15T08:00:00Z', '2026-04-15'],
  }),
});

export const listEventsQuery = z.strictObject({
  classifier: z
    .array(z.enum(['planned', 'estimated', 'actual']))
    .min(1)
    .max(3)
    .optional()
    .meta({ description: 'Types of event, separated by commas.', examples: [['actual']] }),
  code: z
    .array(z.enum(eventCodes))
    .min(1)
    .max(50)
    .optional()
    .meta({ description: 'Event codes, separated by commas.', examples: [['departed', 'arrived']] }),
  container: z
    .array(plainText({ max: 64 }))
    .min(1)
    .max(50)
    .optional()
    .meta({
      description:
        'Containers, in any spelling, separated by commas. Events about the whole shipment are then left out.',
      examples: [['CSQU3054383']],
    }),
  include: z
    .array(z.enum(['raw']))
    .min(1)
    .max(1)
    .optional()
    .meta({ description: '`raw`: add the original data of the carrier to each event.', examples: [['raw']] }),
  sort: z
    .enum(eventSorts)
    .default('-time')
    .meta({ description: 'Sort by time of the event or of receipt; `-` for newest first.', examples: ['-time'] }),
  limit: z
    .int()
    .min(1)
    .max(100)
    .default(50)
    .meta({ description: 'Page size, 1 to 100.', examples: [50] }),
  cursor: z
    .string()
    .min(1)
    .max(2000)
    .optional()
    .meta({ description: '`page.next_cursor` of the previous page, with the same filter and sort.' }),
});

export type EventsRequest = {
  filter: EventFilter;
  sort: EventSort;
  limit: number;
  cursor: string | null;
  includeRaw: boolean;
};

/**
 * The moments of `as_of` (ISO UTC), of which a date has two; null without it. Throws LandfallError that names every
 * mistake.
 */
export function parseGetShipmentQuery(query: RawQuery): { earliest: string; latest: string } | null {
  if (Object.keys(query).length === 0) return null;
  const { as_of } = parseQuery(getShipmentQuery, query);
  if (as_of === undefined) return null;
  const [earliest, latest] = [readInstant(as_of, 'from'), readInstant(as_of, 'to')];
  return earliest === null || latest === null ? null : { earliest, latest };
}

/** Parses the query of the event history. Throws LandfallError that names every mistake. */
export function parseListEventsQuery(query: RawQuery): EventsRequest {
  const { classifier, code, container, include, sort, limit, cursor } = parseQuery(listEventsQuery, query);
  return {
    filter: { classifiers: classifier ?? [], codes: code ?? [], containers: container ?? [] },
    sort,
    limit,
    cursor: cursor ?? null,
    includeRaw: include !== undefined,
  };
}
