import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { setAccountLimits } from '#shared/core/keys/set-account-limits.ts';
import { openTestCore } from '#test/support/core-context.ts';
import { type RunningService, startService } from '#test/support/processes.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { until } from '#test/support/until.ts';

const clients = 4;
/** Between two turns of a client: the load must not take the CPU of the APIs that start. */
const pauseMs = 20;
const healthCheckMs = 50;

it('fails no request while the APIs behind a proxy are replaced one by one', async () => {
  const core = await openTestCore({}, ownDatabase);
  const caller = await core.newCaller();
  const unlimited = { read: 10_000_000, write: 10_000_000, batch: 10_000_000, mcp: 10_000_000 };
  await setAccountLimits(core.ctx, caller, unlimited);
  const { secret } = await createApiKey(core.ctx, caller.accountId, { name: 'test', test: false });
  const startApi = () =>
    startService('api', {
      DATABASE_URL: core.serviceUrl,
      REDIS_URL: 'redis://127.0.0.1:1',
      PORT: '0',
      // The proxy below notices within a fraction of it, on a busy machine too.
      SHUTDOWN_DELAY_S: '5',
      SHUTDOWN_TIMEOUT_MS: '60000',
    });
  const [first, second, third, fourth] = await Promise.all([startApi(), startApi(), startApi(), startApi()]);
  const running = [first, second, third, fourth];
  const proxy = await openProxy([first, second]);
  const failures: string[] = [];
  let answered = 0;
  let isLoaded = true;

  const load = Promise.all(
    Array.from({ length: clients }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (isLoaded) {
        const mbl = `MAEU${randomUUID().replace(/\D/g, '').slice(0, 9).padEnd(9, '7')}`;
        const body = { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl } };
        const key = `Bearer ${secret}`;
        const made = await send(proxy.url, { agent, path: '/v1/shipments', key, body });
        const read = await send(proxy.url, { agent, path: '/v1/shipments?limit=1', key });
        for (const { status, text } of [made, read]) {
          if (status === 200 || status === 201) answered += 1;
          else failures.push(`${status} ${text}`);
        }
        await sleep(pauseMs);
      }
      agent.destroy();
    }),
  );
  const moreAnswers = async () => {
    const before = answered;
    await until(
      async () => answered,
      (now) => now > before + 20 || failures.length > 0,
    );
  };

  try {
    await moreAnswers();
    const ended: Promise<number | null>[] = [];
    for (const [old, next] of [[first, third] as const, [second, fourth] as const]) {
      proxy.add(next);
      await seenBy(proxy, next, true);
      ended.push(old.stop());
      await seenBy(proxy, old, false);
      await moreAnswers();
    }
    expect(await Promise.all(ended)).toEqual([0, 0]);
    await moreAnswers();
    isLoaded = false;
    await load;
    expect(failures).toEqual([]);
  } finally {
    isLoaded = false;
    await load;
    await proxy.close();
    await Promise.all(running.map((api) => api.kill()));
    await core.close();
  }
});

/** Waits until the proxy takes the API for running, or for stopped. */
async function seenBy(proxy: Proxy, api: RunningService, isUp: boolean): Promise<void> {
  await until(
    async () => proxy.isUp(api),
    (seen) => seen === isUp,
  );
}

type Answer = { status: number; text: string };

function send(
  origin: string,
  { agent, path, key, body }: { agent: Agent; path: string; key: string; body?: object },
): Promise<Answer> {
  const text = body === undefined ? '' : JSON.stringify(body);
  return new Promise((resolve) => {
    const asked = httpRequest(`${origin}${path}`, {
      agent,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: key,
        ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      },
    });
    asked.once('error', (error) => resolve({ status: 0, text: error.message }));
    asked.once('response', async (response) => {
      let received = '';
      for await (const chunk of response.setEncoding('utf8')) received += chunk;
      resolve({ status: response.statusCode ?? 0, text: received });
    });
    asked.end(text);
  });
}

type Proxy = {
  url: string;
  add: (api: RunningService) => void;
  isUp: (api: RunningService) => boolean;
  close: () => Promise<void>;
};

/**
 * A reverse proxy that keeps connections open and checks the health of its APIs from time to time. It never retries: a
 * request that its API refuses or drops is a 502.
 */
async function openProxy(apis: readonly RunningService[]): Promise<Proxy> {
  const known = new Map(apis.map((api) => [api.url, true]));
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  const checking = setInterval(async () => {
    for (const url of known.keys()) {
      const isUp = await fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
      known.set(url, isUp);
    }
  }, healthCheckMs);
  const server = createServer((incoming, outgoing) => {
    const up = [...known].filter(([, isUp]) => isUp).map(([url]) => url);
    const target = up[turn++ % up.length];
    const forwarded = httpRequest(`${target}${incoming.url}`, {
      agent,
      method: incoming.method ?? 'GET',
      headers: incoming.headers,
    });
    forwarded.once('error', (error) => outgoing.writeHead(502).end(`${target}: ${error.message}`));
    forwarded.once('response', (response) => {
      const { connection: _hop, ...headers } = response.headers;
      outgoing.writeHead(response.statusCode ?? 502, headers);
      response.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: ({ url }) => known.set(url, false),
    isUp: ({ url }) => known.get(url) === true,
    close: async () => {
      clearInterval(checking);
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
}
