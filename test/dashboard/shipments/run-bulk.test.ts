import { describe, expect, it } from 'vitest';
import { ProblemError } from '#services/dashboard/api/problem-error.ts';
import { runBulk } from '#services/dashboard/api/run-bulk.ts';
import { selectionFilters, splitRecords } from '#services/dashboard/screens/shipments/export/export-file.ts';
import { bulkText, failureTexts } from '#services/dashboard/screens/shipments/selection/bulk-words.ts';

const items = Array.from({ length: 20 }, (_, index) => index);

function failure(status: number, code: string, retryAfterS: number | null = null): ProblemError {
  return new ProblemError({ code, status, detail: `failed: ${code}`, requestId: null, retryAfterS });
}

describe('runBulk', () => {
  it('processes each item once, and waits as long as a rate limit asks', async () => {
    const done: number[] = [];
    const pauses: number[] = [];
    let limited = 0;
    const lines = await runBulk(
      {
        items,
        act: async (item) => {
          if (item % 5 === 0 && limited < 3) {
            limited += 1;
            throw failure(429, 'rate_limited', 7);
          }
          done.push(item);
          return 'done';
        },
        report: () => undefined,
        pause: async (ms) => {
          pauses.push(ms);
        },
      },
      new AbortController().signal,
    );
    expect(done.toSorted((left, right) => left - right)).toEqual(items);
    expect(lines.map(({ item, outcome }) => [item, outcome])).toEqual(items.map((item) => [item, 'done']));
    expect(new Set(pauses)).toEqual(new Set([7000]));
  });

  it('reports why an item failed, and does not wait for a refresh limit', async () => {
    const pauses: number[] = [];
    const lines = await runBulk(
      {
        items: [1, 2, 3],
        act: async (item) => {
          if (item === 2) throw failure(429, 'refresh_too_soon', 540);
          if (item === 3) throw failure(404, 'shipment_not_found');
          return 'done';
        },
        report: () => undefined,
        pause: async (ms) => {
          pauses.push(ms);
        },
      },
      new AbortController().signal,
    );
    expect(lines.map(({ outcome, text }) => [outcome, text])).toEqual([
      ['done', 'done'],
      ['failed', 'failed: refresh_too_soon'],
      ['failed', 'failed: shipment_not_found'],
    ]);
    expect(pauses).toEqual([]);
  });

  it('gives up after repeated temporary failures', async () => {
    let tries = 0;
    const [line] = await runBulk(
      {
        items: [1],
        act: async () => {
          tries += 1;
          throw failure(503, 'unavailable', 1);
        },
        report: () => undefined,
        pause: async () => undefined,
      },
      new AbortController().signal,
    );
    expect(line).toMatchObject({ outcome: 'failed', text: 'failed: unavailable' });
    expect(tries).toBe(6);
  });

  it('reports unstarted items as skipped after an abort', async () => {
    const controller = new AbortController();
    const lines = await runBulk(
      {
        items,
        act: async (item) => {
          if (item === 5) controller.abort();
          return 'done';
        },
        report: () => undefined,
        pause: async () => undefined,
      },
      controller.signal,
    );
    expect(lines).toHaveLength(items.length);
    expect(lines.at(-1)).toMatchObject({ outcome: 'skipped' });
  });
});

describe('an export', () => {
  it('is split into records wherever its chunks end', () => {
    const text = 'shipment_id,reference\r\nshp_1,"two\nlines, ""quoted"""\r\nshp_2,x\r\n';
    const records = ['shipment_id,reference\r\n', 'shp_1,"two\nlines, ""quoted"""\r\n', 'shp_2,x\r\n'];
    for (let cut = 0; cut <= text.length; cut += 1) {
      const first = splitRecords(text.slice(0, cut), 'csv');
      const second = splitRecords(first.tail + text.slice(cut), 'csv');
      expect([...first.records, ...second.records]).toEqual(records);
      expect(second.tail).toBe('');
    }
  });

  it('of a selection filters by 50 numbers at a time, archived shipments separately', () => {
    const rows = Array.from({ length: 120 }, (_, index) => ({
      number: { kind: 'mbl', value: `N${index}` },
      isArchived: index >= 110,
    }));
    const filters = selectionFilters(rows);
    expect(filters.map(({ identifier, archived }) => [identifier?.length, archived ?? false])).toEqual([
      [50, false],
      [50, false],
      [10, false],
      [10, 'true'],
    ]);
    expect(new Set(filters.flatMap(({ identifier }) => identifier)).size).toBe(120);
  });
});

describe('the words of an action on many shipments', () => {
  const done = {
    ...{ bulk_action_id: 'blk_1', object: 'bulk_action' as const, action: 'archive', tags_add: [], tags_remove: [] },
    ...{
      undoes: null,
      state: 'completed',
      stop_reason: null,
      total: 1200,
      processed: 1200,
      changed: 1199,
      unchanged: 0,
      failed: 1,
    },
    ...{ limited: false, failures: [], created_at: '', completed_at: '' },
  };

  it('gives the progress, then the result', () => {
    expect(bulkText({ ...done, state: 'finding', total: 1 })).toBe('Archiving: 1 shipment found so far');
    expect(bulkText({ ...done, state: 'running', processed: 50 })).toBe('Archiving: 50 of 1,200 shipments');
    expect(bulkText(done)).toBe('1,199 shipments archived, 1 failed.');
    expect(bulkText({ ...done, state: 'cancelled', processed: 50, changed: 50, failed: 0 })).toBe(
      '50 shipments archived, cancelled after 50 of 1,200.',
    );
    const stopped = { ...done, state: 'stopped', stop_reason: 'key_revoked', processed: 50, changed: 50, failed: 0 };
    expect(bulkText(stopped)).toBe(
      '50 shipments archived, stopped after 50 of 1,200 because the key that started it was revoked.',
    );
    expect(bulkText({ ...stopped, stop_reason: 'added_later' })).toContain(
      'because the key or member that started it lost access.',
    );
  });

  it('gives each reason of failures once', () => {
    const failure = (detail: string) => ({ shipment_id: 'shp_1', code: 'x', detail });
    const failures = [failure('Retry in 5 s.'), failure('Retry in 9 s.'), failure('Archived.')];
    expect(failureTexts({ failures, failed: 203 })).toEqual([
      '2 shipments: Retry in 5 s.',
      '1 shipment: Archived.',
      '200 more are not listed.',
    ]);
  });
});
