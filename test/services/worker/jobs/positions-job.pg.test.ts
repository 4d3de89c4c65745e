import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createCarrierFetch, openCarrierAgent } from '#services/worker/calls/carrier-fetch.ts';
import { type PositionSource, positionsJob } from '#services/worker/jobs/positions-job.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { readPositionRounds } from '#shared/store/positions/vessel-positions.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { found, refresh } from '#test/support/carriers/refreshed-shipment.ts';
import { getShipment, oceanRegistration, openTestCore, type TestCore } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

const imo = '9481113';
const agent = openCarrierAgent();
const stopping = new AbortController();
let core: TestCore;
let server: Server;
let caller: Caller;
let shipmentId: string;
let answer: Answer;
let asked: { authorization: string | undefined; body: unknown }[] = [];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const body = await text(request);
    asked.push({ authorization: request.headers.authorization, body: JSON.parse(body) });
    answer(request, response, body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  core = await openTestCore({}, ownDatabase);
  caller = await core.newCaller();
  const { shipment } = await registerShipment(core.ctx, caller, oceanRegistration());
  shipmentId = shipment.id;
  const location = { name: 'Shanghai', unlocode: 'CNSHA', iata: null, country: 'CN', lat: 31.2, lng: 121.5 };
  const left = found({
    code: 'departed',
    local: '2026-03-01T10:00',
    legRole: 'pol',
    location: { ...location, timezone: null, facility: null },
    vehicle: { name: 'MAREN AURORA', imo, voyage: '240W', flight: null },
  });
  await refresh(core.ctx, { accountId: caller.accountId, shipmentId }, left);
});

afterAll(async () => {
  stopping.abort();
  server.closeAllConnections();
  server.close();
  await agent.close();
  await core.close();
});

beforeEach(() => {
  asked = [];
});

const send =
  (body: unknown, status = 200): Answer =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

const row = (changes: object = {}) => ({ imo, lat: 12.5, lng: 60.25, at: '2026-03-10T00:00:00+02:00', ...changes });

/** One round of the job that is due now. Returns how the rounds went. */
async function run(given: Answer, changes: Partial<PositionSource> = {}) {
  answer = given;
  await withSystem(core.store, (tx) => tx.query('update landfall.position_rounds set next_at = now()'));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/where`;
  const fetch = createCarrierFetch(agent, { settings: { baseUrl: url, authUrl: null }, maxBodyBytes: 1_048_576 });
  const source = { url, token: 'secret-token', everyMs: 600_000, simulated: true, fetch, ...changes };
  await positionsJob(core.ctx, { source, jitter: 0, signal: stopping.signal }).run();
  return withSystem(core.store, readPositionRounds);
}

const shown = async () => (await getShipment(core.ctx, caller, shipmentId)).currentPosition;

it('requests positions by the documented contract and shows those that the source returns', async () => {
  const rounds = await run(send({ positions: [row({ source: 'terrestrial', name: 'MAREN AURORA' })] }));
  expect(asked).toEqual([{ authorization: 'Bearer secret-token', body: { vessels: [{ imo }] } }]);
  expect(rounds).toMatchObject({ failures: 0, failure: null });
  expect(await shown()).toEqual({
    lat: 12.5,
    lng: 60.25,
    at: '2026-03-09T22:00:00.000Z',
    source: 'positions:terrestrial',
    vehicle: { name: 'MAREN AURORA', imo, voyage: null, flight: null },
  });
});

it.each<[string, Answer, string | null]>([
  ['text', send('<html>no such page</html>'), 'form'],
  ['JSON of another form', send([{ imo }]), 'form'],
  ['a deep nest', send(`{"positions":${'['.repeat(100_000)}`), 'form'],
  ['a server error', send({ message: 'overloaded' }, 500), 'HTTP 500'],
  ['a rejected token', send({}, 401), 'HTTP 401'],
  ['10 MiB', send({ positions: [], filler: 'x'.repeat(10 * 1_048_576) }), 'too large'],
  [
    'a redirect to elsewhere',
    (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    '302',
  ],
  ['a broken connection', (request) => request.socket.destroy(), 'unreachable'],
  ['other vessels', send({ positions: [row({ imo: '9999999', lat: 1 }), row({ imo: 9481113 })] }), null],
  [
    'rows that are no positions',
    send({ positions: [null, 7, 'x', [], {}, row({ lat: 'north' }), row({ at: 'now' })] }),
    null,
  ],
  ['positions that can’t be true', send({ positions: [row({ lat: 95 }), row({ lat: 0, lng: 0 })] }), null],
  ['a position of 2090', send({ positions: [row({ at: '2090-01-01T00:00:00Z', lat: 1 })] }), null],
])('shows no invalid position and continues when the source returns %s', async (_what, given, failure) => {
  const before = await shown();
  const rounds = await run(given);
  if (failure === null) expect(rounds.failure).toBe(null);
  else expect(rounds.failure).toContain(failure);
  expect(await shown()).toEqual(before);
});

it('lets refreshes through while the source doesn’t respond', async () => {
  const { promise: hung, resolve } = Promise.withResolvers<void>();
  const running = run(
    (request) => {
      resolve();
      request.socket.once('close', () => undefined);
    },
    {
      // The deadline of the job, which is longer, ends the call in the same way.
      fetch: (url, request) => {
        const fetch = createCarrierFetch(agent, { settings: { baseUrl: url, authUrl: null }, maxBodyBytes: 1000 });
        return fetch(url, { ...request, signal: AbortSignal.any([request.signal, closing.signal]) });
      },
    },
  );
  await hung;
  await refresh(
    core.ctx,
    { accountId: caller.accountId, shipmentId },
    found({ code: 'in_transit', local: '2026-03-11T00:00' }),
  );
  closing.abort(new DOMException('too late', 'TimeoutError'));
  expect((await running).failure).toContain('did not respond in time');
});

const closing = new AbortController();
