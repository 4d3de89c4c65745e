import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { until } from '#test/support/until.ts';

export type RedisCluster = {
  /** Value for `REDIS_URL`. */
  url: string;
  /** Keys on each node. */
  keyCounts: () => Promise<number[]>;
  close: () => Promise<void>;
};

const slots = 16_384;
const nodeCount = 3;

/** A Redis Cluster of three nodes on loopback, each with a third of the slots and no replica. Needs `redis-server`. */
export async function openRedisCluster(): Promise<RedisCluster> {
  const dir = mkdtempSync(join(tmpdir(), 'landfall-test-cluster-'));
  const servers: ChildProcess[] = [];
  const clients: Redis[] = [];
  const close = async () => {
    for (const client of clients) client.disconnect();
    await Promise.all(servers.map(endProcess));
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    const ports: number[] = [];
    for (let n = 0; n < nodeCount; n += 1) {
      const port = await freeClusterPort();
      ports.push(port);
      servers.push(startNode(port, dir));
      const client = new Redis(port, '127.0.0.1', { retryStrategy: () => 100, maxRetriesPerRequest: null });
      // Connections are refused until the server listens; the client reconnects.
      client.on('error', () => undefined);
      clients.push(client);
    }
    const share = Math.ceil(slots / nodeCount);
    for (const [n, client] of clients.entries()) {
      await client.call('CLUSTER', 'ADDSLOTSRANGE', n * share, Math.min((n + 1) * share, slots) - 1);
      for (const port of ports.slice(0, n)) await client.call('CLUSTER', 'MEET', '127.0.0.1', port);
    }
    for (const client of clients) {
      const info = async () => String(await client.call('CLUSTER', 'INFO'));
      await until(
        info,
        (text) => text.includes('cluster_state:ok') && text.includes(`cluster_known_nodes:${nodeCount}`),
      );
    }
    return {
      url: ports.map((port) => `redis://127.0.0.1:${port}`).join(','),
      keyCounts: () => Promise.all(clients.map((client) => client.dbsize())),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function startNode(port: number, dir: string): ChildProcess {
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    dir,
    save: '',
    appendonly: 'no',
    'maxmemory-policy': 'noeviction',
    'cluster-enabled': 'yes',
    'cluster-config-file': `nodes-${port}.conf`,
    'cluster-node-timeout': '5000',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  return spawn('redis-server', args, { stdio: 'ignore' });
}

async function endProcess(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGKILL');
  await ended;
}

/** Nodes talk to each other on their port plus 10,000. */
async function freeClusterPort(): Promise<number> {
  for (;;) {
    const port = await listenOnce(0);
    if (port + 10_000 < 65_536 && (await listenOnce(port + 10_000)) > 0) return port;
  }
}

/** The port if it is free, otherwise 0. */
async function listenOnce(port: number): Promise<number> {
  const probe = createServer();
  const { promise, resolve } = Promise.withResolvers<number>();
  probe.once('error', () => resolve(0));
  probe.listen(port, '127.0.0.1', () => {
    const address = probe.address();
    probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
  });
  return promise;
}
