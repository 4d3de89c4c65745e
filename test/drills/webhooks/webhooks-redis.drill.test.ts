import { describe } from 'vitest';
import { redisUrl } from '#test/support/stores/redis.ts';
import { describeWebhookDrill } from './webhooks-suite.ts';

const url = redisUrl(12);

describe.skipIf(url === null)('with Redis', () => describeWebhookDrill('Redis', url));
