import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { startService } from '#test/support/processes.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

it('starts without a reachable queue, and exits with 0 within its deadline while clients keep their connections', async () => {
  const database = await ownDatabase();
  const service = await startService('api', {
    DATABASE_URL: database.serviceUrl,
    REDIS_URL: 'redis://127.0.0.1:1',
    PORT: '0',
    // Connections that are still open are closed after two thirds of it.
    SHUTDOWN_TIMEOUT_MS: '90000',
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 3 });
  for (const path of ['/livez', '/readyz', '/v1/shipments']) {
    const [answer] = (await once(get(`${service.url}${path}`, { agent }), 'response')) as [IncomingMessage];
    answer.resume();
    await once(answer, 'end');
    expect(answer.statusCode).toBe(path === '/v1/shipments' ? 401 : 200);
  }
  const beganAt = performance.now();
  expect(await service.stop()).toBe(0);
  expect(performance.now() - beganAt).toBeLessThan(60_000);
  agent.destroy();
  await database.drop();
});
