import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '#test/support/until.ts';
import { freePorts } from './fleet.ts';
import type { Entry } from './world.ts';

/** Between two readiness checks. */
const checkEveryMs = 100;

/** HAProxy if it is asked for and installed, else a small TCP proxy. */
export function openEntryProxy(apiUrls: readonly string[], { real }: { real: boolean }): Promise<Entry> {
  const hasHaproxy = real && spawnSync('haproxy', ['-v'], { stdio: 'ignore' }).status === 0;
  return hasHaproxy ? openHaproxy(apiUrls) : openTcpProxy(apiUrls);
}

async function openHaproxy(apiUrls: readonly string[]): Promise<Entry> {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-drill-haproxy-'));
  const [port] = await freePorts(1);
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(
    file,
    `defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  option redispatch
  retries 3
frontend entry
  bind 127.0.0.1:${port}
  default_backend apis
backend apis
  option httpchk GET /readyz
  default-server check inter ${checkEveryMs}ms fall 1 rise 1
${apiUrls.map((url, index) => `  server api${index} ${new URL(url).host}`).join('\n')}
`,
  );
  const proxy = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  await until(
    () =>
      fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    (isReady) => isReady,
  );
  return {
    urls: [url],
    name: 'HAProxy',
    close: async () => {
      const ended = once(proxy, 'exit');
      proxy.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

/** Connects each client to the next API that is ready. It tries no other one if that refuses. */
async function openTcpProxy(apiUrls: readonly string[]): Promise<Entry> {
  const ready = new Set(apiUrls);
  const sockets = new Set<Socket>();
  let isClosed = false;
  let turn = 0;
  const check = async (url: string): Promise<void> => {
    while (!isClosed) {
      const isReady = await fetch(`${url}/readyz`, { headers: { connection: 'close' } }).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isReady) ready.add(url);
      else ready.delete(url);
      await pause(checkEveryMs);
    }
  };
  const serve = (client: Socket): void => {
    turn += 1;
    const chosen = [...ready][turn % Math.max(1, ready.size)];
    if (chosen === undefined) {
      client.destroy();
      return;
    }
    const { hostname, port } = new URL(chosen);
    const upstream = connect({ host: hostname, port: Number(port) });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        // After an orderly end, `pipe` still sends what it has read and ends the other side.
        if (!from.readableEnded) to.destroy();
      });
      from.pipe(to);
    }
  };
  const server = createServer(serve);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const checking = Promise.all(apiUrls.map(check));
  return {
    urls: [`http://127.0.0.1:${(server.address() as AddressInfo).port}`],
    name: 'a TCP proxy',
    close: async () => {
      isClosed = true;
      server.close();
      for (const socket of sockets) socket.destroy();
      await checking;
    },
  };
}
