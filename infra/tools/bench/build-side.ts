import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';

/** A process in which a build measures itself when asked over IPC. */
export type BuildSide = { child: ChildProcess; ready: unknown };

/** Starts Node in the folder of a build and waits for its first message. */
export async function startSide(folder: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<BuildSide> {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return { child, ready: await nextMessage(child) };
}

/** Asks for one measurement and waits for it. */
export function askSide({ child }: BuildSide, question: string): Promise<unknown> {
  const answer = nextMessage(child);
  child.send(question);
  return answer;
}

export async function stopSide({ child }: BuildSide): Promise<void> {
  const exited = once(child, 'exit');
  child.send('stop');
  await exited;
}

/** Rejects if the side ends without a result. */
async function nextMessage(side: ChildProcess): Promise<unknown> {
  const ending = new AbortController();
  const message = once(side, 'message', { signal: ending.signal });
  const exit = once(side, 'exit', { signal: ending.signal }).then(() => {
    throw new Error('a side ended before it was done');
  });
  try {
    const [value] = await Promise.race([message, exit]);
    return value;
  } finally {
    ending.abort();
    message.catch(() => undefined);
    exit.catch(() => undefined);
  }
}
