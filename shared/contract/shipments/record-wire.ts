import { z } from 'zod';
import {
  type RecordEvent,
  type RefreshOutcome,
  type TrackingReason,
  trackingReasons,
} from '#shared/domain/shipments/shipment.ts';
import { eventFields, instant, openEnum, textOrNull } from '../wire-parts.ts';
import { toWireEvent } from './shipment-wire.ts';

const wireHistoryEvent = z
  .strictObject({
    ...eventFields,
    raw: z.unknown().optional().meta({
      description:
        'What the carrier literally said; only with `include=raw`. Null where nothing was kept. Beyond 16,384 characters it is the beginning of the JSON, as text.',
    }),
    raw_truncated: z
      .boolean()
      .optional()
      .meta({ description: '`raw` is only the beginning; there only with `include=raw`.' }),
  })
  .meta({ id: 'HistoryEvent', description: 'One event of the whole history.' });

/** One page of the event history. */
export const wireEventList = z
  .strictObject({
    data: z
      .array(wireHistoryEvent)
      .meta({ description: 'The events of this page, also superseded and voided ones, which `flags` tells.' }),
    page: z
      .strictObject({
        limit: z
          .int()
          .min(1)
          .meta({ description: 'The most events of a page.', examples: [50] }),
        has_more: z.boolean().meta({ description: 'There is a next page.' }),
        next_cursor: textOrNull('Send it as `cursor` for the next page; null on the last one.'),
      })
      .meta({ description: 'Where this page stands.' }),
  })
  .meta({ id: 'EventPage', description: 'One page of the event history.' });

const wireRefresh = z
  .strictObject({
    at: instant('When; of a run, its last refresh.'),
    first_at: instant('Of a run, its first refresh; else the same as `at`.'),
    count: z
      .int()
      .min(1)
      .meta({ description: 'Refreshes in this row: a run of refreshes without news is one row.', examples: [1] }),
    outcome: openEnum(['changed', 'unchanged', 'not_found', 'error'], 'What came of it.'),
    reason: z
      .string()
      .nullable()
      .meta({
        description: `Why it brought nothing; null when the carrier answered. Open: accept new values. Known: ${trackingReasons.join(', ')}.`,
        examples: ['carrier_unreachable'],
      }),
    http_status: z
      .int()
      .nullable()
      .meta({ description: 'The HTTP status of the carrier’s answer; null when there was none.', examples: [200] }),
    duration_ms: z
      .number()
      .min(0)
      .meta({ description: 'How long the carrier took, in milliseconds.', examples: [412] }),
    events_added: z
      .int()
      .min(0)
      .meta({ description: 'Events that it brought.', examples: [3] }),
    source: textOrNull('Where it looked; `simulator:…` for the simulator.', 'dcsa:maersk'),
    trace_id: textOrNull('Its trace; null when it was not traced.', '4bf92f3577b34da6a3ce929d0e0e4736'),
  })
  .meta({ id: 'Refresh', description: 'One refresh, or a run of refreshes without news.' });

/** The last refreshes. */
export const wireRefreshList = z
  .strictObject({ data: z.array(wireRefresh).max(20).meta({ description: 'Newest first, at most 20 rows.' }) })
  .meta({ id: 'RefreshList', description: 'The last refreshes.' });

export type WireEventList = z.infer<typeof wireEventList>;
export type WireRefreshList = z.infer<typeof wireRefreshList>;

/** One page, as `listEvents` of the core gives it. */
export type EventPage = {
  events: readonly (RecordEvent & { raw?: { value: unknown; truncated: boolean } })[];
  limit: number;
  hasMore: boolean;
  nextCursor: string | null;
};

/** The answer of the event history. */
export function toWireEventList({ events, limit, hasMore, nextCursor }: EventPage): WireEventList {
  return {
    data: events.map((event) => ({
      ...toWireEvent(event),
      ...(event.raw === undefined ? {} : { raw: event.raw.value, raw_truncated: event.raw.truncated }),
    })),
    page: { limit, has_more: hasMore, next_cursor: nextCursor },
  };
}

/** One row, as `listRefreshes` of the core gives it. */
export type RefreshRow = {
  firstAt: string;
  lastAt: string;
  count: number;
  outcome: RefreshOutcome;
  reason: TrackingReason | null;
  httpStatus: number | null;
  durationMs: number;
  eventsAdded: number;
  source: string | null;
  traceId: string | null;
};

/** The answer of the refreshes. */
export function toWireRefreshList(refreshes: readonly RefreshRow[]): WireRefreshList {
  return {
    data: refreshes.map((refresh) => ({
      at: refresh.lastAt,
      first_at: refresh.firstAt,
      count: refresh.count,
      outcome: refresh.outcome,
      reason: refresh.reason,
      http_status: refresh.httpStatus,
      duration_ms: refresh.durationMs,
      events_added: refresh.eventsAdded,
      source: refresh.source,
      trace_id: refresh.traceId,
    })),
  };
}
