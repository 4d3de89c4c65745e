import type { TraceFilter } from '#shared/domain/operations/trace.ts';

/** Every trace that is kept. */
export const anyTrace: TraceFilter = {
  shipmentId: null,
  carrier: null,
  outcome: null,
  failed: false,
  sinceS: 300_000,
  order: 'newest',
  limit: 200,
};
