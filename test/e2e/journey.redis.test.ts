import { describe } from 'vitest';
import { scaled } from '#test/support/run-scale.ts';
import { redisUrl } from '#test/support/stores/redis.ts';
import { describeJourney } from './journey-suite.ts';

// The drills of a fleet with Redis take voyages to their end as well.
const isSkipped = scaled({ short: true, full: false }) || redisUrl() === null;

describe.skipIf(isSkipped)('with Redis', () => describeJourney('Redis', () => redisUrl(1)));
