import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import fastify from 'fastify';
import { expect, it } from 'vitest';
import { closeServer } from '#services/api/close-server.ts';

/** A client on a thread of its own: it sends while the server's thread is busy, on a connection that was idle. */
const client = `
  const { connect } = require('node:net');
  const { parentPort, workerData: { port, shared } } = require('node:worker_threads');
  const turn = new Int32Array(shared);
  const socket = connect(port, '127.0.0.1');
  const ask = (done) => socket.write('GET / HTTP/1.1\\r\\nhost: a\\r\\n\\r\\n', done);
  const pass = (value) => { Atomics.store(turn, 0, value); Atomics.notify(turn, 0); };
  let received = '';
  socket.setEncoding('utf8');
  socket.on('data', (text) => {
    received += text;
    if (received.split('HTTP/1.1 200').length !== 2) return;
    parentPort.postMessage('idle');
    setImmediate(() => {
      Atomics.wait(turn, 0, 0);
      ask(() => pass(2));
    });
  });
  socket.on('error', () => undefined);
  socket.on('close', () => parentPort.postMessage(received));
  ask();
`;

it('answers a request that arrived before its idle connection was closed', async () => {
  const app = fastify({ forceCloseConnections: 'idle' });
  app.get('/', async () => 'here');
  await app.listen({ host: '127.0.0.1', port: 0 });
  const turn = new Int32Array(new SharedArrayBuffer(4));
  const { port } = app.server.address() as AddressInfo;
  const thread = new Worker(client, { eval: true, workerData: { port, shared: turn.buffer } });
  let closed: Promise<void> | null = null;
  const received = await new Promise<string>((resolve, reject) => {
    thread.on('error', reject);
    thread.on('message', (message: string) => {
      if (message !== 'idle') return resolve(message);
      // The request arrives in between, and this thread hasn't read it yet.
      Atomics.store(turn, 0, 1);
      Atomics.notify(turn, 0);
      Atomics.wait(turn, 0, 1);
      closed = closeServer(app, 60_000);
    });
  });
  await closed;
  expect(received.split('HTTP/1.1 200')).toHaveLength(3);
});
