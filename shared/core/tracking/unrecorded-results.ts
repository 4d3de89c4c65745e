import { cutText } from '#shared/domain/cut-text.ts';
import type { FetchResult } from '#shared/domain/record/shipment.ts';
import { type PreparedRefresh, sourceOf } from './prepare-refresh.ts';

/** Recorded in place of a reading that can't be: the response is unreadable, and its beginning is kept. */
export function asUnstorable(refresh: PreparedRefresh): PreparedRefresh {
  const detail = "The carrier's response contains values that can't be recorded.";
  const unreadable = [{ raw: startOf(refresh.result), reason: detail }];
  return failed(refresh, { reason: 'unrecognized_response', detail, unreadable });
}

/** Recorded in place of a result that could not be recorded for a reason of ours. */
export function asNotRecorded(refresh: PreparedRefresh): PreparedRefresh {
  return failed(refresh, { reason: 'internal_error', detail: 'The refresh could not be recorded.' });
}

type FailedResult = FetchResult & { outcome: 'error' };

function failed(
  refresh: PreparedRefresh,
  why: Pick<FailedResult, 'reason' | 'detail' | 'unreadable'>,
): PreparedRefresh {
  const { httpStatus, durationMs } = refresh.result;
  const source = sourceOf(refresh.result);
  const common = { outcome: 'error', httpStatus, durationMs, permanent: false, retryAfterMs: null, source } as const;
  return { ...refresh, result: { ...common, ...why }, readingHash: null, isSameReading: false };
}

/** A longer text would not be shown. */
const maxRawLength = 16_384;
const maxRawEvents = 100;

function startOf(result: FetchResult): string | null {
  if (result.outcome !== 'found') return null;
  const raws = result.reading.events.slice(0, maxRawEvents).map(({ raw }) => raw);
  try {
    return cutText(JSON.stringify(raws), maxRawLength);
  } catch {
    return null;
  }
}
