import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildOperationsServer } from '#services/api/operations/build-operations-server.ts';
import { toShipmentId } from '#shared/contract/shipments/shipment-id.ts';
import { reportCarrierHealth } from '#shared/core/carriers/report-carrier-health.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { refreshQueues } from '#shared/domain/carriers/carrier-catalogue.ts';
import { limitReadTime, readDue, readFailedRefreshes, readUsualDurations } from '#shared/store/system/operations.ts';
import { readWaitingWork } from '#shared/store/system/waiting-work.ts';
import { insertRefresh } from '#shared/store/tracking/refreshes.ts';
import { withAccount, withSystem } from '#shared/store/with-account.ts';
import { startTestApi, type TestApi } from '#test/support/api.ts';
import { oceanRegistration } from '#test/support/core-context.ts';

let api: TestApi;
let operations: FastifyInstance;
let shipmentId: string;
const traceId = '0af7651916cd43dd8448eb211c80319c';
const page = async (): Promise<string> =>
  (await operations.inject({ url: '/operations', headers: { host: 'localhost' } })).body;

beforeAll(async () => {
  api = await startTestApi();
  operations = buildOperationsServer(api.ctx, {
    guard: { token: null, hosts: ['localhost'] },
    readMetrics: () => null,
  });
  const { core } = api.ctx;
  const health = {
    requests: 50,
    succeeded: 50,
    latencyP50Ms: 60,
    latencyP95Ms: 90,
    lastSuccessAt: null,
    lastErrorAt: null,
    lastErrorReason: null,
    circuit: 'closed' as const,
    budgetLeft: 9,
    closedUntil: null,
  };
  const failing = {
    ...health,
    succeeded: 4,
    lastErrorAt: new Date().toISOString(),
    lastErrorReason: 'carrier_unreachable' as const,
  };
  await reportCarrierHealth(core, randomUUID(), {
    served: [],
    health: [
      { ...health, connector: 'maersk', credentialId: randomUUID(), latencyP50Ms: 5000, latencyP95Ms: 8200 },
      { ...failing, connector: 'hapag-lloyd', credentialId: randomUUID() },
      { ...health, connector: 'zim', credentialId: randomUUID() },
    ],
  });
  const caller = {
    accountId: api.accountId,
    keyId: null,
    scopes: [],
    test: false,
    requestId: 'req_test',
    idempotency: null,
  };
  ({
    shipment: { id: shipmentId },
  } = await registerShipment(core, caller, oceanRegistration({ carrier: 'HLCU' })));
  const failure = {
    outcome: 'error' as const,
    reason: 'carrier_unreachable' as const,
    httpStatus: 500,
    durationMs: 12,
    eventsAdded: 0,
  };
  await withAccount(core.store, api.accountId, (tx) =>
    insertRefresh(tx, api.accountId, shipmentId, { ...failure, source: 'hapag-lloyd', traceId }),
  );
});
afterAll(async () => {
  await operations.close();
  await api.close();
});

it('a person finds the failing and the slow carrier in words at the top, with the reason, and from an error its trace', async () => {
  const html = await page();
  expect(html).toContain('Hapag-Lloyd is failing: 92 % of its last 50 calls failed, most with HTTP 500.');
  expect(html).toContain('Maersk is slow: p95 8.2 s');
  expect(html).not.toContain('ZIM is');
  expect(html.indexOf('Hapag-Lloyd is failing')).toBeLessThan(html.indexOf('Maersk is slow'));
  expect(html).toContain(`href="/operations/traces/${traceId}"`);
  expect(html).toContain(`href="/operations/traces?shipment=${toShipmentId(shipmentId)}"`);
});

it('the page says that the queue does not answer instead of waiting for it', async () => {
  expect(await page()).toContain('The queue does not answer');
});

it('nothing but its own script and style may run on the page, and nothing is fetched from elsewhere', async () => {
  const answer = await operations.inject({ url: '/operations', headers: { host: 'localhost' } });
  expect(answer.headers['content-security-policy']).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+';/,
  );
  expect(answer.body).not.toMatch(/(src|href)="https?:/);
  expect(answer.body).not.toMatch(/ style="| on\w+="/);
});

it('the middle alone is what the script asks for', async () => {
  const answer = await operations.inject({ url: '/operations/now', headers: { host: 'localhost' } });
  expect(answer.body).toContain('What is wrong now');
  expect(answer.body).not.toContain('<html');
});

it('no statement of the page or of the gauges reads a table of work from end to end', async () => {
  await withSystem(api.ctx.core.store, async (tx) => {
    await tx.query('set local enable_seqscan = off');
    const explaining = (texts: string[]) =>
      ({
        query: async (statement: { text: string; values?: unknown[] } | string) => {
          if (typeof statement === 'string') return tx.query(statement);
          const { rows } = await tx.query<{ 'QUERY PLAN': string }>({
            text: `explain ${statement.text}`,
            values: statement.values ?? [],
          });
          texts.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
          return tx.query({ text: statement.text, values: statement.values ?? [] });
        },
      }) as unknown as typeof tx;
    const plans: string[] = [];
    const asked = explaining(plans);
    await limitReadTime(asked);
    await readWaitingWork(asked, refreshQueues);
    await readDue(asked, refreshQueues);
    await readFailedRefreshes(asked);
    await readUsualDurations(asked);
    expect(plans).toHaveLength(4);
    for (const plan of plans)
      expect(plan).not.toMatch(/Seq Scan on (polling|refreshes|changes|push_deliveries|shipments)/);
    expect(plans[0]).toContain('polling_due');
    expect(plans[0]).toContain('push_deliveries_pending');
    expect(plans[0]).toContain('changes_unpositioned');
  });
});
