export type SpanKindName = 'internal' | 'server' | 'client' | 'producer' | 'consumer';
export type SpanStatusName = 'unset' | 'ok' | 'error';
export type SpanAttribute = string | number | boolean;

/** A span of another trace. */
export type SpanLink = { traceId: string; spanId: string };

/** One stored span. Ids are hex: 32 digits for the trace, 16 for the span. Times are microseconds since 1970. */
export type TraceSpan = {
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  service: string;
  name: string;
  kind: SpanKindName;
  startedAtUs: number;
  durationUs: number;
  status: SpanStatusName;
  attributes: Record<string, SpanAttribute>;
  links: SpanLink[];
};

/**
 * Reasons for storing a part of a trace: it failed, was rate-limited (429), was slow, belongs to a refresh that
 * somebody requested, belongs to test mode, was sampled, or continues a stored part.
 */
export const keptReasons = ['error', 'limited', 'slow', 'requested', 'test', 'share', 'follows'] as const;
export type KeptReason = (typeof keptReasons)[number];

/**
 * The attribute by which code has the trace of a span kept, with the reason as its value. It doesn't cross processes:
 * each one that has a part of the trace sets it again.
 */
export const keptForAttribute = 'trace.kept_for';

/** Ordinary traces are many, so they never use the part of the store's allowance that is reserved for the others. */
export function isOrdinary(reason: KeptReason): boolean {
  return reason === 'share' || reason === 'test';
}

/** One process's part of a trace: the fields to find it by, and its spans. */
export type TracePart = {
  traceId: string;
  service: string;
  /** Name of the first span. */
  name: string;
  startedAtUs: number;
  durationUs: number;
  keptFor: KeptReason;
  failed: boolean;
  httpStatus: number | null;
  errorType: string | null;
  outcome: string | null;
  carrier: string | null;
  shipmentId: string | null;
  accountId: string | null;
  spans: TraceSpan[];
};

/** A trace in a list. */
export type TraceSummary = {
  traceId: string;
  name: string;
  services: string[];
  startedAtUs: number;
  durationUs: number;
  failed: boolean;
  httpStatus: number | null;
  errorType: string | null;
  outcome: string | null;
  carrier: string | null;
  shipmentId: string | null;
};

export const traceOrders = ['newest', 'slowest'] as const;
export type TraceOrder = (typeof traceOrders)[number];

/** The conditions of a list of traces. Null: no condition. */
export type TraceFilter = {
  shipmentId: string | null;
  carrier: string | null;
  outcome: string | null;
  failed: boolean;
  /** Started at most this many seconds ago. */
  sinceS: number;
  order: TraceOrder;
  limit: number;
};

const traceIdPattern = /^(?!0{32})[0-9a-f]{32}$/;

/** True for 32 lower-case hex digits that are not all zero. */
export function isTraceId(text: string): boolean {
  return traceIdPattern.test(text);
}

/** 2026-01-01: no installation is older. */
const earliestTraceS = 1_767_225_600;
const clockToleranceS = 86_400;

/**
 * When a trace of this installation started, in ms since 1970: the first eight digits of its id are seconds, as in AWS
 * X-Ray. Null: the text isn't a trace id, or the id is none of ours because its time is impossible.
 */
export function traceStartOf(text: string, nowMs: number): number | null {
  if (!isTraceId(text)) return null;
  const startedS = Number.parseInt(text.slice(0, 8), 16);
  return startedS >= earliestTraceS && startedS <= nowMs / 1000 + clockToleranceS ? startedS * 1000 : null;
}

/** Replaces the first eight digits of a random trace id with the time. */
export function timedTraceId(random: string, nowMs: number): string {
  return (
    Math.floor(nowMs / 1000)
      .toString(16)
      .padStart(8, '0') + random.slice(8)
  );
}

/** Hours for which traces are kept. */
export const keptTraceHours = 48;

/** True for the same share of trace ids in every process. Ids are random, so their last digits serve as a hash. */
export function isInShare(traceId: string, share: number): boolean {
  return Number.parseInt(traceId.slice(-8), 16) < share * 2 ** 32;
}
