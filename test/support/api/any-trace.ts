import type { TraceFilter } from '#shared/domain/installation/trace.ts';

/** A filter that matches every stored trace. */
export const anyTrace: TraceFilter = {
  shipmentId: null,
  carrier: null,
  outcome: null,
  failed: false,
  sinceS: 300_000,
  order: 'newest',
  limit: 200,
};
