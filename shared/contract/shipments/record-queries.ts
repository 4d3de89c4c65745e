import { z } from 'zod';
import { eventCodes } from '#shared/domain/tracking/event.ts';
import { type EventFilter, type EventSort, eventSorts } from '#shared/domain/tracking/event-filter.ts';
import { readMoment } from '../moment.ts';
import type { RawQuery } from '../operation.ts';
import { parseQuery } from '../parse-query.ts';
import { plainText } from '../plain-text.ts';

/** The query of one record after its texts were read. */
export const getShipmentQuery = z.strictObject({
  as_of: z
    .string()
    .refine((text) => readMoment(text, 'from') !== null, {
      error: 'must be a date (2026-04-15) or a time with an offset (2026-04-15T08:00:00Z)',
      params: { code: 'invalid_format' },
    })
    .optional()
    .meta({
      description:
        'The record as it stood at a moment of the past: a time with an offset, or a date, which is its end in UTC (for today: now). The journey ' +
        'is that of the events received by then, ignoring what was voided or revised later; what you set yourself, `version` and `updated_at` ' +
        'are the current ones, and `tracking` is null. Before the registration the journey is empty.',
      examples: ['2026-04-15T08:00:00Z', '2026-04-15'],
    }),
});

/** The query of the event history after its texts were read as lists and numbers. */
export const listEventsQuery = z.strictObject({
  classifier: z
    .array(z.enum(['planned', 'estimated', 'actual']))
    .min(1)
    .max(3)
    .optional()
    .meta({ description: 'Only such events; several with commas.', examples: [['actual']] }),
  code: z
    .array(z.enum(eventCodes))
    .min(1)
    .max(50)
    .optional()
    .meta({ description: 'Only events of these codes; several with commas.', examples: [['departed', 'arrived']] }),
  container: z
    .array(plainText({ max: 64 }))
    .min(1)
    .max(50)
    .optional()
    .meta({
      description:
        'Only events about these containers, in any spelling; several with commas. Events about the whole shipment are left out.',
      examples: [['CSQU3054383']],
    }),
  include: z
    .array(z.enum(['raw']))
    .min(1)
    .max(1)
    .optional()
    .meta({ description: '`raw`: with each event what the carrier literally said.', examples: [['raw']] }),
  sort: z
    .enum(eventSorts)
    .default('-time')
    .meta({ description: 'By the time of the event or of its receipt; `-` for newest first.', examples: ['-time'] }),
  limit: z
    .int()
    .min(1)
    .max(100)
    .default(50)
    .meta({ description: 'The most events of a page.', examples: [50] }),
  cursor: z
    .string()
    .min(1)
    .max(2000)
    .optional()
    .meta({ description: '`page.next_cursor` of the page before, with the same filter and sort.' }),
});

export type EventsRequest = {
  filter: EventFilter;
  sort: EventSort;
  limit: number;
  cursor: string | null;
  includeRaw: boolean;
};

/** The moments of `as_of` (ISO UTC), of which a date alone has two; null without it. Throws LandfallError naming every mistake. */
export function parseGetShipmentQuery(query: RawQuery): { earliest: string; latest: string } | null {
  if (Object.keys(query).length === 0) return null;
  const { as_of } = parseQuery(getShipmentQuery, query);
  if (as_of === undefined) return null;
  const [earliest, latest] = [readMoment(as_of, 'from'), readMoment(as_of, 'to')];
  return earliest === null || latest === null ? null : { earliest, latest };
}

/** Reads the query of the event history; in a list a comma or a repetition is OR. Throws LandfallError naming every mistake. */
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
