import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSimulator } from '#infra/tools/simulator/server.ts';
import { connectors } from '#services/worker/carriers/registry.ts';
import { setCarrierCredentials } from '#shared/core/carriers/set-carrier-credentials.ts';
import { verifyCarrierCredentials } from '#shared/core/carriers/verify-credentials.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { type ConnectorCode, carriers, connectorCodes } from '#shared/domain/carriers/carrier-catalogue.ts';
import { addressVariables } from '#shared/domain/carriers/connection.ts';
import type { CheckOutcome } from '#shared/domain/carriers/credential-check.ts';
import { credentialFormOf } from '#shared/domain/carriers/credential-fields.ts';
import type { CredentialValues } from '#shared/domain/carriers/known-connectors.ts';
import { simulatorAddresses, startAnsweringWorker } from '#test/support/carriers/answering-worker.ts';
import { openTestCore, type TestCore } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

let core: TestCore;
let database: pg.Client;
let simulator: ReturnType<typeof buildSimulator>;
let origin: string;

beforeAll(async () => {
  core = await openTestCore({}, ownDatabase);
  database = new pg.Client({ connectionString: core.databaseUrl });
  await database.connect();
  simulator = buildSimulator({ seed: 'checks', now: Date.now, voyageS: 50, stateFile: null, control: true });
  origin = await simulator.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await simulator.close();
  await database.end();
  await core.close();
});

const carrierOf = (connector: ConnectorCode) =>
  carriers.find((carrier) => carrier.connector === connector)?.code ?? connector;

/** Credentials of the connector's simplest form; the simulator refuses the value `wrong`. */
function credentialsFor(connector: ConnectorCode, value = 'fine'): CredentialValues {
  const { anyOf } = credentialFormOf(connector);
  const form = anyOf.find((fields) => !fields.includes('certificate') && !fields.includes('client_id')) ?? anyOf[0];
  return Object.fromEntries((form ?? []).map((field) => [field, value]));
}

const verify = (caller: Caller, connector: ConnectorCode, values: CredentialValues) =>
  verifyCarrierCredentials(core.ctx, caller, { carrier: carrierOf(connector), values }, { waitMs: 60_000 });

/** The outcome of one check at every connector, each of an account of its own. */
async function outcomes(value = 'fine'): Promise<[ConnectorCode, CheckOutcome, string][]> {
  return Promise.all(
    connectorCodes.map(async (code): Promise<[ConnectorCode, CheckOutcome, string]> => {
      const { outcome, message } = await verify(await core.newCaller(), code, credentialsFor(code, value));
      expect(message).toMatch(/^[A-Z].*\.$/);
      if (value === 'wrong') expect(message).not.toContain('fine');
      return [code, outcome, message];
    }),
  );
}

const all = (outcome: CheckOutcome, found: [ConnectorCode, CheckOutcome, string][]) =>
  expect(found.filter((one) => one[1] !== outcome)).toEqual([]);

async function withFault(fault: object, run: () => Promise<void>): Promise<void> {
  const payload = { reference: '*', times: 100, faults: [fault] };
  const set = await simulator.inject({ method: 'POST', url: '/control/faults', payload });
  expect(set.statusCode).toBeLessThan(300);
  try {
    await run();
  } finally {
    await simulator.inject({ method: 'DELETE', url: '/control/faults' });
  }
}

describe('with every carrier at the simulator', () => {
  let worker: Awaited<ReturnType<typeof startAnsweringWorker>>;
  beforeAll(async () => {
    worker = await startAnsweringWorker(core.serviceUrl, simulatorAddresses(origin));
  });
  afterAll(() => worker.close());

  it('accepts good credentials of every connector, and leaves no trace of them', async () => {
    all('accepted', await outcomes());
    const { rows } = await database.query('select id from landfall.worker_questions');
    expect(rows).toEqual([]);
    const stored = await database.query('select id from landfall.carrier_credentials');
    expect(stored.rows).toEqual([]);
  });

  it('reports that the carrier refused wrong credentials', async () => {
    all('refused', await outcomes('wrong'));
  });

  it('reports that the carrier limits calls, and until when', async () => {
    await withFault({ kind: 'too_many_requests', retryAfter: 'seconds', seconds: 30 }, async () => {
      const caller = await core.newCaller();
      const check = await verify(caller, 'dhl', credentialsFor('dhl'));
      expect(check).toMatchObject({ outcome: 'rate_limited', httpStatus: 429, retryAfterMs: 30_000 });
      all('rate_limited', await outcomes());
    });
  });

  it('reports that the carrier gave no usable response', async () => {
    await withFault({ kind: 'status', status: 503 }, async () => all('unreachable', await outcomes()));
  });

  it('reports that the answer could not be read', async () => {
    await withFault({ kind: 'invalid_json' }, async () => all('unreadable_answer', await outcomes()));
  });

  it('tries the stored credentials, and ends the suspension of accepted ones', async () => {
    const caller = await core.newCaller();
    expect(await verify(caller, 'dhl', {})).toMatchObject({
      outcome: 'nothing_to_verify',
      credentials: 'stored',
      message: 'You have no credentials at DHL. Send credentials to try them, or store them first.',
    });
    await setCarrierCredentials(core.ctx, caller, { carrier: 'dhl', values: { api_key: 'fine' } });
    await database.query(
      `update landfall.carrier_credentials
       set suspended_at = now(), suspended_reason = 'carrier_auth_failed', probe_at = now() + interval '1 h'
       where account_id = $1`,
      [caller.accountId],
    );
    expect(await verify(caller, 'dhl', {})).toMatchObject({ outcome: 'accepted', credentials: 'stored' });
    const { rows } = await database.query(
      'select suspended_at from landfall.carrier_credentials where account_id = $1',
      [caller.accountId],
    );
    expect(rows).toEqual([{ suspended_at: null }]);
    await setCarrierCredentials(core.ctx, caller, { carrier: 'dhl', values: { api_key: 'wrong' } });
    const refused = await verify(caller, 'dhl', {});
    expect(refused).toMatchObject({ outcome: 'refused', httpStatus: 401 });
    expect(refused.message).toMatch(/^DHL refused the credentials: .*\(401\): [^.]+\.$/);
  });
});

