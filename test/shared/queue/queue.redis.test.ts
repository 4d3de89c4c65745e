import { describe, it } from 'vitest';
import { redisUrl } from '#test/support/stores/redis.ts';
import { describeQueue } from './queue-suite.ts';

const url = redisUrl();

if (url === null) {
  describe('queue on Redis', () => {
    it.skip('needs redis-server, which is not installed here');
  });
} else {
  describeQueue('Redis', async () => ({ redisUrl: url, databaseUrl: '', close: async () => undefined }));
}
