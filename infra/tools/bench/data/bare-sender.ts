import { createHmac, randomBytes } from 'node:crypto';
import process from 'node:process';
import { Pool } from 'undici';

/*
 * The baseline of deliveries: a loop that signs and posts a body, with as many requests at a time as a worker has, and
 * nothing else. Arguments: the receiver's URL, how many to send, how many at a time, bytes of the body.
 */
const [url = '', total = '0', places = '1', bytes = '0'] = process.argv.slice(2);
const pool = new Pool(url, { connections: Number(places) });
const secret = randomBytes(32);
const body = JSON.stringify({ data: 'x'.repeat(Number(bytes)), traceparent: 'bare' });
let left = Number(total);

async function send(): Promise<void> {
  while (left > 0) {
    left -= 1;
    const id = `chg_${left}`;
    const timestamp = Math.floor(Date.now() / 1000);
    const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
    const response = await pool.request({
      path: '/bare',
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': `v1,${signature}`,
      },
      body,
    });
    await response.body.dump();
  }
}

const startedAt = performance.now();
const cpuBefore = process.cpuUsage();
await Promise.all(Array.from({ length: Number(places) }, send));
const { user, system } = process.cpuUsage(cpuBefore);
process.send?.({
  type: 'done',
  ms: performance.now() - startedAt,
  cpuUs: user + system,
  rss: process.memoryUsage.rss(),
});
await pool.close();
process.disconnect?.();
