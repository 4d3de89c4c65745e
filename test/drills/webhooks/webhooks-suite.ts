import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWebhookFleet, type WebhookFleet } from '#infra/tools/drills/webhook-fleet.ts';
import { toChangeId } from '#shared/contract/feed/change-wire.ts';
import { testCredentialKey } from '#test/support/core-context.ts';
import { type RunningService, startService } from '#test/support/processes.ts';
import { scaled } from '#test/support/run-scale.ts';
import { until } from '#test/support/until.ts';
import { openReceiver, type Receiver } from '#test/support/webhooks/receiver.ts';

type Plan = {
  accounts: number;
  endpoints: number;
  changes: number;
  parts: number;
  killEveryMs: number;
  workers: number;
  restartsApi: boolean;
};

/** The full form: 100,000 candidate deliveries, written over three minutes in which workers are killed every 5 s. */
const plan: Plan = scaled({
  short: { accounts: 3, endpoints: 10, changes: 60, parts: 2, killEveryMs: 0, workers: 1, restartsApi: false },
  full: { accounts: 20, endpoints: 50, changes: 100, parts: 36, killEveryMs: 5000, workers: 2, restartsApi: true },
});

/** So that a kill meets requests in progress, and changes that were read but not sent. */
const answerAfterMs = scaled({ short: 60, full: 20 });

/** Deliveries that the log contained when a worker died. */
type Death = { atMs: number; delivered: Set<string> };

/** No delivery is lost while workers die, the queue loses its jobs and the API restarts. */
export function describeWebhookDrill(name: string, redisUrl: string | null): void {
  describe(`webhooks while workers die, queue on ${name}`, () => {
    let receiver: Receiver;
    let fleet: WebhookFleet;
    let env: Record<string, string>;
    const workers: RunningService[] = [];
    let api: RunningService | null = null;

    beforeAll(async () => {
      receiver = await openReceiver();
      fleet = await openWebhookFleet(plan, { redisUrl, urlOf: receiver.urlOf });
      env = {
        DATABASE_URL: fleet.core.serviceUrl,
        ...(redisUrl === null ? {} : { REDIS_URL: redisUrl }),
        CREDENTIAL_KEYS: `v1:${testCredentialKey}`,
        SIMULATOR: 'off',
        TRACE_STORE: 'off',
        PORT: '0',
        WORKER_HEALTH_PORT: '0',
      };
      for (const { endpoints } of fleet.accounts) {
        for (const { path } of endpoints)
          receiver.answer(
            path,
            (_received, response) => void setTimeout(() => response.writeHead(200).end(), answerAfterMs),
          );
      }
    });
    afterAll(async () => {
      await Promise.all([...workers.map((worker) => worker.kill()), api?.kill()]);
      receiver?.close();
      await fleet?.close();
    });

    it('delivers exactly the expected set, in order where requested, and repeats only deliveries in progress', async () => {
      const deaths: Death[] = [];
      const kill = async (): Promise<void> => {
        await workers.shift()?.kill();
        // The worker's last statements are visible once its sessions have ended.
        if (workers.length === 0)
          await until(
            () => countSessions(fleet),
            (count) => count === 0,
          );
        deaths.push({ atMs: performance.now(), delivered: await readDelivered(fleet) });
      };
      for (let count = 0; count < plan.workers; count += 1) workers.push(await startService('worker', env));
      if (plan.restartsApi) api = await startService('api', env);

      for (let part = 1; part <= plan.parts; part += 1) {
        const before = receiver.received.length;
        await fleet.write(spread(plan.changes, plan.parts, part));
        if (plan.killEveryMs > 0) await sleep(plan.killEveryMs);
        else {
          await receiver.until((received) => received.length > before + 40);
          await until(
            () => readDelivered(fleet),
            ({ size }) => size > 0,
          );
        }
        if (part === Math.ceil(plan.parts / 2) || part === plan.parts) await fleet.emptyQueue();
        if (plan.killEveryMs > 0 || part === 1) {
          await kill();
          workers.push(await startService('worker', env));
        }
        // The short form does not wait for leases of ten seconds.
        if (plan.killEveryMs === 0) await expireLeases(fleet);
        if (api !== null && part === Math.ceil(plan.parts / 2)) {
          await api.kill();
          api = await startService('api', env);
        }
      }
      await until(
        () => countBehind(fleet),
        (count) => count === 0,
      );

      const seen = new Map<string, Set<string>>();
      for (const { path, body } of receiver.received) {
        const { traceparent } = JSON.parse(body).data;
        const key = path.slice(1);
        seen.set(key, (seen.get(key) ?? new Set()).add(traceparent));
      }
      const written = new Set(fleet.accounts.flatMap(({ changes }) => changes.map(({ name }) => name)));
      for (const { endpoints, changes } of fleet.accounts) {
        for (const { path, wants } of endpoints) {
          const expected = changes.filter(wants).map((change) => change.name);
          // In three minutes, the workers make changes of their own.
          const got = [...(seen.get(path) ?? [])].filter((found) => written.has(found));
          expect(got.toSorted(), path).toEqual(expected.toSorted());
        }
      }
      for (const { atMs, delivered } of deaths) {
        const repeated = receiver.received.filter(
          (one) => one.atMs > atMs && delivered.has(`${one.path.slice(1)} ${one.id}`),
        );
        expect(repeated.map(({ path, id }) => `${path} ${id}`)).toEqual([]);
      }
      expect(outOfOrder(fleet, receiver)).toEqual([]);
      expect(deaths.every(({ delivered }) => delivered.size > 0)).toBe(true);
    });
  });
}

