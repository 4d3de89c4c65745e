import { z } from 'zod';
import { maxUnreadableEvents, type ShownUnreadableEvent, type Unreadable } from '#shared/domain/events/unreadable.ts';
import {
  type RecordEvent,
  type RefreshOutcome,
  type TrackingReason,
  trackingReasons,
} from '#shared/domain/record/shipment.ts';
import { toWireEvent } from '../record/event-wire.ts';
import { eventFields } from '../record/shipment-parts.ts';
import { instant, knownValues, openEnum, textOrNull, traceKept } from '../schema-parts.ts';

const wireHistoryEvent = z
  .strictObject({
    ...eventFields,
    raw: z
      .unknown()
      .optional()
      .meta({
        description:
          'Original data of the carrier. Only with `include=raw`. Null if none was kept. Beyond 16,384 characters it ' +
          'is the beginning of the JSON, as text.',
      }),
    raw_truncated: z
      .boolean()
      .optional()
      .meta({ description: 'Whether `raw` was truncated. Only with `include=raw`.' }),
  })
  .meta({ id: 'HistoryEvent', description: 'An event of the full history.' });

/** One page of the event history. */
export const wireEventList = z
  .strictObject({
    data: z
      .array(wireHistoryEvent)
      .meta({ description: 'The events of this page, including superseded and voided ones, marked in `flags`.' }),
    page: z
      .strictObject({
        limit: z
          .int()
          .min(1)
          .meta({ description: 'Page size.', examples: [50] }),
        has_more: z.boolean().meta({ description: 'Whether there is another page.' }),
        next_cursor: textOrNull('`cursor` of the next page. Null on the last page.'),
      })
      .meta({ description: 'Pagination.' }),
  })
  .meta({ id: 'EventPage', description: 'One page of the event history.' });

const wireUnreadable = z
  .strictObject({
    count: z
      .int()
      .min(1)
      .meta({ description: 'Number of events that could not be read.', examples: [2] }),
    reasons: z
      .array(z.string())
      .max(5)
      .meta({ description: 'The most frequent reasons, at most 5.', examples: [['eventDateTime is missing']] }),
  })
  .meta({
    id: 'Unreadable',
    description:
      'Unreadable parts of the response. Null if it was read in full. `…/unreadable-events` has the raw data.',
  });

const wireRefresh = z
  .strictObject({
    at: instant('When the refresh ran. For a run, its last refresh.'),
    first_at: instant('For a run, its first refresh. Otherwise the same as `at`.'),
    count: z
      .int()
      .min(1)
      .meta({
        description: 'Number of refreshes in this row. A run of refreshes without changes is one row.',
        examples: [1],
      }),
    outcome: openEnum(['changed', 'unchanged', 'not_found', 'error'], 'Outcome of the refresh.'),
    reason: z
      .string()
      .nullable()
      .meta({
        description:
          'Why the refresh returned no data, or `partial_response`. Null if it returned all data. ' +
          `${knownValues(trackingReasons)}`,
        examples: ['carrier_unreachable'],
      }),
    detail: textOrNull('The reason in words. Null if there is none.', 'The carrier returned a server error (503).'),
    unreadable: wireUnreadable
      .nullable()
      .meta({ description: 'Unreadable parts of the response. Null if it was read in full.' }),
    http_status: z
      .int()
      .nullable()
      .meta({ description: 'HTTP status of the carrier’s response. Null without a response.', examples: [200] }),
    duration_ms: z
      .number()
      .min(0)
      .meta({ description: 'Response time of the carrier in milliseconds.', examples: [412] }),
    events_added: z
      .int()
      .min(0)
      .meta({ description: 'Number of new events.', examples: [3] }),
    source: textOrNull('Source of the data. `simulator:…` for simulated carriers.', 'dcsa:maersk'),
    trace_id: textOrNull('Trace of the refresh. Null if it was not traced.', '4bf92f3577b34da6a3ce929d0e0e4736'),
    trace_kept: traceKept,
  })
  .meta({ id: 'Refresh', description: 'A refresh, or a run of refreshes without changes.' });

/** The last refreshes. */
export const wireRefreshList = z
  .strictObject({ data: z.array(wireRefresh).max(20).meta({ description: 'At most 20 rows, newest first.' }) })
  .meta({ id: 'RefreshList', description: 'The last refreshes.' });

const wireUnreadableEvent = z
  .strictObject({
    reason: z.string().meta({ description: 'Why it could not be read.', examples: ['eventDateTime is missing'] }),
    seen_at: instant('When the carrier first sent it.'),
    raw: z.unknown().meta({
      description: 'Original data of the carrier. Beyond 16,384 characters it is the beginning of the JSON, as text.',
    }),
    raw_truncated: z.boolean().meta({ description: 'Whether `raw` was truncated.' }),
  })
  .meta({ id: 'UnreadableEvent', description: 'An event of the carrier that was set aside.' });

/** The events of a shipment that were set aside. */
export const wireUnreadableEventList = z
  .strictObject({
    data: z
      .array(wireUnreadableEvent)
      .max(maxUnreadableEvents)
      .meta({
        description: `The newest ${maxUnreadableEvents} events, newest first.`,
      }),
  })
  .meta({ id: 'UnreadableEventList', description: 'The events of a shipment that could not be read.' });

export type WireUnreadableEventList = z.infer<typeof wireUnreadableEventList>;
export type WireEventList = z.infer<typeof wireEventList>;
export type WireRefreshList = z.infer<typeof wireRefreshList>;

/** One page, as `listEvents` of the core returns it. */
export type EventPage = {
  events: readonly (RecordEvent & { raw?: { value: unknown; truncated: boolean } })[];
  limit: number;
  hasMore: boolean;
  nextCursor: string | null;
};

export function toWireEventList({ events, limit, hasMore, nextCursor }: EventPage): WireEventList {
  return {
    data: events.map((event) => ({
      ...toWireEvent(event),
      ...(event.raw === undefined ? {} : { raw: event.raw.value, raw_truncated: event.raw.truncated }),
    })),
    page: { limit, has_more: hasMore, next_cursor: nextCursor },
  };
}

/** One row, as `listRefreshes` of the core returns it. */
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
  traceKept: boolean;
  detail: string | null;
  unreadable: Unreadable | null;
};

export function toWireRefreshList(refreshes: readonly RefreshRow[]): WireRefreshList {
  return {
    data: refreshes.map((refresh) => ({
      at: refresh.lastAt,
      first_at: refresh.firstAt,
      count: refresh.count,
      outcome: refresh.outcome,
      reason: refresh.reason,
      detail: refresh.detail,
      unreadable: refresh.unreadable && { count: refresh.unreadable.count, reasons: refresh.unreadable.reasons },
      http_status: refresh.httpStatus,
      duration_ms: refresh.durationMs,
      events_added: refresh.eventsAdded,
      source: refresh.source,
      trace_id: refresh.traceId,
      trace_kept: refresh.traceKept,
    })),
  };
}

/** Events that were set aside, as `listUnreadableEvents` of the core returns them. */
export function toWireUnreadableEventList(events: readonly ShownUnreadableEvent[]): WireUnreadableEventList {
  return {
    data: events.map(({ reason, seenAt, raw }) => ({
      reason,
      seen_at: seenAt,
      raw: raw.value,
      raw_truncated: raw.truncated,
    })),
  };
}
