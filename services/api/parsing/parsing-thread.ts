import { setPriority } from 'node:os';
import process from 'node:process';
import { parentPort } from 'node:worker_threads';
import { type FromThread, type ToThread, toFailure } from './messages.ts';
import { type ParserName, parsers } from './parsers.ts';

/** The program of a parsing thread: reads files of strangers, one at a time, as `ToThread` says. */
const stopped = new Error('stopped');
let asked = 0;
let isStopped = false;
let wake = (): void => undefined;

/** Of 20: the threads that answer requests get about ten times the CPU when there is not enough. */
const niceness = 10;
// Elsewhere it would be that of the whole process.
if (process.platform === 'linux') setPriority(0, niceness);

parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'read') {
    asked = 0;
    isStopped = false;
    read(message.parser, message).then(send, (error: unknown) => send({ kind: 'failed', failure: toFailure(error) }));
    return;
  }
  if (message.kind === 'more') asked += 1;
  else isStopped = true;
  wake();
});

type Read = { input: unknown; passed: number };

async function read<Name extends ParserName>(name: Name, { input, passed }: Read): Promise<FromThread> {
  const { load, unitsOf, after } = parsers[name];
  const file = input as Parameters<Awaited<ReturnType<typeof load>>>[0];
  const parse = await load();
  const hold = (bytes: number): void => {
    // Its texts may take seconds to read.
    if (isStopped) throw stopped;
    send({ kind: 'held', bytes });
  };
  let left = passed;
  try {
    for await (const whole of parse(file, hold)) {
      if (isStopped) throw stopped;
      const units = unitsOf(whole)?.length ?? 1;
      if (units <= left) {
        left -= units;
        continue;
      }
      const part = after(whole, left);
      while (asked === 0 && !isStopped)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      if (isStopped) throw stopped;
      asked -= 1;
      send({ kind: 'part', part, units: units - left });
      left = 0;
    }
  } catch (error) {
    // An error of the file itself comes again when it is read again.
    if (!isStopped) throw error;
    return { kind: 'stopped' };
  }
  return { kind: 'end' };
}

function send(message: FromThread): void {
  parentPort?.postMessage(message);
}
