import { describe } from 'vitest';
import { redisUrl } from '#test/support/stores/redis.ts';
import { describeLogLines } from './log-lines-suite.ts';

describe.skipIf(redisUrl() === null)('with Redis', () => describeLogLines('Redis', () => redisUrl(10)));
