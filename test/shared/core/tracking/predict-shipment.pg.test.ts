import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listChanges } from '#shared/core/feed/list-changes.ts';
import { sequenceChanges } from '#shared/core/feed/sequence-changes.ts';
import type { ReadEvent, StatedFacts } from '#shared/domain/events/event.ts';
import { changedShipmentOf, shipmentSnapshot } from '#shared/domain/feed/change.ts';
import { freshnessOf } from '#shared/domain/record/freshness.ts';
import { type FetchResult, type TrackingReason, trackingStates } from '#shared/domain/record/shipment.ts';
import { readShipments } from '#shared/store/tracking/journeys.ts';
import { withAccount } from '#shared/store/with-account.ts';
import {
  bySystem,
  carrierEvent,
  foundReading,
  newShipment,
  notFoundReading,
  refresh,
} from '#test/support/carriers/carrier-refreshes.ts';
import { carrierDown } from '#test/support/carriers/refreshed-shipment.ts';
import { openTestCore, type TestCore } from '#test/support/core-context.ts';
import { runs } from '#test/support/run-scale.ts';

let core: TestCore;
beforeAll(async () => {
  core = await openTestCore();
});
afterAll(() => core.close());

// Half hours: the time between writing and reading moves no shipment over a bound.
const hours = fc.constantFrom(-200.5, -47.5, -23.5, -0.5, 30.5, 400.5);
const code = fc.constantFrom('departed', 'arrived', 'customs_hold', 'customs_released', 'gate_out_full', 'delivered');
const piece = fc.constantFrom('P1', 'P2');
const event: fc.Arbitrary<ReadEvent> = fc
  .record({ code, hours, isEstimate: fc.boolean(), piece: fc.option(piece, { freq: 3 }) })
  .map(({ code: of, hours: inHours, isEstimate, piece: about }) => {
    const at = new Date(Date.now() + inHours * 3_600_000).toISOString();
    return {
      ...carrierEvent(of as ReadEvent['code'], at.slice(0, 16)),
      classifier: isEstimate ? 'estimated' : 'actual',
      ...(about && { details: { piece: about, statusDetail: 'weather' as const } }),
    };
  });
const facts: fc.Arbitrary<StatedFacts> = fc.record(
  {
    weightKg: fc.constantFrom(1.5, 2),
    service: fc.constant({ code: null, name: 'Ground' }),
    receivedBy: fc.constantFrom('A', 'B'),
    pieces: fc
      .uniqueArray(piece)
      .map((numbers) => numbers.map((trackingNumber) => ({ trackingNumber, weightKg: null, dimensionsCm: null }))),
  },
  { requiredKeys: [] },
);
const reading = fc
  .record({
    events: fc.array(event, { minLength: 1, maxLength: 5 }),
    stale: fc.boolean(),
    partial: fc.boolean(),
    facts: fc.option(facts),
  })
  .map(({ events, stale, partial, facts: stated }): FetchResult => {
    const result = foundReading(events);
    if (result.outcome !== 'found') throw new Error('a reading is not found');
    const { reading: read } = result;
    const reported = { ...read, ...(stated && { facts: stated }) };
    return { ...result, stale, reading: partial ? { ...reported, partial: 'one page of two was read' } : reported };
  });
const failure = fc
  .constantFrom<TrackingReason>('carrier_unreachable', 'credentials_missing', 'invalid_identifier')
  .map(
    (reason): FetchResult => ({ ...carrierDown, reason, permanent: reason === 'invalid_identifier' }) as FetchResult,
  );
const result = fc.oneof({ weight: 4, arbitrary: reading }, failure, fc.constant(notFoundReading));

it('stores in each change the shipment exactly as it is read afterwards', async () => {
  const freshnesses = new Set<string>();
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(result, { minLength: 1, maxLength: 5 }), async (results) => {
      const { caller, id } = await newShipment(core);
      let after: number | null = null;
      for (const one of results) {
        await refresh(core, { caller, id }, one);
        await sequenceChanges(core.ctx);
        const written = await withAccount(core.store, caller.accountId, async (tx) =>
          (await readShipments(tx, caller.accountId, { ids: [id], withEvents: true })).get(id),
        );
        if (written === undefined) expect.fail('the shipment is gone');
        const query = {
          types: null,
          shipmentId: id,
          narrowedBy: { codes: [], legRoles: [], classifiers: [] },
          limit: 100,
        };
        const { changes, latestSequence } = await listChanges(core.ctx, caller, { ...query, after });
        after = latestSequence;
        for (const change of changes.filter(({ type }) => type !== 'shipment.created')) {
          expect(changedShipmentOf(change)).toEqual(JSON.parse(JSON.stringify(shipmentSnapshot(written))));
          compared += 1;
        }
        freshnesses.add(written.tracking.freshness);
      }
    }),
    { numRuns: runs(200) },
  );
  expect(compared).toBeGreaterThan(20);
  expect([...freshnesses].toSorted()).toEqual(expect.arrayContaining(['fresh', 'never', 'stale']));
});

it('decides freshness like the database', async () => {
  for (const state of trackingStates)
    for (const succeeded of [false, true])
      for (const staleInMs of [null, -1, 0, 60_000]) {
        const [row] = await bySystem<{ freshness: string }>(
          core,
          `select landfall.freshness($1, case when $2 then now() end, now() + $3::float8 * interval '1 ms') as freshness`,
          [state, succeeded, staleInMs],
        );
        const lastSucceededAt = succeeded ? '2026-01-01T00:00:00.000Z' : null;
        expect(freshnessOf({ state, lastSucceededAt, staleInMs })).toBe(row?.freshness);
      }
});
