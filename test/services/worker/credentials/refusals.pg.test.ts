import type { ServerResponse } from 'node:http';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openWorkerContext, type WorkerContext } from '#services/worker/context.ts';
import { refreshShipments } from '#services/worker/refresh/consume.ts';
import { readEnv } from '#shared/config/env.ts';
import { setCarrierCredentials } from '#shared/core/carriers/set-carrier-credentials.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { demonstrationShipments } from '#shared/domain/registration/demonstration.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { createLogger } from '#shared/telemetry/logger.ts';
import { oceanRegistration, openTestCore, type TestCore, testCredentialKey } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { type Asked, openFakeCarrier } from '../carriers/dcsa/fake-carrier.ts';

type Canned = { status: number; body: string; type?: string };

let core: TestCore;
let database: pg.Client;
let carrier: Awaited<ReturnType<typeof openFakeCarrier>>;
/** Responses of the carrier by number; by default it doesn't know the number. */
let answers: Map<string, Canned>;
let tokenAnswer: Canned;
const closings: (() => unknown)[] = [];

const notFound: Canned = { status: 404, body: '{"message":"not found"}' };
const forbidden: Canned = { status: 403, body: '{"message":"not a party to this shipment"}' };
const firewall: Canned = { status: 403, body: '<html><body>Access denied</body></html>', type: 'text/html' };
const token: Canned = { status: 200, body: '{"access_token":"fine","expires_in":3600}' };

function answer({ method, url }: Asked, response: ServerResponse): void {
  const number = url.searchParams.get('transportDocumentReference') ?? '';
  const { status, body, type } = method === 'POST' ? tokenAnswer : (answers.get(number) ?? notFound);
  response.writeHead(status, { 'content-type': type ?? 'application/json' });
  response.end(body);
}

beforeAll(async () => {
  core = await openTestCore({}, ownDatabase);
  database = new pg.Client({ connectionString: core.databaseUrl });
  await database.connect();
  carrier = await openFakeCarrier(answer);
});
beforeEach(() => {
  answers = new Map();
  tokenAnswer = token;
  carrier.asked.length = 0;
});
afterAll(async () => {
  for (const close of closings.reverse()) await close();
  await carrier.close();
  await database.end();
  await core.close();
});

async function openWorker(environment: Record<string, string> = {}): Promise<WorkerContext> {
  const env = readEnv({
    DATABASE_URL: core.serviceUrl,
    CREDENTIAL_KEYS: `v1:${testCredentialKey}`,
    SIMULATOR: 'off',
    DB_POOL_SIZE: '12',
    CARRIER_MAERSK_BASE_URL: carrier.baseUrl,
    CARRIER_MAERSK_ACCOUNTS: encodeTypeId('acc', crypto.randomUUID()),
    ...environment,
  });
  const log = createLogger({ name: 'worker', level: 'silent' as never, destination: { write: () => undefined } });
  return openWorkerContext(env, { onDispose: (close) => void closings.push(close) }, log);
}

async function withCredentials(): Promise<Caller> {
  const caller = await core.newCaller();
  await setCarrierCredentials(core.ctx, caller, {
    carrier: 'MAEU',
    values: { client_id: 'the-client', client_secret: 'the-secret' },
  });
  return caller;
}

type Tracked = { accountId: string; shipmentId: string; number: string };

async function track(caller: Caller, said: Canned = notFound): Promise<Tracked> {
  const registration = oceanRegistration();
  const { shipment } = await registerShipment(core.ctx, caller, registration);
  const number = (registration.identifiers.mbl ?? '').replace(/^MAEU/, '');
  answers.set(number, said);
  answers.set(`MAEU${number}`, said);
  return { accountId: caller.accountId, shipmentId: shipment.id, number };
}

/** One refresh by a worker, and how tracking stands then. */
async function refresh(worker: WorkerContext, { accountId, shipmentId }: Omit<Tracked, 'number'>) {
  const { rows } = await database.query(
    `update landfall.polling set epoch = epoch + 1, lease_until = now() + interval '60 s' where shipment_id = $1 returning epoch::int`,
    [shipmentId],
  );
  const item = { accountId, shipmentId, epoch: rows[0].epoch };
  await refreshShipments(worker, { connector: 'maersk', items: [item] }, new AbortController().signal);
  const { rows: found } = await database.query('select state, reason from landfall.polling where shipment_id = $1', [
    shipmentId,
  ]);
  return found[0];
}

