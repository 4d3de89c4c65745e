import { describe } from 'vitest';
import { redisTokens } from '#shared/limits/redis-tokens.ts';
import { openRedis } from '#shared/queue/open-redis.ts';
import { redisUrl } from '#test/support/stores/redis.ts';
import { describeTokenBuckets } from './token-bucket-suite.ts';

describe.skipIf(redisUrl() === null)('with Redis', () => {
  describeTokenBuckets('Redis', async () => [await openBackend(), await openBackend()]);
});

async function openBackend() {
  const { client, close } = openRedis(redisUrl(9) ?? '', { commandTimeoutMs: 2000, onError: () => {} });
  await new Promise((resolve) =>
    (client as { once: (event: string, then: (value: unknown) => void) => void }).once('ready', resolve),
  );
  return { takeTokens: redisTokens(client, { prefix: `test-${process.pid}` }), close };
}
