import { describe, it } from 'vitest';
import { redisUrl } from '#test/support/stores/redis.ts';
import { describeDeliveries } from './deliver-suite.ts';

const url = redisUrl(11);

if (url === null) {
  describe('webhooks with the queue on Redis', () => {
    it.skip('needs redis-server, which is not installed here');
  });
} else {
  describeDeliveries('Redis', url, { isWhole: false });
}
