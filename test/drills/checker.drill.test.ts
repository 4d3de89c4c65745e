import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Checker } from '#infra/tools/drills/checker/checker.ts';
import type { Entry, Finding } from '#infra/tools/drills/checker/ledger.ts';
import { startChecker } from '#infra/tools/drills/perform-drill.ts';
import { openFleet } from '#infra/tools/drills/worlds/fleet.ts';
import type { World } from '#infra/tools/drills/worlds/world.ts';
import { until } from '#test/support/until.ts';

/** A mistake of a defective build, planted behind the API's back. `shipment`: condition for the chosen shipment. */
type Planted = {
  mistake: string;
  finds: Finding['kind'];
  plant: (sql: pg.Client, chosen: string) => Promise<unknown>;
  heal?: (sql: pg.Client, chosen: string) => Promise<unknown>;
};

const shipmentOf = `(account_id, id) in (
  select account_id, shipment_id from landfall.shipment_identifiers where value = $1)`;
const planted: Planted[] = [
  {
    mistake: 'a lost insert',
    finds: 'lost',
    plant: (sql, chosen) => sql.query(`delete from landfall.shipments where ${shipmentOf}`, [chosen]),
  },
  {
    mistake: 'a doubled change',
    finds: 'doubled',
    plant: (sql, chosen) =>
      sql.query(
        `insert into landfall.changes (account_id, type, shipment_id, test, data, packed, packed_place, traceparent)
         select c.account_id, c.type, c.shipment_id, c.test, c.data, h.packed, c.packed_place, h.traceparent
         from landfall.changes as c
         join landfall.changes as h on h.shipment_id = c.shipment_id and h.write_order >= c.write_order and h.packed is not null
         where c.type = 'shipment.status_changed' and c.packed_place is not null
           and c.shipment_id in (select shipment_id from landfall.shipment_identifiers where value = $1)
         order by c.write_order, h.write_order limit 1`,
        [chosen],
      ),
  },
  {
    mistake: 'a status that goes back',
    finds: 'backwards',
    plant: (sql, chosen) => sql.query(`update landfall.shipments set status = 'booked' where ${shipmentOf}`, [chosen]),
    heal: (sql, chosen) =>
      sql.query(`update landfall.shipments set status = 'delivered' where ${shipmentOf}`, [chosen]),
  },
];

const maxRegistrations = 12;

// Each has an account of its own, so they wait together.
describe.concurrent('the checker', () => {
  let world: World;
  let sql: pg.Client;

  beforeAll(async () => {
    world = await openFleet({ backend: 'PostgreSQL', voyageS: 3 });
    sql = new pg.Client({ connectionString: world.databaseUrl });
    await sql.connect();
  });

  afterAll(async () => {
    await sql?.end();
    await world?.close();
  });

  it('finds nothing in a correct run', async () => {
    const checker = await startChecker(world, { maxRegistrations }, 'short');
    await checker.untilAcknowledged(maxRegistrations);
    const verdict = await checker.verify();
    expect(verdict).toMatchObject({ findings: [], unknown: 0 });
    expect(verdict.acknowledged).toBe(verdict.registered);
    expect(verdict.changes).toBeGreaterThan(3 * verdict.registered);
  });

  it(`finds ${planted.map(({ mistake }) => mistake).join(', ')}, and nothing else`, async () => {
    const checker = await startChecker(world, { maxRegistrations }, 'short');
    const delivered = await untilDelivered(checker, planted.length);
    const chosen = planted.map((mistake, index) => ({ ...mistake, entry: delivered[index] as Entry }));
    for (const { plant, entry } of chosen) await plant(sql, entry.number);
    for (const { finds, plant, heal, entry } of chosen.filter((each) => each.heal !== undefined)) {
      await until(
        async () => {
          // A refresh that was under way may have put it right before anybody looked.
          await plant(sql, entry.number);
          return checker.ledger.findings.some(({ kind }) => kind === finds);
        },
        (isFound) => isFound,
      );
      await heal?.(sql, entry.number);
    }
    const { findings } = await checker.verify();
    const isAbout = ({ detail }: Finding, { number, shipmentIds }: Entry) =>
      [number, ...shipmentIds].some((name) => detail.includes(name));
    for (const { finds, entry } of chosen)
      expect(findings.filter((finding) => isAbout(finding, entry)).map(({ kind }) => kind)).toContain(finds);
    expect(findings.filter((finding) => !delivered.some((entry) => isAbout(finding, entry)))).toEqual([]);
  });
});

async function untilDelivered({ ledger }: Checker, count: number): Promise<Entry[]> {
  return until(
    async () => ledger.entries.filter(({ furthest }) => furthest === 'delivered').slice(0, count),
    (found) => found.length === count,
  );
}
