import { describe } from 'vitest';
import { scaled } from '#test/support/run-scale.ts';
import { redisUrl } from '#test/support/stores/redis.ts';
import { describeLogLines } from './log-lines-suite.ts';

// The queue's backend changes no line, so that `npm test` tries one backend alone.
const isSkipped = scaled({ short: true, full: false }) || redisUrl() === null;

describe.skipIf(isSkipped)('with Redis', () => describeLogLines('Redis', () => redisUrl(10)));
