import { parentPort } from 'node:worker_threads';
import { type FromThread, type ToThread, toFailure } from './messages.ts';
import { type Parser, type ParserName, parsers } from './parsers.ts';

/** The program of a parsing thread: reads files of strangers, one at a time, as `ToThread` says. */
let asked = 0;
let isStopped = false;
let wake = (): void => undefined;

parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'read') {
    asked = 0;
    isStopped = false;
    read(message.parser, message.input).then(
      () => send({ kind: 'end' }),
      (error: unknown) => send({ kind: 'failed', failure: toFailure(error) }),
    );
    return;
  }
  if (message.kind === 'more') asked += 1;
  else isStopped = true;
  wake();
});

async function read(name: ParserName, input: unknown): Promise<void> {
  const parse = (await parsers[name].load()) as Parser<unknown, unknown>;
  const hold = (bytes: number): void => {
    if (isStopped) throw new Error('stopped');
    send({ kind: 'held', bytes });
  };
  for await (const part of parse(input, hold)) {
    while (asked === 0 && !isStopped)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    if (isStopped) return;
    asked -= 1;
    send({ kind: 'part', part });
  }
}

function send(message: FromThread): void {
  parentPort?.postMessage(message);
}
