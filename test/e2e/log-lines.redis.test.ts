import { describe } from 'vitest';
import { redisUrl } from '#test/support/redis.ts';
import { describeLogLines } from './log-lines-suite.ts';

describe.skipIf(redisUrl() === null)('with Redis', () => describeLogLines('Redis', () => redisUrl(10)));
