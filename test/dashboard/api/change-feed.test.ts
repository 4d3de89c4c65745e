import { describe, expect, it } from 'vitest';
import { type FeedChanges, followChanges } from '#services/dashboard/api/change-feed.ts';
import { ProblemError } from '#services/dashboard/api/problem-error.ts';
import type { WireChange, WireChangeList } from '#shared/contract/feed/change-wire.ts';

type Answer = (Partial<WireChangeList['page']> & { positions?: number[] }) | Error;

/** Follows a feed that returns these answers one after the other, and stops after the last. */
async function follow(
  answers: Answer[],
): Promise<{ asked: (number | 'latest')[]; published: FeedChanges[]; pauses: number[]; reads: boolean[] }> {
  const controller = new AbortController();
  const asked: (number | 'latest')[] = [];
  const published: FeedChanges[] = [];
  const pauses: number[] = [];
  const reads: boolean[] = [];
  const read = async (after: number | 'latest'): Promise<WireChangeList> => {
    asked.push(after);
    const answer = answers.shift();
    if (answer === undefined) {
      controller.abort();
      throw new Error('ended');
    }
    if (answer instanceof Error) throw answer;
    const { positions = [], ...page } = answer;
    return {
      data: positions.map((position) => ({ position }) as WireChange),
      page: { limit: 100, has_more: false, next_after: 0, oldest_position: 1, latest_position: 9, gap: false, ...page },
      as_of: '2026-04-15T08:00:00Z',
    };
  };
  await followChanges(
    {
      read,
      publish: (one) => published.push(one),
      pause: async (ms) => void pauses.push(ms),
      reportRead: (isConnected) => reads.push(isConnected),
    },
    controller.signal,
  );
  return { asked, published, pauses, reads };
}

const expiredPosition = new ProblemError({ code: 'validation_failed', status: 400, detail: 'after', requestId: null });
const unreachable = new ProblemError({ code: 'network', status: 0, detail: 'unreachable', requestId: null });
const limited = new ProblemError({
  code: 'rate_limited',
  status: 429,
  detail: 'slow',
  requestId: null,
  retryAfterS: 60,
});

describe('followChanges', () => {
  it('starts at the latest position and continues after each page, without a pause while there are more', async () => {
    const { asked, published, pauses } = await follow([
      { next_after: 5 },
      { next_after: 7, positions: [6, 7], has_more: true },
      { next_after: 8, positions: [8] },
    ]);
    expect(asked).toEqual(['latest', 5, 7, 8]);
    expect(published.flatMap(({ changes }) => changes.map(({ position }) => position))).toEqual([6, 7, 8]);
    expect(pauses).toHaveLength(2);
  });

  it('retries a failed page without losing changes', async () => {
    const { asked, published, pauses, reads } = await follow([
      { next_after: 5 },
      unreachable,
      limited,
      { next_after: 6, positions: [6] },
    ]);
    expect(asked).toEqual(['latest', 5, 5, 5, 6]);
    expect(published).toHaveLength(1);
    expect(pauses[2]).toBe(60_000);
    expect(reads.slice(0, 4)).toEqual([true, false, false, true]);
  });

  it('reports a gap after a long absence and when the position is unknown', async () => {
    const absent = await follow([{ next_after: 5 }, { next_after: 9, gap: true }]);
    expect(absent.published).toEqual([{ changes: [], gap: true }]);
    const replaced = await follow([{ next_after: 500 }, expiredPosition, { next_after: 3 }]);
    expect(replaced.asked).toEqual(['latest', 500, 'latest', 3]);
    expect(replaced.published).toEqual([{ changes: [], gap: true }]);
  });
});