/** A share of `total` in so many parts. */
function spread(total: number, parts: number, part: number): number {
  return Math.floor((total * part) / parts) - Math.floor((total * (part - 1)) / parts);
}

async function readDelivered({ core, accounts }: WebhookFleet): Promise<Set<string>> {
  const paths = new Map(accounts.flatMap(({ endpoints }) => endpoints.map(({ id, path }) => [id, path] as const)));
  const { rows } = await core.store.system.query<{ endpoint_id: string; change_id: string }>(
    `select endpoint_id, change_id from landfall.webhook_deliveries where state = 'delivered'`,
  );
  return new Set(rows.map(({ endpoint_id, change_id }) => `${paths.get(endpoint_id)} ${toChangeId(change_id)}`));
}

async function countSessions({ core }: WebhookFleet): Promise<number> {
  const { rows } = await core.store.system.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity where application_name = 'landfall-worker' and datname = current_database()`,
  );
  return rows[0]?.count ?? 0;
}

async function expireLeases({ core }: WebhookFleet): Promise<void> {
  await core.store.system.query(
    'update landfall.webhook_cursors set lease_until = now() where lease_until is not null',
  );
}

async function countBehind({ core }: WebhookFleet): Promise<number> {
  const { rows } = await core.store.system.query<{ count: number }>(`
    select (
      select count(*) from landfall.webhook_cursors as c join landfall.account_feeds as f using (account_id)
      where c.sequence < f.given or c.retry_at is not null
    )::integer + (select count(*) from landfall.changes where sequence is null)::integer as count`);
  return rows[0]?.count ?? 0;
}

/** Changes of a shipment that reached an ordered endpoint after a later one that had come before them for the first time. */
function outOfOrder({ accounts }: WebhookFleet, { received }: Receiver): string[] {
  const ordered = new Set(
    accounts.flatMap(({ endpoints }) => endpoints.filter((one) => one.ordered).map(({ path }) => path)),
  );
  const last = new Map<string, number>();
  const known = new Set<string>();
  const wrong: string[] = [];
  for (const { path, id, body } of received) {
    if (!ordered.has(path.slice(1)) || known.has(`${path} ${id}`)) continue;
    known.add(`${path} ${id}`);
    const { position, data } = JSON.parse(body).data;
    const key = `${path} ${JSON.stringify(data.shipment.identifiers)}`;
    if (position < (last.get(key) ?? 0)) wrong.push(`${key}: ${position} after ${last.get(key)}`);
    last.set(key, position);
  }
  return wrong;
}
