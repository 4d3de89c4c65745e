import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { keepLimit } from '#shared/limits/published-limit.ts';
import type { TakeTokens, TokenBucket } from '#shared/limits/token-bucket.ts';
import { openTokenBuckets } from '#shared/limits/token-buckets.ts';

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
        timeoutMs: 2000,
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

    it('never exceeds the published calls in any window of two processes, and uses most of them', async () => {
      const published = { calls: 40, perMs: 1000, burst: 40 };
      const calls: number[] = [];
      const endsAt = performance.now() + 3500;
      const drain = async (bucket: TokenBucket) => {
        while (performance.now() < endsAt) {
          const { granted, waitMs } = await bucket.reserve(1);
          if (granted === 1) calls.push(performance.now());
          else await new Promise((resolve) => setTimeout(resolve, Math.min(waitMs, 50)));
        }
      };
      await Promise.all(pair(published).flatMap((bucket) => [drain(bucket), drain(bucket), drain(bucket)]));
      calls.sort((a, b) => a - b);
      const mostInWindow = Math.max(
        ...calls.map((start) => calls.filter((at) => at >= start && at < start + published.perMs).length),
      );
      expect(mostInWindow).toBeLessThanOrEqual(published.calls);
      expect(calls.length).toBeGreaterThan(0.5 * 3.5 * published.calls);
    });

    it('reserves a fifth of the bucket for refreshes that clients request', async () => {
      const [first, second] = pair({ calls: 400, perMs: 3_600_000, burst: 20 });
      expect((await first.reserve(100)).granted).toBe(16);
      expect(await second.reserve(1)).toMatchObject({ granted: 0 });
      expect((await second.reserve(100, { priority: true })).granted).toBe(4);
    });

    it('closes the bucket for every process for as long as the carrier asks, and no longer', async () => {
      const [first, second] = pair({ calls: 1000, perMs: 1000, burst: 100 });
      first.close(700);
      await vi.waitFor(async () => {
        await second.refresh();
        expect(second.standing().closedMs).toBeGreaterThan(0);
      });
      expect(second.take({ priority: true })).toBeGreaterThan(0);
      expect(await second.reserve(1, { priority: true })).toMatchObject({ granted: 0 });
      expect(first.free()).toBe(0);
      await vi.waitFor(async () => expect((await second.reserve(1)).granted).toBe(1), { timeout: 3000 });
    });

    it('returns from take at once, and has a token soon after it had none', async () => {
      const [bucket] = pair({ calls: 1000, perMs: 1000, burst: 100 });
      expect(bucket.take()).toBeGreaterThan(0);
      await vi.waitFor(() => expect(bucket.take()).toBe(0));
    });

    it('takes unused tokens back, and repays calls that could not be refused before it grants more', async () => {
      const [first, second] = pair({ calls: 400, perMs: 3_600_000, burst: 20 });
      const { granted } = await first.reserve(16);
      first.giveBack(granted);
      await vi.waitFor(async () => {
        await second.refresh();
        expect(second.free()).toBe(16);
      });
      second.charge(30);
      await vi.waitFor(async () => {
        await first.refresh();
        expect(first.standing().tokens).toBe(0);
      });
      expect((await first.reserve(1, { priority: true })).waitMs).toBeGreaterThan(60_000);
    });
  });
}
