import { expect, it } from 'vitest';
import type { TracePart } from '#shared/domain/installation/trace.ts';
import { type BufferLimits, createPartBuffer } from '#shared/telemetry/traces/part-buffer.ts';
import { newTraceId, tracePart, traceSpan } from '#test/support/api/trace-parts.ts';

function open(write: (parts: readonly TracePart[]) => Promise<void>, limits: Partial<BufferLimits> = {}) {
  const seen = { kept: 0, dropped: {} as Record<string, number>, states: [] as unknown[] };
  const buffer = createPartBuffer({
    write,
    onKept: (spans) => {
      seen.kept += spans;
    },
    onDropped: (reason, spans) => {
      seen.dropped[reason] = (seen.dropped[reason] ?? 0) + spans;
    },
    onState: (state) => seen.states.push(state),
    limits,
  });
  return { buffer, seen };
}

function partOfSpans(count: number): TracePart {
  const traceId = newTraceId();
  return tracePart({ traceId, spans: Array.from({ length: count }, () => traceSpan(traceId)) });
}

it('writes batches that keep each trace together, and the rest when it is closed', async () => {
  const batches: number[][] = [];
  const { buffer, seen } = open(async (parts) => void batches.push(parts.map((part) => part.spans.length)), {
    batchSpans: 10,
  });
  for (const spans of [4, 4, 4, 25, 1]) buffer.add(partOfSpans(spans), 'error');
  await buffer.close();
  expect(batches).toEqual([[4, 4], [4], [25], [1]]);
  expect(seen).toEqual({ kept: 38, dropped: {}, states: [] });
});

it('never waits for a write that hangs, and drops and counts spans that no longer fit', async () => {
  const hanging = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const write = () => {
    begun.resolve();
    return hanging.promise;
  };
  const { buffer, seen } = open(write, { batchSpans: 2, bufferedSpans: 4, delayMs: 0 });
  for (let count = 0; count < 2; count++) buffer.add(partOfSpans(1), 'error');
  await begun.promise;
  for (let count = 0; count < 10; count++) buffer.add(partOfSpans(1), 'error');
  expect(seen.dropped).toEqual({ buffer_full: 6 });
  hanging.resolve();
  await buffer.close();
  expect(seen.kept).toBe(6);
});

it('drops and counts spans that cannot be written, and reports the failure and the recovery once each', async () => {
  const error = new Error('unavailable');
  let [isUnavailable, writes] = [true, 0];
  let wrote = Promise.withResolvers<void>();
  const { buffer, seen } = open(
    async () => {
      writes += 1;
      wrote.resolve();
      if (isUnavailable) throw error;
    },
    { delayMs: 0 },
  );
  for (const spans of [3, 4]) {
    wrote = Promise.withResolvers<void>();
    buffer.add(partOfSpans(spans), 'error');
    await wrote.promise;
  }
  isUnavailable = false;
  wrote = Promise.withResolvers<void>();
  buffer.add(partOfSpans(5), 'error');
  await wrote.promise;
  await buffer.close();
  expect(writes).toBe(3);
  expect(seen).toEqual({ kept: 5, dropped: { write_failed: 7 }, states: [error, null] });
});

it('writes no more than its rate in the long run, and drops ordinary traces first', () => {
  const { buffer, seen } = open(async () => undefined, { spansPerS: 0, burstSpans: 10, delayMs: 60_000 });
  for (let count = 0; count < 8; count++) buffer.add(partOfSpans(1), 'share');
  expect(seen.dropped).toEqual({ rate: 3 });
  for (let count = 0; count < 8; count++) buffer.add(partOfSpans(1), 'error');
  expect(seen.dropped).toEqual({ rate: 6 });
});
