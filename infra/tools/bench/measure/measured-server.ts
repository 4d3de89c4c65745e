import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { findExport } from '#infra/tools/golden/find-export.ts';
import type { Usage } from './usage-probe.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
/** The services are those of the build that is measured; the bench's own servers are these. */
const build = process.env.LANDFALL_BUILD ?? root;
const probe = fileURLToPath(new URL('usage-probe.ts', import.meta.url));
const endMs = 10_000;
/** The same as under `npm start`. */
const compileCache = join(tmpdir(), 'landfall-compile-cache');

const nodeArgumentsOf = await findExport<(file: string) => readonly string[]>([
  { file: '#infra/installation/service-programs.ts', name: 'nodeArgumentsOf' },
  { file: '#infra/installation/supervise.ts', name: 'nodeArgumentsOf' },
]);
if (nodeArgumentsOf === null) throw new Error('this build names no arguments for its services');
const argumentsOf = nodeArgumentsOf;
/** Null: the build leaves the allocator as it is. */
const allocatorEnvironment = await findExport<Record<string, string>>([
  { file: '#infra/installation/service-programs.ts', name: 'allocatorEnvironment' },
]);

/** A server in a process of its own, so that its CPU time can be measured separately. */
export type MeasuredServer = { url: string; usage: () => Promise<Usage>; stop: () => Promise<void> };

export type ServerSettings = {
  /** Relative to the project. It sends `process.send({type: 'ready', url})`, as the services do. */
  file: string;
  env: Record<string, string>;
  /** Node options in addition to those of the services. */
  args?: readonly string[];
};

/** Starts it as `npm start` starts a service. Rejects with its last lines if it ends before it is ready. */
export async function startMeasuredServer({ file, env, args = [] }: ServerSettings): Promise<MeasuredServer> {
  const child = spawn(process.execPath, [...argumentsOf(file), '--import', probe, ...args, file], {
    cwd: file.startsWith('services/') ? build : root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      OPERATIONS_PORT: '0',
      NODE_COMPILE_CACHE: compileCache,
      ...allocatorEnvironment,
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let lines = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    lines = (lines + chunk.toString()).slice(-4000);
  });
  const exited = once(child, 'exit');
  const ended = exited.then(() => {
    throw new Error(`${file} ended (${child.exitCode ?? child.signalCode}):\n${lines}`);
  });
  ended.catch(() => undefined);
  const nextMessage = <T extends { type: string }>(type: T['type']) => {
    const { promise, resolve } = Promise.withResolvers<T>();
    const listen = (message: unknown) => {
      if ((message as T).type !== type) return;
      child.off('message', listen);
      resolve(message as T);
    };
    child.on('message', listen);
    return Promise.race([promise, ended]);
  };
  const { url } = await nextMessage<{ type: 'ready'; url: string }>('ready');
  return {
    url,
    usage: () => {
      const answer = nextMessage<Usage>('usage');
      child.send('usage');
      return answer;
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), endMs);
      await exited;
      clearTimeout(timer);
    },
  };
}
