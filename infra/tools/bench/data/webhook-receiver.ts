import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';

/*
 * A webhook receiver in a process of its own. It answers 200 at once, or never at /hang, and reports what it received
 * as [traceparent of the change, epoch ms].
 */

export type ReceivedReport = { type: 'received'; count: number; receipts: [string, number][] };

const reportEveryMs = 100;
const traceparentPattern = /"traceparent":"([^"]+)"/;

let count = 0;
let reported = 0;
let receipts: [string, number][] = [];

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    body += chunk;
  });
  request.on('end', () => {
    if (request.url === '/hang') return;
    count += 1;
    receipts.push([traceparentPattern.exec(body)?.[1] ?? '', performance.timeOrigin + performance.now()]);
    response.writeHead(200).end();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ type: 'ready', url: `http://127.0.0.1:${port}` });
});
setInterval(() => {
  if (count === reported) return;
  reported = count;
  process.send?.({ type: 'received', count, receipts } satisfies ReceivedReport);
  receipts = [];
}, reportEveryMs);
process.on('disconnect', () => process.exit(0));
