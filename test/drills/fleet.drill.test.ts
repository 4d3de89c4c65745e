import { describe } from 'vitest';
import { redisUrl } from '#test/support/stores/redis.ts';
import { describeShortDrills } from './short-drills.ts';

describe.skipIf(redisUrl() === null)('with Redis', () => {
  describeShortDrills('fleet');
});
