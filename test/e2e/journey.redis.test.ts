import { describe } from 'vitest';
import { redisUrl } from '#test/support/stores/redis.ts';
import { describeJourney } from './journey-suite.ts';

describe.skipIf(redisUrl() === null)('with Redis', () => describeJourney('Redis', () => redisUrl(1)));
