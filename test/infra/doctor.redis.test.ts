import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { checkFacts, checkRedis } from '#infra/doctor/check-redis.ts';
import type { Finding } from '#infra/doctor/finding.ts';
import { findFreePort } from '#infra/embedded/postmaster.ts';
import { redisUrl } from '#test/support/stores/redis.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const levels = (findings: readonly Finding[]) => Object.fromEntries(findings.map(({ check, level }) => [check, level]));

describe.skipIf(redisUrl() === null)('checkFacts on a real server', () => {
  it('fails when Redis evicts keys under memory pressure, with a command that fixes it', async () => {
    const { url, port } = await startRedis(['--maxmemory-policy', 'allkeys-lru', '--appendonly', 'yes']);
    const findings = await checkRedis(url);
    expect(levels(findings)).toEqual({
      Redis: 'ok',
      'Redis maxmemory-policy': 'failure',
      'Redis memory': 'ok',
      'Redis file': 'ok',
    });
    const advice = findings.find(({ check }) => check === 'Redis maxmemory-policy')?.advice ?? '';
    const command = /^redis-cli -h 127\.0\.0\.1 -p (\d+) config set (\S+) (\S+) &&/.exec(advice);
    expect(command?.[1]).toBe(String(port));
    const client = new Redis(url);
    cleanups.push(() => client.disconnect());
    await client.config('SET', command?.[2] ?? '', command?.[3] ?? '');
    expect(levels(await checkRedis(url))['Redis maxmemory-policy']).toBe('ok');
  });

  it('warns about a missing append-only file and about full memory', async () => {
    const { url } = await startRedis(['--maxmemory-policy', 'noeviction', '--appendonly', 'no', '--maxmemory', '1mb']);
    expect(levels(await checkRedis(url))).toMatchObject({ 'Redis file': 'warning', 'Redis memory': 'warning' });
  });

  it('fails for a required password and for an unreachable server, without repeating the password', async () => {
    const { port } = await startRedis(['--requirepass', 'the-right-one']);
    const [without] = await checkRedis(`redis://127.0.0.1:${port}`);
    expect(without).toMatchObject({ level: 'failure', advice: expect.stringContaining('password') });
    const refused = await checkRedis(`redis://:a-secret@127.0.0.1:${port}`);
    expect(refused).toMatchObject([{ level: 'failure', advice: expect.stringContaining('password') }]);
    const away = await checkRedis('redis://:a-secret@127.0.0.1:1');
    expect(away).toMatchObject([{ level: 'failure', found: expect.stringContaining('127.0.0.1:1') }]);
    expect(JSON.stringify([refused, away])).not.toContain('a-secret');
  });

  it('fails for a cluster node whose address is not a cluster address', async () => {
    const { url } = await startRedis(['--cluster-enabled', 'yes']);
    const findings = await checkRedis(url);
    expect(findings.find(({ check }) => check === 'Redis cluster')).toMatchObject({
      level: 'failure',
      advice: expect.stringContaining('?cluster=true'),
    });
  });
});

it('only warns about facts that a hosted Redis hides', () => {
  const silent = {
    version: null,
    maxmemoryPolicy: null,
    maxmemoryBytes: null,
    usedBytes: null,
    appendOnly: null,
    persists: null,
  };
  const findings = checkFacts(
    { node: 'hosted:6379', ...silent, clusterNode: false, clusterState: null },
    { cluster: false },
  );
  expect(levels(findings)).toEqual({
    Redis: 'warning',
    'Redis maxmemory-policy': 'warning',
    'Redis memory': 'ok',
    'Redis file': 'warning',
  });
});

async function startRedis(settings: string[]): Promise<{ url: string; port: number }> {
  const port = await findFreePort(20_000 + Math.floor(Math.random() * 20_000));
  const dir = mkdtempSync(join(tmpdir(), 'landfall-doctor-redis-'));
  const server: ChildProcess = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', '', ...settings],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  cleanups.push(async () => {
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
    rmSync(dir, { recursive: true, force: true });
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.stdout?.on('data', (chunk: Buffer) => {
    if (chunk.toString().includes('Ready to accept connections')) resolve();
  });
  server.once('exit', () => reject(new Error('redis-server ended')));
  await promise;
  return { url: `redis://127.0.0.1:${port}`, port };
}
