import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';

/** Runs in a process of its own, which sends nothing heavy. */
const program = `
  const [url, key] = process.argv.slice(1);
  const times = [];
  process.once('message', () => { process.send(times); process.disconnect(); });
  for (;;) {
    const since = performance.now();
    const answer = await fetch(url + '/v1/shipments', { headers: { authorization: 'Bearer ' + key } });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error('answered ' + answer.status);
    if (times.push(performance.now() - since) === 20) process.send('started');
    if (!process.connected) break;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }`;

/** Milliseconds of each request, at two percentiles. */
export type Times = { count: number; p50: number; p99: number };

/**
 * Measures a client of another account while `work` runs. It reads lists, one after the other, 10 ms apart, on a connection
 * that is open and warm.
 */
export async function timeOther(api: { url: string; key: string }, work: () => Promise<void>): Promise<Times> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, api.url, api.key], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`the other client ended with ${code}`);
  });
  failed.catch(() => undefined);
  await Promise.race([once(child, 'message'), failed]);
  await Promise.race([work(), failed]);
  const sent = once(child, 'message');
  child.send('end');
  const [times] = (await Promise.race([sent, failed])) as [number[]];
  const sorted = times.slice(20).toSorted((one, two) => one - two);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { count: sorted.length, p50: at(0.5), p99: at(0.99) };
}