async function isSuspended(caller: Caller): Promise<boolean> {
  const { rows } = await database.query(
    'select suspended_at is not null as suspended from landfall.carrier_credentials where account_id = $1',
    [caller.accountId],
  );
  return rows[0]?.suspended;
}

it('attributes a 403 for one number to that number, however often and whichever worker receives it', async () => {
  const caller = await withCredentials();
  const [mine, theirs] = [await track(caller), await track(caller, forbidden)];
  for (const worker of [await openWorker(), await openWorker(), await openWorker()]) {
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await refresh(worker, theirs)).toEqual({ state: 'awaiting_carrier', reason: 'data_withheld' });
      expect(await isSuspended(caller)).toBe(false);
    }
    expect(await refresh(worker, mine)).toMatchObject({ reason: 'carrier_not_found_yet' });
  }
  const { rows } = await database.query(
    'select reason, detail from landfall.refreshes where shipment_id = $1 order by id desc limit 1',
    [theirs.shipmentId],
  );
  expect(rows).toEqual([
    { reason: 'data_withheld', detail: 'The carrier refused access (403): not a party to this shipment.' },
  ]);
});

it('treats a firewall’s page as an unreachable carrier, at the API and at the token endpoint', async () => {
  const caller = await withCredentials();
  const shipments = await Promise.all([1, 2, 3, 4].map(() => track(caller, firewall)));
  const worker = await openWorker();
  for (const one of shipments) expect(await refresh(worker, one)).toMatchObject({ reason: 'carrier_unreachable' });
  expect(await isSuspended(caller)).toBe(false);
  tokenAnswer = firewall;
  const other = await withCredentials();
  expect(await refresh(await openWorker(), await track(other))).toMatchObject({ reason: 'carrier_unreachable' });
  expect(await isSuspended(other)).toBe(false);
});

it('suspends the credentials when several different numbers in a row are refused', async () => {
  const caller = await withCredentials();
  const shipments = await Promise.all([1, 2, 3].map(() => track(caller, forbidden)));
  const worker = await openWorker();
  const reasons: string[] = [];
  for (const one of shipments) reasons.push((await refresh(worker, one)).reason);
  expect(reasons).toEqual(['data_withheld', 'data_withheld', 'carrier_auth_failed']);
  expect(await isSuspended(caller)).toBe(true);
  const asked = carrier.asked.length;
  expect(await refresh(worker, await track(caller))).toMatchObject({ reason: 'carrier_auth_failed' });
  expect(carrier.asked).toHaveLength(asked);
});

it('suspends the credentials on the word of the token endpoint', async () => {
  const caller = await withCredentials();
  tokenAnswer = { status: 401, body: '{"error":"invalid_client"}' };
  expect(await refresh(await openWorker(), await track(caller))).toMatchObject({ reason: 'carrier_auth_failed' });
  expect(await isSuspended(caller)).toBe(true);
});

it('never asks a real carrier about a demonstration shipment, and ends its tracking', async () => {
  const caller = await withCredentials();
  const [demonstration] = demonstrationShipments;
  if (demonstration === undefined) throw new Error('there is no demonstration');
  const { reference, identifiers } = demonstration;
  const demo = await registerShipment(core.ctx, caller, { ...oceanRegistration(), reference, identifiers });
  const own = await registerShipment(core.ctx, await withCredentials(), { ...oceanRegistration(), identifiers });
  const worker = await openWorker();
  const subjectOf = ({ shipment }: typeof demo) => ({ accountId: shipment.accountId, shipmentId: shipment.id });
  expect(await refresh(worker, subjectOf(demo))).toEqual({ state: 'failed', reason: 'not_found' });
  expect(carrier.asked).toEqual([]);
  // The number alone may be a client's own.
  await refresh(worker, subjectOf(own));
  expect(carrier.asked).not.toEqual([]);
});
