import { afterAll, beforeAll, expect, it } from 'vitest';
import { request } from '#test/support/api/http.ts';
import { type Installation, openInstallation } from '#test/support/installation.ts';
import { until } from '#test/support/until.ts';

let landfall: Installation;

beforeAll(async () => {
  landfall = await openInstallation({ redisUrl: null });
});

afterAll(() => landfall?.close());

it('shows a worker’s changes in the feed, and continues with the next worker after a kill', async () => {
  const first = await register('MAEU700000015');
  const types = (id: string) =>
    read(`shipment_id=${id}`).then((body) => body.data.map((change: { type: string }) => change.type));
  await until(
    () => types(first),
    (found) => found[0] === 'shipment.created' && found.includes('shipment.event_added'),
  );

  await landfall.worker?.kill();
  const second = await register('MAEU700000023');
  expect(await types(second)).toEqual([]);
  const worker = await landfall.startWorker();
  await until(
    () => types(second),
    (found) => found.includes('shipment.created'),
  );
  const { data } = await read('');
  expect(data.map((change: { position: number }) => change.position)).toEqual(
    data.map((_: unknown, index: number) => index + 1),
  );
  expect(await worker.stop()).toBe(0);
});

async function register(mbl: string): Promise<string> {
  const body = { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl } };
  const answer = await request(`${landfall.api.url}/v1/shipments`, { key: landfall.key, body });
  expect([answer.status, answer.body.detail]).toEqual([201, undefined]);
  return answer.body.shipment_id;
}

async function read(query: string) {
  const { status, body } = await request(`${landfall.api.url}/v1/events?limit=500&${query}`, { key: landfall.key });
  expect([status, body.detail]).toEqual([200, undefined]);
  return body;
}
