import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { findFreePort } from '#infra/embedded/postmaster.ts';
import type { CertificateFiles } from './certificates.ts';

export type RedisServer = {
  /** For services: over TLS if the server has a certificate. */
  url: string;
  pid: () => number | null;
  /** Runs one command on a connection of its own. */
  command: (name: string, ...args: string[]) => Promise<unknown>;
  /** Ends with SIGKILL; nothing is stored, so that it starts empty. */
  kill: () => Promise<void>;
  start: () => Promise<void>;
  close: () => Promise<void>;
};

/** A Redis of the drill's own, as a queue needs it: no eviction. */
export async function openRedisServer(certificate?: CertificateFiles): Promise<RedisServer> {
  const port = await findFreePort(20_000 + Math.floor(Math.random() * 10_000));
  const tlsPort = await findFreePort(port + 1);
  const url = `redis://127.0.0.1:${port}`;
  let server: ChildProcess | null = null;
  const command = async (name: string, ...args: string[]): Promise<unknown> => {
    const redis = new Redis(url, { maxRetriesPerRequest: 0, retryStrategy: () => null, lazyConnect: true });
    redis.on('error', () => undefined);
    try {
      await redis.connect();
      return await redis.call(name, ...args);
    } finally {
      redis.disconnect();
    }
  };
  const start = async (): Promise<void> => {
    const settings = {
      ...{ port, bind: '127.0.0.1', save: '', appendonly: 'no', 'maxmemory-policy': 'noeviction' },
      ...(certificate && {
        'tls-port': tlsPort,
        'tls-cert-file': certificate.certFile,
        'tls-key-file': certificate.keyFile,
        'tls-auth-clients': 'no',
        'tls-ca-cert-file': certificate.certFile,
      }),
    };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    server = spawn('redis-server', args, { stdio: 'ignore', cwd: '/tmp' });
    server.once('error', () => undefined);
    while ((await command('ping').catch(() => null)) !== 'PONG') {
      if (server.exitCode !== null) throw new Error(`redis-server ended with ${server.exitCode} on port ${port}`);
      await pause(20);
    }
  };
  const kill = async (): Promise<void> => {
    if (server === null || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
    server = null;
  };
  await start();
  const serviceUrl = certificate === undefined ? url : `rediss://127.0.0.1:${tlsPort}`;
  return { url: serviceUrl, pid: () => server?.pid ?? null, command, kill, start, close: kill };
}
