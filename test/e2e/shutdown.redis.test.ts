import { describe } from 'vitest';
import { scaled } from '#test/support/run-scale.ts';
import { redisUrl } from '#test/support/stores/redis.ts';
import { describeShutdown } from './shutdown-suite.ts';

// `npm test` tries one backend alone: both end the same way.
const isSkipped = scaled({ short: true, full: false }) || redisUrl() === null;

describe.skipIf(isSkipped)('with Redis', () => describeShutdown('Redis', () => redisUrl(1)));
