import { describe, expect, test } from 'vitest';
import { ProblemError } from '#services/dashboard/api/problem-error.ts';
import { runBulk } from '#services/dashboard/api/run-bulk.ts';
import { failureWords, remedyWords } from '#services/dashboard/screens/failures/failure-words.ts';
import { countFailures, groupFailures } from '#services/dashboard/screens/failures/group-failures.ts';
import { remedyText } from '#services/dashboard/screens/failures/use-remedy.ts';
import { trackingReasons } from '#shared/domain/record/shipment.ts';

const failure = (state: string, reason: string | null, count: number, needing = count) => ({
  ...{ state, reason, count },
  needs_attention: needing,
});
const problem = (code: string, status = 409) =>
  new ProblemError({ code, status, detail: `no: ${code}`, requestId: null });

describe('groups of failures', () => {
  test('have the counts of the whole account, and those that need action come first', () => {
    const failures = [
      failure('degraded', 'carrier_unreachable', 5803, 3),
      failure('failed', 'invalid_identifier', 1),
      failure('failed', 'carrier_unreachable', 1),
      failure('awaiting_carrier', null, 1, 0),
    ];
    const shown = (isNarrowed: boolean) => groupFailures(failures, isNarrowed).map(({ key, count }) => [key, count]);
    expect(shown(false)).toEqual([
      ['failed invalid_identifier', 1],
      ['awaiting_carrier', 1],
      ['failed carrier_unreachable', 1],
      ['degraded carrier_unreachable', 5803],
    ]);
    expect(shown(true)).toEqual([
      ['failed invalid_identifier', 1],
      ['failed carrier_unreachable', 1],
      ['degraded carrier_unreachable', 3],
    ]);
    expect(countFailures(failures)).toEqual({ all: 5806, needing: 5 });
  });

  test('have a title for every reason, including unknown ones', () => {
    const titles = trackingReasons.map((reason) => failureWords(reason).title);
    expect(new Set(titles).size).toBe(trackingReasons.length);
    expect(failureWords('future_reason').title).toBe('Not tracked');
  });

  test('resume tracking that has ended, and refresh all other shipments', () => {
    expect([remedyWords('refresh', 'failed'), remedyWords('refresh', 'degraded')]).toEqual([
      'Resume tracking',
      'Refresh now',
    ]);
  });
});

describe('a remedy for many shipments', () => {
  const ids = Array.from({ length: 9 }, (_, index) => String(index));
  const quietly = { report: () => {}, pause: async () => {} };
  const signal = new AbortController().signal;
  const texts = {
    running: 'Requesting',
    done: (count: number) => `${count} ${count === 1 ? 'refresh' : 'refreshes'} requested`,
  };

  test('runs once per shipment and continues after failures', async () => {
    const requested: string[] = [];
    const lines = await runBulk(
      {
        items: ids,
        act: async (id) => {
          requested.push(id);
          if (id === '3') throw problem('shipment_not_found', 404);
          if (id === '4') throw problem('refresh_too_soon', 429);
          return 'done';
        },
        ...quietly,
      },
      signal,
    );
    expect(requested.toSorted()).toEqual(ids);
    expect(remedyText(lines, 9, texts)).toBe(
      '7 refreshes requested. 1 skipped: refreshed in the last 10 minutes, or already running. 1 failed: no: shipment_not_found.',
    );
    expect(remedyText(lines.slice(0, 4), 9, texts)).toBe('Requesting 4 of 9');
  });

  test('waits for the end of a rate limit, and gives up after repeated ones', async () => {
    const turns = new Map<string, number>();
    const lines = await runBulk(
      {
        items: ['soon', 'never'],
        act: async (id) => {
          const turn = (turns.get(id) ?? 0) + 1;
          turns.set(id, turn);
          if (id === 'never' || turn < 3) throw problem('rate_limited', 429);
          return 'done';
        },
        ...quietly,
      },
      signal,
    );
    expect(lines.map(({ outcome }) => outcome)).toEqual(['done', 'failed']);
    expect(remedyText(lines, 2, texts)).toBe('1 refresh requested. 1 failed: no: rate_limited.');
  });
});
