import { describe, expect, it } from 'vitest';
import { type FeedChanges, followChanges } from '#services/dashboard/api/change-feed.ts';
import {
  createPartReader,
  followStream,
  type StreamEnd,
  type StreamPart,
} from '#services/dashboard/api/change-stream.ts';
import { ProblemError } from '#services/dashboard/api/problem-error.ts';
import type { WireChange, WireChangeList } from '#shared/contract/feed/change-wire.ts';

type Answer = (Partial<WireChangeList['page']> & { positions?: number[] }) | Error;

type Streamed = (Partial<StreamPart> & { positions?: number[] })[] | StreamEnd | Error;

/**
 * Follows a feed that returns these pages one after the other, and these streams, and stops when there are no more. By
 * default, streams are withheld.
 */
async function follow(
  answers: Answer[],
  streams: Streamed[] | null = null,
): Promise<{
  asked: (number | 'latest')[];
  streamed: number[];
  published: FeedChanges[];
  pauses: number[];
  reads: boolean[];
}> {
  const controller = new AbortController();
  const asked: (number | 'latest')[] = [];
  const streamed: number[] = [];
  const published: FeedChanges[] = [];
  const pauses: number[] = [];
  const reads: boolean[] = [];
  let time = 0;
  const changesAt = (positions: number[]) => positions.map((position) => ({ position }) as WireChange);
  const stop = (): never => {
    controller.abort();
    throw new Error('ended');
  };
  const read = async (after: number | 'latest'): Promise<WireChangeList> => {
    asked.push(after);
    const answer = answers.shift() ?? stop();
    if (answer instanceof Error) throw answer;
    const { positions = [], ...page } = answer;
    return {
      data: changesAt(positions),
      page: { limit: 100, has_more: false, next_after: 0, oldest_position: 1, latest_position: 9, gap: false, ...page },
      as_of: '2026-04-15T08:00:00Z',
    };
  };
  const stream = async (after: number, onPart: (part: StreamPart) => void): Promise<StreamEnd> => {
    streamed.push(after);
    const next = streams === null ? { isWithheld: true, retryMs: 1000 } : (streams.shift() ?? stop());
    if (next instanceof Error) throw next;
    if (!Array.isArray(next)) return next;
    for (const { positions = [], ...part } of next)
      onPart({ changes: changesAt(positions), gap: false, lastId: positions.at(-1) ?? null, retryMs: null, ...part });
    return { isWithheld: false, retryMs: 1000 };
  };
  await followChanges(
    {
      read,
      stream,
      publish: (one) => published.push(one),
      pause: async (ms) => {
        pauses.push(ms);
        time += ms;
      },
      reportRead: (isConnected) => reads.push(isConnected),
      now: () => time,
    },
    controller.signal,
  );
  return { asked, streamed, published, pauses, reads };
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

const tooMany = new ProblemError({ code: 'rate_limited', status: 429, detail: 'streams', requestId: null });

describe('followChanges', () => {
  it('follows the stream from the latest position, and continues each one where the last ended', async () => {
    const { asked, streamed, published, pauses, reads } = await follow(
      [{ next_after: 5 }],
      [[{ positions: [6, 7] }, { lastId: 9 }], [{ positions: [12] }], unreachable, []],
    );
    expect(asked).toEqual(['latest']);
    expect(streamed).toEqual([5, 9, 12, 12, 12]);
    expect(published.flatMap(({ changes }) => changes.map(({ position }) => position))).toEqual([6, 7, 12]);
    expect(pauses).toEqual([1000, 1000, 6000, 1000]);
    expect(reads).toEqual([true, true, true, true, false]);
  });

  it('reports a gap that the stream reports, and restarts where the position is unknown', async () => {
    const reported = await follow([{ next_after: 5 }], [[{ gap: true, lastId: 1000 }, { positions: [1001] }]]);
    expect(reported.published.map(({ gap }) => gap)).toEqual([true, false]);
    expect(reported.streamed).toEqual([5, 1001]);
    const replaced = await follow([{ next_after: 500 }, { next_after: 3 }], [expiredPosition]);
    expect(replaced.asked).toEqual(['latest', 'latest']);
    expect(replaced.streamed).toEqual([500, 3]);
    expect(replaced.published).toEqual([{ changes: [], gap: true }]);
  });

  it('reads pages for a minute where the stream is withheld or refused, then tries it again', async () => {
    for (const refusal of [{ isWithheld: true, retryMs: 1000 }, tooMany]) {
      const pages = Array.from({ length: 21 }, (_, n) => ({ next_after: 6 + n, positions: [6 + n] }));
      const { asked, streamed, published, pauses } = await follow(
        [{ next_after: 5 }, ...pages.slice(0, 20)],
        [refusal, [{ positions: [26] }]],
      );
      expect(asked.slice(0, 4)).toEqual(['latest', 5, 6, 7]);
      expect(pauses.slice(0, 20)).toEqual(Array(20).fill(3000));
      expect(streamed.slice(0, 2)).toEqual([5, 25]);
      expect(published.flatMap(({ changes }) => changes.map(({ position }) => position))).toEqual(
        Array.from({ length: 21 }, (_, n) => 6 + n),
      );
    }
  });

  it('reads pages at once while there are more, without a pause', async () => {
    const { asked, published, pauses } = await follow([
      { next_after: 5 },
      { next_after: 7, positions: [6, 7], has_more: true },
      { next_after: 8, positions: [8] },
    ]);
    expect(asked).toEqual(['latest', 5, 7, 8]);
    expect(published.flatMap(({ changes }) => changes.map(({ position }) => position))).toEqual([6, 7, 8]);
    expect(pauses).toHaveLength(1);
  });

  it('retries a failed page without losing changes', async () => {
    const { asked, published, pauses, reads } = await follow([
      { next_after: 5 },
      unreachable,
      limited,
      { next_after: 6, positions: [6] },
    ]);
    expect(asked.slice(0, 4)).toEqual(['latest', 5, 5, 5]);
    expect(published).toHaveLength(1);
    expect(pauses[1]).toBe(60_000);
    expect(reads.slice(0, 4)).toEqual([true, false, false, true]);
  });

  it('reports a gap after a long absence', async () => {
    const absent = await follow([{ next_after: 5 }, { next_after: 9, gap: true }]);
    expect(absent.published).toEqual([{ changes: [], gap: true }]);
  });
});

describe('followStream', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const responseOf = (...chunks: string[]) =>
    new Response(
      new ReadableStream({
        start: (controller) => {
          for (const chunk of chunks) controller.enqueue(bytes(chunk));
          controller.close();
        },
      }),
    );

  it('reads the events of a stream however it is cut into chunks', () => {
    const text =
      'retry: 700\nid: 4\n\nid: 5\nevent: shipment.updated\ndata: {"position":5,"name":"Züri"}\n\n: heartbeat\n\n';
    const whole = bytes(text);
    for (let size = 1; size <= whole.length; size += 1) {
      const readPart = createPartReader();
      const parts: StreamPart[] = [];
      for (let start = 0; start < whole.length; start += size)
        parts.push(readPart(whole.subarray(start, start + size)));
      expect(parts.flatMap(({ changes }) => changes)).toEqual([{ position: 5, name: 'Züri' }]);
      expect(parts.findLast(({ lastId }) => lastId !== null)?.lastId).toBe(5);
      expect(parts.find(({ retryMs }) => retryMs !== null)?.retryMs).toBe(700);
    }
  });

  it('reports when the server wants the next request, and whether anything arrived', async () => {
    const { signal } = new AbortController();
    const parts: StreamPart[] = [];
    const open = async () =>
      responseOf('id: 3\n\n', 'id: 9\nevent: feed.gap\ndata: {"after":3}\n\n', 'retry: 2500\n\n');
    const end = await followStream(open, (part) => parts.push(part), signal);
    expect(end).toEqual({ isWithheld: false, retryMs: 2500 });
    expect(parts.map(({ gap, lastId }) => [gap, lastId])).toEqual([
      [false, 3],
      [true, 9],
      [false, null],
    ]);
    expect(
      await followStream(
        async () => responseOf(),
        () => undefined,
        signal,
      ),
    ).toMatchObject({ isWithheld: true });
    const refusing = async () => new Response('{"code":"rate_limited","detail":"many"}', { status: 429 });
    await expect(followStream(refusing, () => undefined, signal)).rejects.toMatchObject({ status: 429 });
  });
});
