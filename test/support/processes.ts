import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  allocatorEnvironment,
  mainFileOf,
  nodeArgumentsOf,
  type ServiceName,
} from '#infra/installation/service-programs.ts';
import { compileCache } from '#infra/scripts/run-steps.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

const run = promisify(execFile);

/** Runs a script of `infra/scripts` with this environment alone. Rejects with its output if it fails. */
export function runScript(
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ stdout: string; stderr: string }> {
  const file = `infra/scripts/${name}.ts`;
  return run(process.execPath, [file, ...args], { cwd: root, env: { NODE_COMPILE_CACHE: compileCache, ...env } });
}

/** A service in a process of its own, as in production. */
export type RunningService = {
  url: string;
  process: ChildProcess;
  /** Sends SIGTERM and returns the exit code. */
  stop: () => Promise<number | null>;
  kill: () => Promise<void>;
  output: () => string;
};

/**
 * Starts a service on a free port and waits until it is ready. If it exits first, the error has its output. `sources`:
 * the folder of its build.
 */
export async function startService(
  name: ServiceName,
  env: Record<string, string>,
  args: string[] = [],
  sources = root,
): Promise<RunningService> {
  const file = mainFileOf(name);
  const child = spawn(process.execPath, [...nodeArgumentsOf(file), file, ...args], {
    cwd: sources,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      LOG_LEVEL: 'info',
      LOG_FORMAT: 'json',
      OPERATIONS_PORT: '0',
      SHUTDOWN_DELAY_S: '0',
      NODE_COMPILE_CACHE: compileCache,
      ...allocatorEnvironment,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    output += chunk;
  });
  // Unlike at its exit, all of its output has arrived.
  const closed = once(child, 'close');
  let isAsked = false;
  child.once('close', (code, signal) => {
    if (!isAsked) process.stdout.write(`${name} ended by itself (${code ?? signal}):\n${output.slice(-3000)}\n`);
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.on('message', (message) => {
      const { type, url: at } = message as { type?: string; url?: string };
      if (type === 'ready') resolve(at ?? '');
    });
    child.once('close', (code, signal) =>
      reject(new Error(`${name} ended before it was ready (${code ?? signal}):\n${output}`)),
    );
  });
  return {
    url,
    process: child,
    output: () => output,
    stop: async () => {
      isAsked = true;
      child.kill('SIGTERM');
      await closed;
      return child.exitCode;
    },
    kill: async () => {
      isAsked = true;
      child.kill('SIGKILL');
      await closed;
    },
  };
}
