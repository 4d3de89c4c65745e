import { describe, expect, it } from 'vitest';
import { followChanges, type News } from '#services/dashboard/api/change-feed.ts';
import { ProblemError } from '#services/dashboard/api/problem-error.ts';
import type { WireChange, WireChangeList } from '#shared/contract/feed/change-wire.ts';

type Answer = (Partial<WireChangeList['page']> & { positions?: number[] }) | Error;

/** Follows a feed that gives these answers, one after the other, and ends with the last. */
async function follow(
  answers: Answer[],
): Promise<{ asked: (number | 'latest')[]; news: News[]; pauses: number[]; told: boolean[] }> {
  const ending = new AbortController();
  const asked: (number | 'latest')[] = [];
  const news: News[] = [];
  const pauses: number[] = [];
  const told: boolean[] = [];
  const read = async (after: number | 'latest'): Promise<WireChangeList> => {
    asked.push(after);
    const answer = answers.shift();
    if (answer === undefined) {
      ending.abort();
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
      publish: (one) => news.push(one),
      pause: async (ms) => void pauses.push(ms),
      tell: (isAnswered) => told.push(isAnswered),
    },
    ending.signal,
  );
  return { asked, news, pauses, told };
}

const wrongPlace = new ProblemError({ code: 'validation_failed', status: 400, detail: 'after', requestId: null });
const away = new ProblemError({ code: 'network', status: 0, detail: 'away', requestId: null });
const limited = new ProblemError({
  code: 'rate_limited',
  status: 429,
  detail: 'slow',
  requestId: null,
  retryAfterS: 60,
});

describe('the follower of the feed', () => {
  it('begins now, and reads on from where each page ended, at once while there is more', async () => {
    const { asked, news, pauses } = await follow([
      { next_after: 5 },
      { next_after: 7, positions: [6, 7], has_more: true },
      { next_after: 8, positions: [8] },
    ]);
    expect(asked).toEqual(['latest', 5, 7, 8]);
    expect(news.flatMap(({ changes }) => changes.map(({ position }) => position))).toEqual([6, 7, 8]);
    expect(pauses).toHaveLength(2);
  });

  it('asks for a page again that could not be read, and leaves nothing out', async () => {
    const { asked, news, pauses, told } = await follow([
      { next_after: 5 },
      away,
      limited,
      { next_after: 6, positions: [6] },
    ]);
    expect(asked).toEqual(['latest', 5, 5, 5, 6]);
    expect(news).toHaveLength(1);
    expect(pauses[2]).toBe(60_000);
    expect(told.slice(0, 4)).toEqual([true, false, false, true]);
  });

  it('says when changes are missing: after a long absence, and where the feed is another one', async () => {
    const absent = await follow([{ next_after: 5 }, { next_after: 9, gap: true }]);
    expect(absent.news).toEqual([{ changes: [], gap: true }]);
    const replaced = await follow([{ next_after: 500 }, wrongPlace, { next_after: 3 }]);
    expect(replaced.asked).toEqual(['latest', 500, 'latest', 3]);
    expect(replaced.news).toEqual([{ changes: [], gap: true }]);
  });
});
