import { describe } from 'vitest';
import { redisUrl } from '#test/support/stores/redis.ts';
import { describeShutdown } from './shutdown-suite.ts';

describe.skipIf(redisUrl() === null)('with Redis', () => describeShutdown('Redis', () => redisUrl(1)));
