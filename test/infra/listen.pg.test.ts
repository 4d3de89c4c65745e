import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { wireChange } from '#shared/contract/feed/change-wire.ts';
import { sequenceChanges } from '#shared/core/feed/sequence-changes.ts';
import { secretBytes, signWebhook } from '#shared/net/sign-webhook.ts';
import { type Json, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { until } from '#test/support/until.ts';

type Delivery = { headers: Record<string, string | string[] | undefined>; body: string };

let api: TestApi;
const deliveries: Delivery[] = [];
const receiver = createServer(async (request, response) => {
  deliveries.push({ headers: request.headers, body: await text(request) });
  response.writeHead(deliveries.length === 2 ? 500 : 204).end();
});

beforeAll(async () => {
  api = await startTestApi({}, { openDatabase: ownDatabase });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
});
afterAll(async () => {
  receiver.close();
  await api?.close();
});

it('forwards changes of the stream, signed like the deliveries of an endpoint, and prints the response', async () => {
  const forwardTo = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
  const listening = listen('--forward-to', forwardTo, '--api', api.url, '--types', 'shipment.created');
  await listening.says(/^Forwarding changes from .* to /m);
  const [, secret = ''] = /^Signing secret: (whsec_\S+)$/m.exec(listening.output()) ?? [];
  const ids = [await register('MAEU700000001'), await register('MAEU700000002')];
  await listening.says(/shipment\.created [\s\S]*shipment\.created .*\n/);
  expect(listening.output()).toMatch(new RegExp(`^\\d+ shipment.created ${ids[0]} → 204 \\(\\d+ ms\\)$`, 'm'));
  expect(listening.output()).toMatch(new RegExp(`^\\d+ shipment.created ${ids[1]} → 500 \\(\\d+ ms\\)$`, 'm'));
  const [{ headers, body }] = deliveries as [Delivery];
  const { type, timestamp, data } = JSON.parse(body) as Json;
  expect(wireChange.parse(data)).toEqual(data);
  expect([type, timestamp, headers['webhook-id']]).toEqual([data.type, data.created_at, data.id]);
  const signed = { id: data.id, timestamp: Number(headers['webhook-timestamp']), body };
  expect(headers['webhook-signature']).toBe(signWebhook(signed, [secretBytes(secret)]));
  expect(await listening.stop()).toBe(0);
});

it.each([
  [['--forward-to', 'ftp://127.0.0.1'], '--forward-to must be an address that begins with http:// or https://.'],
  [['--forward-to', 'http://127.0.0.1:1', '--secret', 'whsec_short'], '--secret must be whsec_'],
  [['--forward-to', 'http://127.0.0.1:1', '--filter', 'colour=red'], 'Unknown parameter: colour'],
])('refuses %j with a reason', async (args, reason) => {
  const listening = listen(...args, '--api', api.url);
  expect(await listening.ended).toBe(1);
  expect(listening.output()).toContain(reason);
});

function listen(...args: string[]) {
  const child = spawn(process.execPath, ['infra/scripts/listen.ts', ...args], {
    env: { PATH: process.env.PATH, LANDFALL_API_KEY: api.key },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    output: () => output,
    ended,
    says: (pattern: RegExp) =>
      until(
        async () => output,
        (said) => pattern.test(said),
      ),
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

async function register(mbl: string): Promise<string> {
  const body = { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl } };
  const { shipment_id: id } = (await (await api.post('/v1/shipments', body)).json()) as Json;
  while ((await sequenceChanges(api.ctx.core)) !== 0);
  return id;
}
