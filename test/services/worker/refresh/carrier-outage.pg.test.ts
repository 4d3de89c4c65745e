import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { connectors } from '#services/worker/carriers/registry.ts';
import { refreshShipments } from '#services/worker/refresh/consume.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { bySystem, newShipment } from '#test/support/carriers/carrier-refreshes.ts';
import { openTestCore, type TestCore } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { transportEvent } from '../carriers/dcsa/fake-carrier.ts';
import { type FakeWorker, openFakeWorker } from '../fake-access.ts';

let core: TestCore;
let worker: FakeWorker;
let baseUrl: string;
/** Returns the carrier's response for a number; others get events. */
let answers: (number: string) => ((response: ServerResponse) => void) | undefined = () => undefined;
const asked: string[] = [];
const server = createServer((request, response) => {
  const number = new URL(request.url ?? '/', 'http://carrier').searchParams.get('transportDocumentReference') ?? '';
  asked.push(number);
  const answer = answers(number);
  if (answer !== undefined) return answer(response);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify([transportEvent('DEPA')]));
});

beforeAll(async () => {
  core = await openTestCore({}, ownDatabase);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await core.close();
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  asked.length = 0;
  answers = () => undefined;
  worker = openFakeWorker({
    core: core.ctx,
    connector: { code: 'dcsa', batchSize: 1, fetch: connectors.dcsa.fetch },
    settings: { baseUrl, simulated: true },
  });
});
afterEach(async () => {
  vi.useRealTimers();
  await worker.close();
});

let numbers = 0;
type Tracked = { caller: Caller; id: string; number: string };

async function register(count: number): Promise<Tracked[]> {
  const caller = await core.newCaller();
  const made: Tracked[] = [];
  for (let index = 0; index < count; index++) {
    numbers += 1;
    const number = `OOLU${String(numbers).padStart(8, '0')}`;
    const { id } = await newShipment(core, { caller, registration: { identifiers: { mbl: number } } });
    made.push({ caller, id, number });
  }
  return made;
}

/** Refreshes each in a job of its own, one after another. */
async function poll(tracked: readonly Tracked[]): Promise<void> {
  for (const { caller, id } of tracked) {
    const [row] = await bySystem<{ epoch: number }>(
      core,
      `update landfall.polling set epoch = epoch + 1, lease_until = now() + interval '60 s' where shipment_id = $1 returning epoch`,
      [id],
    );
    const items = [{ accountId: caller.accountId, shipmentId: id, epoch: row?.epoch ?? -1 }];
    await refreshShipments(worker.refresh, { connector: 'dcsa', items }, new AbortController().signal);
  }
}

type Standing = { id: string; state: string; reason: string | null; due_in_s: number; refreshes: number };

/** In the order of the shipments. */
async function standing(tracked: readonly Tracked[]): Promise<Standing[]> {
  const rows = await bySystem<Standing>(
    core,
    `select p.shipment_id as id, p.state, p.reason, extract(epoch from p.next_refresh_at - now())::float8 as due_in_s,
       (select sum(r.count)::integer from landfall.refreshes as r where r.shipment_id = p.shipment_id) as refreshes
     from landfall.polling as p where p.shipment_id = any ($1)`,
    [tracked.map(({ id }) => id)],
  );
  return tracked.map(({ id }) => rows.find((row) => row.id === id) ?? expect.fail('there is no polling row'));
}

const json = (text: string) => (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(text);
};
const poisons: Record<string, (response: ServerResponse) => void> = {
  'nested deeply': json(`${'['.repeat(200_000)}${']'.repeat(200_000)}`),
  'a million values': json(`[${'1,'.repeat(1_000_000)}1]`),
  'an endless body': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = (): void => {
      if (!response.destroyed) response.write(' '.repeat(65_536), () => setImmediate(more));
    };
    more();
  },
  'an unknown encoding': (response) => response.writeHead(200, { 'content-encoding': 'sdch' }).end('x'),
  'a reset': (response) => void response.socket?.resetAndDestroy(),
};

it('serves every healthy shipment while a few poisonous ones fail again and again', async () => {
  const names = Object.keys(poisons);
  const bad = await register(names.length);
  const healthy = await register(4);
  answers = (number) => poisons[names[bad.findIndex((each) => each.number === number)] ?? ''];
  for (let round = 0; round < 3; round++) {
    await poll(bad);
    // Without an answer in between that is at least a response.
    await poll([...bad.slice(2), ...bad.slice(2)]);
    await poll(healthy);
    expect((await standing(healthy)).map(({ state, reason }) => [state, reason])).toEqual(
      healthy.map(() => ['active', null]),
    );
  }
  expect((await standing(bad)).map(({ state, reason }) => [state, reason])).toEqual(
    names.map((name) => ['degraded', name.startsWith('a reset') ? 'carrier_unreachable' : 'unrecognized_response']),
  );
  // Every refresh of a healthy one reached the carrier.
  expect(asked.filter((number) => healthy.some((each) => each.number === number))).toHaveLength(3 * healthy.length);
});

it('makes every shipment due again within seconds of the end of an outage', async () => {
  const tracked = await register(10);
  await poll(tracked);
  asked.length = 0;
  answers = () => poisons['a reset'];
  const startedAt = Date.now();
  let probes = 0;
  // Three minutes, in which each shipment that is due is refreshed.
  await poll(tracked);
  expect(asked).toHaveLength(5);
  while (Date.now() - startedAt < 180_000) {
    vi.setSystemTime(Date.now() + 18_001);
    const before = asked.length;
    await poll(tracked);
    probes += asked.length - before;
    const waiting = await standing(tracked);
    expect(asked.length - before).toBe(1);
    // A pause of at most 18 s, and a spread of 15 s.
    for (const { due_in_s: dueInS } of waiting) expect(dueInS).toBeLessThan(33.5);
  }
  expect(probes).toBeGreaterThan(8);
  const shown = await standing(tracked);
  expect(shown.every(({ state, reason }) => state === 'degraded' && reason === 'carrier_unreachable')).toBe(true);
  // The first ones and the probes call the carrier; the others say three times that they could not.
  expect(shown.reduce((sum, { refreshes }) => sum + refreshes, 0)).toBeLessThanOrEqual(4 * 10 + 5 + probes);

  answers = () => undefined;
  vi.setSystemTime(Date.now() + 18_001);
  await poll(tracked);
  expect((await standing(tracked)).every(({ state, reason }) => state === 'active' && reason === null)).toBe(true);
});
