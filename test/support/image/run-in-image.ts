import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import type { Image } from './build-image.ts';

/** The user `node` of the base image. */
const imageUser = 1000;

/** A command of the image that keeps running. */
export type ImageProcess = { process: ChildProcess; output: () => string; stop: () => Promise<number | null> };

/** Runs a command of the image to its end and returns what it prints. Rejects with its output if it fails. */
export async function runInImage(image: Image, command: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const [program = '', ...args] = command;
  const { stdout } = await promisify(execFile)(program, args, optionsOf(image, env));
  return stdout;
}

/** Starts a command of the image. */
export function startInImage(image: Image, command: readonly string[], env: NodeJS.ProcessEnv): ImageProcess {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { ...optionsOf(image, env), stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const closed = once(child, 'close');
  return {
    process: child,
    output: () => output,
    stop: async () => {
      child.kill('SIGTERM');
      await closed;
      return child.exitCode;
    },
  };
}

/**
 * As in a container: the environment of the image and of the command alone, a user who may write nothing but a folder
 * for temporary files, and no other Node on the path.
 */
function optionsOf(image: Image, env: NodeJS.ProcessEnv) {
  const { writable } = image;
  mkdirSync(writable, { recursive: true });
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(writable, imageUser, imageUser);
  return {
    cwd: join(image.root, image.folder),
    env: {
      PATH: `${join(image.root, 'usr/local/bin')}:/usr/bin:/bin`,
      TMPDIR: writable,
      HOME: writable,
      ...image.env,
      ...env,
    },
    ...(isRoot ? { uid: imageUser, gid: imageUser } : {}),
  };
}
