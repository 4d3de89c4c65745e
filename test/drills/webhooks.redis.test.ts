import { describe } from 'vitest';
import { redisUrl } from '#test/support/stores/redis.ts';
import { describeWebhookDrill } from './webhooks-suite.ts';

describe.skipIf(redisUrl(12) === null)('with Redis', () => describeWebhookDrill('Redis', redisUrl(12)));