it('makes one call to a carrier that does not know the number, and counts that as accepted', async () => {
  const calls: string[] = [];
  const carrier = createServer((request, response) => {
    const isSignIn = request.url?.includes('/token') === true;
    if (!isSignIn) calls.push(request.url?.split('/')[1] ?? '');
    response.writeHead(isSignIn ? 200 : 404, { 'content-type': 'application/json' });
    response.end(isSignIn ? '{"access_token":"fine","expires_in":300}' : '{"message":"No such shipment"}');
  });
  await new Promise<void>((resolve) => carrier.listen(0, '127.0.0.1', resolve));
  const { port } = carrier.address() as AddressInfo;
  const addresses = connectorCodes.flatMap((code) => {
    const { base, auth } = addressVariables(code);
    const at = `http://127.0.0.1:${port}/${code}`;
    return [[base, at], ...(connectors[code].simulated.authPath === null ? [] : [[auth, `${at}/token`]])];
  });
  const worker = await startAnsweringWorker(core.serviceUrl, Object.fromEntries(addresses));
  try {
    all('accepted', await outcomes());
    expect(calls.toSorted()).toEqual(connectorCodes.toSorted());
  } finally {
    await worker.close();
    carrier.closeAllConnections();
    carrier.close();
  }
});

it('reports that there is no API at the configured address', async () => {
  const worker = await startAnsweringWorker(core.serviceUrl, simulatorAddresses(origin, '/nowhere'));
  all('wrong_address', await outcomes().finally(worker.close));
});

it('names the address that the operator has not set', async () => {
  const worker = await startAnsweringWorker(core.serviceUrl, {
    CARRIER_EVERGREEN_BASE_URL: `${origin}/sim/evergreen`,
  });
  const caller = await core.newCaller();
  expect(await verify(caller, 'one-record', credentialsFor('one-record'))).toMatchObject({
    outcome: 'wrong_address',
    httpStatus: null,
    message: expect.stringContaining('CARRIER_ONE_RECORD_BASE_URL'),
  });
  expect(await verify(caller, 'evergreen', credentialsFor('evergreen'))).toMatchObject({
    outcome: 'wrong_address',
    message: expect.stringContaining('CARRIER_EVERGREEN_AUTH_URL'),
  });
  await worker.close();
});

it('reports that no worker answers, and leaves no question behind', async () => {
  const caller = await core.newCaller();
  const checking = verifyCarrierCredentials(
    core.ctx,
    caller,
    { carrier: 'dhl', values: { api_key: 'fine' } },
    { waitMs: 100 },
  );
  await expect(checking).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('No worker') });
  const { rows } = await database.query('select id from landfall.worker_questions where account_id = $1', [
    caller.accountId,
  ]);
  expect(rows).toEqual([]);
});

it('lets an account wait for five checks at a time', async () => {
  const caller = await core.newCaller();
  const start = () => verifyCarrierCredentials(core.ctx, caller, { carrier: 'dhl', values: { api_key: 'x' } });
  const open = async () => {
    const { rows } = await database.query(
      'select count(*)::int as open from landfall.worker_questions where account_id = $1',
      [caller.accountId],
    );
    return rows[0].open;
  };
  const waiting = Array.from({ length: 5 }, () => start().catch(() => null));
  await expect.poll(open).toBe(5);
  await expect(start()).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('Other checks'),
  });
  await database.query(
    `update landfall.worker_questions set answer = '{"outcome":"accepted","message":"","httpStatus":null,"durationMs":0,"retryAfterMs":null}'
     where account_id = $1`,
    [caller.accountId],
  );
  await Promise.all(waiting);
  expect(await open()).toBe(0);
});
