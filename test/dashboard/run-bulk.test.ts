import { describe, expect, it } from 'vitest';
import { ProblemError } from '#services/dashboard/api/problem-error.ts';
import { runBulk } from '#services/dashboard/api/run-bulk.ts';
import { selectionFilters, splitRecords } from '#services/dashboard/screens/shipments/export/export-file.ts';
import { tagsAfter } from '#services/dashboard/screens/shipments/selection/use-bulk.ts';

const items = Array.from({ length: 20 }, (_, index) => index);

function refusal(status: number, code: string, retryAfterS: number | null = null): ProblemError {
  return new ProblemError({ code, status, detail: `refused: ${code}`, requestId: null, retryAfterS });
}

describe('one thing done to many', () => {
  it('is done to each once, and waits as long as a limit asks', async () => {
    const done: number[] = [];
    const pauses: number[] = [];
    let refused = 0;
    const lines = await runBulk(
      {
        items,
        act: async (item) => {
          if (item % 5 === 0 && refused < 3) {
            refused += 1;
            throw refusal(429, 'rate_limited', 7);
          }
          done.push(item);
          return 'done';
        },
        tell: () => undefined,
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

  it('tells each that was refused why, and does not wait for what takes minutes', async () => {
    const pauses: number[] = [];
    const lines = await runBulk(
      {
        items: [1, 2, 3],
        act: async (item) => {
          if (item === 2) throw refusal(429, 'refresh_too_soon', 540);
          if (item === 3) throw refusal(404, 'shipment_not_found');
          return 'done';
        },
        tell: () => undefined,
        pause: async (ms) => {
          pauses.push(ms);
        },
      },
      new AbortController().signal,
    );
    expect(lines.map(({ outcome, words }) => [outcome, words])).toEqual([
      ['done', 'done'],
      ['failed', 'refused: refresh_too_soon'],
      ['failed', 'refused: shipment_not_found'],
    ]);
    expect(pauses).toEqual([]);
  });

  it('gives up on one that never goes, and says so', async () => {
    let tries = 0;
    const [line] = await runBulk(
      {
        items: [1],
        act: async () => {
          tries += 1;
          throw refusal(503, 'unavailable', 1);
        },
        tell: () => undefined,
        pause: async () => undefined,
      },
      new AbortController().signal,
    );
    expect(line).toMatchObject({ outcome: 'failed', words: 'refused: unavailable' });
    expect(tries).toBe(6);
  });

  it('names what was not begun when somebody stops it', async () => {
    const ending = new AbortController();
    const lines = await runBulk(
      {
        items,
        act: async (item) => {
          if (item === 5) ending.abort();
          return 'done';
        },
        tell: () => undefined,
        pause: async () => undefined,
      },
      ending.signal,
    );
    expect(lines).toHaveLength(items.length);
    expect(lines.at(-1)).toMatchObject({ outcome: 'skipped' });
  });
});

describe('tags', () => {
  it('are added once and removed, the others stay', () => {
    expect(tagsAfter(['a', 'b'], { add: ['b', 'c'], remove: ['a'] })).toEqual(['b', 'c']);
  });
});

describe('an export', () => {
  it('is split into its records, however it was cut into parts', () => {
    const text = 'shipment_id,reference\r\nshp_1,"two\nlines, ""quoted"""\r\nshp_2,x\r\n';
    const records = ['shipment_id,reference\r\n', 'shp_1,"two\nlines, ""quoted"""\r\n', 'shp_2,x\r\n'];
    for (let cut = 0; cut <= text.length; cut += 1) {
      const first = splitRecords(text.slice(0, cut), 'csv');
      const second = splitRecords(first.tail + text.slice(cut), 'csv');
      expect([...first.records, ...second.records]).toEqual(records);
      expect(second.tail).toBe('');
    }
  });

  it('of a selection asks for every number, fifty at a time, archived ones apart', () => {
    const rows = Array.from({ length: 120 }, (_, index) => ({
      number: { kind: 'mbl', value: `N${index}` },
      isArchived: index >= 110,
    }));
    const filters = selectionFilters(rows);
    expect(filters.map(({ identifier, archived }) => [identifier?.length, archived ?? false])).toEqual([
      [50, false],
      [50, false],
      [10, false],
      [10, true],
    ]);
    expect(new Set(filters.flatMap(({ identifier }) => identifier)).size).toBe(120);
  });
});
