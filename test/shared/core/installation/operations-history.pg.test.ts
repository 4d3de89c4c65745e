import { afterAll, beforeAll, expect, it } from 'vitest';
import { keepSample, readHistory } from '#shared/core/installation/operations-history.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { openTestCore, type TestCore } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

let core: TestCore;
beforeAll(async () => {
  core = await openTestCore({}, ownDatabase);
});
afterAll(() => core.close());

const at = (time: string) => ({ store: core.store, now: () => new Date(time) });
const kept = async () =>
  (
    await withSystem(core.store, (tx) =>
      tx.query<{ at: Date }>('select at from landfall.operations_samples order by at'),
    )
  ).rows.map((row) => row.at.toISOString());

it('keeps one sample for each five minutes, however many workers try', async () => {
  const tries = await Promise.all(Array.from({ length: 6 }, () => keepSample(at('2026-11-26T12:01:07Z'))));
  expect(tries.filter(Boolean)).toHaveLength(1);
  expect(await keepSample(at('2026-11-26T12:04:59Z'))).toBe(false);
  expect(await keepSample(at('2026-11-26T12:05:00Z'))).toBe(true);
  expect(await kept()).toEqual(['2026-11-26T12:00:00.000Z', '2026-11-26T12:05:00.000Z']);
});

it('keeps the calls that workers reported, by connector', async () => {
  await withSystem(core.store, (tx) =>
    tx.query(
      `insert into landfall.carrier_health (worker_id, credential_id, connector, requests, succeeded, circuit, budget_left, updated_at)
       select gen_random_uuid(), 'one', 'maersk', 7, 6, 'closed', 10, now() from generate_series(1, 2)`,
    ),
  );
  await keepSample(at('2026-11-26T12:10:00Z'));
  const { bars, trends } = await readHistory(at('2026-11-26T12:11:00Z'));
  expect(bars.maersk?.at(-1)).toEqual({ requests: 14, succeeded: 12, limited: false });
  expect(trends.callsPerMinute.at(-1)).toBe(3);
});

it('deletes what is older than a day', async () => {
  await keepSample(at('2026-11-27T20:00:00Z'));
  expect(await kept()).toEqual(['2026-11-27T20:00:00.000Z']);
});
