import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withSystem } from '#shared/store/with-account.ts';
import { request } from '#test/support/api/http.ts';
import { type Installation, openInstallation } from '#test/support/installation.ts';
import { scaled } from '#test/support/run-scale.ts';
import { patienceMs, until } from '#test/support/until.ts';

export type DrillBackend = { redisUrl: () => string | null; emptyQueue: (landfall: Installation) => Promise<void> };

const dueCount = scaled({ short: 200, full: 1000 });
/** The promise on an idle machine. On a busy one the test still proves that the shipment is refreshed. */
const maxRecoveryMs = scaled({ short: patienceMs, full: 15_000 });

/** Faults that must lose nothing, on any queue backend. */
export function describeDrills(name: string, backend: DrillBackend): void {
  describe(`faults, queue on ${name}`, () => {
    let landfall: Installation;

    beforeAll(async () => {
      landfall = await openInstallation({
        redisUrl: backend.redisUrl(),
        withWorker: false,
        env: { CADENCE_SCALE: '1' },
      });
    });

    afterAll(() => landfall?.close());

    it('refreshes a shipment again after kill -9 of its worker, and records every event once', async () => {
      const first = await landfall.startWorker();
      await control('faults', { reference: '700000015', faults: [{ kind: 'hold' }], times: 1 });
      const id = await register({ mbl: 'MAEU700000015' });
      await request(`${landfall.simulator.url}/control/held?atLeast=1`);
      await first.kill();
      const killedAt = performance.now();
      await landfall.startWorker();

      const record = await until(
        () => read(id),
        (answer) => answer.status !== 'pending',
      );
      expect(performance.now() - killedAt).toBeLessThan(maxRecoveryMs);
      expect(record.tracking.state).toBe('active');
      const [doubled] = await sql<{ count: number }>(
        `select count(*) as count from (
           select 1 from landfall.events
           where superseded_by is null and classifier = 'actual'
           group by shipment_id, dedupe_hash having count(*) > 1
         ) as d`,
      );
      expect(doubled?.count).toBe(0);
      await control('release', {});
      await landfall.worker?.kill();
    });

    it(`refreshes ${dueCount} due shipments after the queue was emptied`, async () => {
      const references = Array.from({ length: dueCount }, (_, index) => `MAEU${710_000_005 + index * 10}`);
      for (let start = 0; start < references.length; start += 50) {
        await Promise.all(references.slice(start, start + 50).map((mbl) => register({ mbl })));
      }
      await backend.emptyQueue(landfall);
      // Only the clock is faked: the leases of the lost jobs have expired.
      await sql(
        `update landfall.polling
         set lease_until = now() - interval '1 s', next_refresh_at = least(next_refresh_at, now())
         where next_refresh_at is not null`,
      );
      await landfall.startWorker();

      const left = () =>
        sql<{ count: number }>('select count(*) as count from landfall.polling where last_refreshed_at is null');
      await until(left, ([row]) => row?.count === 0);
      await landfall.worker?.kill();
    });

    async function register(identifiers: Record<string, string>): Promise<string> {
      const { status, body } = await request(`${landfall.api.url}/v1/shipments`, {
        key: landfall.key,
        body: { transport_mode: 'ocean', carrier: 'MAEU', identifiers, reference: randomUUID() },
      });
      expect([status, body.detail]).toEqual([201, undefined]);
      return body.shipment_id;
    }

    async function read(id: string) {
      return (await request(`${landfall.api.url}/v1/shipments/${id}`, { key: landfall.key })).body;
    }

    async function control(action: string, body: object): Promise<void> {
      const { status } = await request(`${landfall.simulator.url}/control/${action}`, { body });
      expect(status).toBeLessThan(300);
    }

    function sql<Row extends object>(text: string): Promise<Row[]> {
      return withSystem(landfall.core.store, async (tx) => (await tx.query(text)).rows);
    }
  });
}
