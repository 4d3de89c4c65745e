import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { keepLimit } from '#shared/limits/published-limit.ts';
import type { TakeTokens, TokenBucket } from '#shared/limits/token-bucket.ts';
import { openTokenBuckets } from '#shared/limits/token-buckets.ts';
import { patienceMs } from '#test/support/until.ts';

export type TokenBackend = { takeTokens: TakeTokens; close: () => Promise<void> };

/** The guarantees of shared buckets over any store. Two backends stand for two processes. */
export function describeTokenBuckets(name: string, openBackends: () => Promise<[TokenBackend, TokenBackend]>): void {
  describe(`token buckets in ${name}`, () => {
    let backends: [TokenBackend, TokenBackend];
    let keys = 0;

    beforeAll(async () => {
      backends = await openBackends();
    });
    afterAll(() => Promise.all(backends.map((backend) => backend.close())));

    const instance = ({ takeTokens }: TokenBackend) =>
      openTokenBuckets({
        takeTokens,
        timeoutMs: patienceMs,
        workers: () => 2,
        onUnavailable: (error) => expect.fail(String(error)),
      });
    const pair = (published: { calls: number; perMs: number; burst: number }): [TokenBucket, TokenBucket] => {
      keys += 1;
      const [first, second] = backends;
      return [
        instance(first).bucket(`pair ${keys}`, keepLimit(published)),
        instance(second).bucket(`pair ${keys}`, keepLimit(published)),
      ];
    };

    it('never exceeds the published calls in any window of two processes, and grants the next within a window', async () => {
      const published = { calls: 40, perMs: 1000, burst: 40 };
      const wanted = 4 * published.calls;
      const granted: { from: number; to: number }[] = [];
      const waits: number[] = [];
      const drain = async (bucket: TokenBucket) => {
        while (granted.length < wanted) {
          const from = performance.now();
          const answer = await bucket.reserve(1);
          if (answer.granted === 1) granted.push({ from, to: performance.now() });
          else {
            waits.push(answer.waitMs);
            await new Promise((resolve) => setTimeout(resolve, Math.min(answer.waitMs, 50)));
          }
        }
      };
      await Promise.all(pair(published).flatMap((bucket) => [drain(bucket), drain(bucket), drain(bucket)]));
      // A call counts for a window only if it was certainly made in it, so that a busy machine adds none.
      const inWindow = (start: number) =>
        granted.filter(({ from, to }) => from >= start && to < start + published.perMs).length;
      expect(Math.max(...granted.map(({ from }) => inWindow(from)))).toBeLessThanOrEqual(published.calls);
      // No caller has to wait for longer than the window that uses up the budget.
      expect(Math.max(...waits)).toBeLessThanOrEqual(published.perMs);
    });

    it('reserves a fifth of the bucket for refreshes that clients request', async () => {
      const [first, second] = pair({ calls: 400, perMs: 3_600_000, burst: 20 });
      expect((await first.reserve(100)).granted).toBe(16);
      expect(await second.reserve(1)).toMatchObject({ granted: 0 });
      expect((await second.reserve(100, { priority: true })).granted).toBe(4);
    });

    it('closes the bucket for every process for as long as the carrier asks, and no longer', async () => {
      const [first, second] = pair({ calls: 1000, perMs: 1000, burst: 100 });
      // A busy machine may take longer for one look than the bucket is closed.
      await vi.waitFor(
        async () => {
          first.close(700);
          await second.refresh();
          expect(second.standing().closedMs).toBeGreaterThan(0);
          expect(second.take({ priority: true })).toBeGreaterThan(0);
          expect(await second.reserve(1, { priority: true })).toMatchObject({ granted: 0 });
          expect(first.free()).toBe(0);
        },
        { timeout: patienceMs },
      );
      await vi.waitFor(async () => expect((await second.reserve(1)).granted).toBe(1), { timeout: patienceMs });
    });

    it('returns from take at once, and has a token soon after it had none', async () => {
      const [bucket] = pair({ calls: 1000, perMs: 1000, burst: 100 });
      expect(bucket.take()).toBeGreaterThan(0);
      await vi.waitFor(() => expect(bucket.take()).toBe(0), { timeout: patienceMs });
    });

    it('takes unused tokens back, and repays calls that could not be refused before it grants more', async () => {
      const [first, second] = pair({ calls: 400, perMs: 3_600_000, burst: 20 });
      const { granted } = await first.reserve(16);
      first.giveBack(granted);
      await vi.waitFor(
        async () => {
          await second.refresh();
          expect(second.free()).toBe(16);
        },
        { timeout: patienceMs },
      );
      second.charge(30);
      await vi.waitFor(
        async () => {
          await first.refresh();
          expect(first.standing().tokens).toBe(0);
        },
        { timeout: patienceMs },
      );
      expect((await first.reserve(1, { priority: true })).waitMs).toBeGreaterThan(60_000);
    });
  });
}
