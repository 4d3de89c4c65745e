import { describe } from 'vitest';
import { scaled } from '#test/support/run-scale.ts';
import { redisUrl } from '#test/support/stores/redis.ts';
import { describeWebhookDrill } from './webhooks-suite.ts';

const url = redisUrl(12);

// `npm test` runs it with the queue in Postgres alone.
describe.skipIf(url === null || scaled({ short: true, full: false }))('with Redis', () =>
  describeWebhookDrill('Redis', url),
);
