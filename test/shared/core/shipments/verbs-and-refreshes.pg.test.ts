import { afterAll, beforeAll, expect, it } from 'vitest';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { cancelShipment } from '#shared/core/shipments/cancel-shipment.ts';
import { requestRefresh } from '#shared/core/shipments/request-refresh.ts';
import { resumeShipment } from '#shared/core/shipments/resume-shipment.ts';
import { stopShipment } from '#shared/core/shipments/stop-shipment.ts';
import { archiveShipment, updateShipment } from '#shared/core/shipments/update-shipment.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import {
  bySystem,
  carrierEvent,
  foundReading,
  newShipment,
  notFoundReading,
  pollingOf,
  startRefresh,
} from '#test/support/carriers/carrier-refreshes.ts';
import { recordRefresh } from '#test/support/carriers/record-refresh.ts';
import {
  getShipment,
  oceanRegistration,
  openTestCore,
  type TestCore,
  uniqueNumber,
} from '#test/support/core-context.ts';
import { storedChanges } from '#test/support/stored-changes.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

let core: TestCore;
const failures: unknown[] = [];

beforeAll(async () => {
  core = await openTestCore(
    {
      log: { info: () => {}, warn: () => {}, error: (fields) => void failures.push(fields) },
    },
    ownDatabase,
  );
});

afterAll(() => core.close());

it('never deadlocks racing verbs and refreshes on one shipment and leaves a consistent record', async () => {
  const { caller, id, shipment } = await newShipment(core, { registration: { identifiers: { mbl: uniqueNumber() } } });
  const refreshes = { ...core.ctx, settings: { ...core.ctx.settings, refreshIntervalS: 0 } };
  const again = oceanRegistration({ identifiers: { ...shipment.identifiers, hbl: 'H-1' } });
  const hours = Array.from({ length: 24 }, (_, hour) => `2026-10-02T${String(hour).padStart(2, '0')}:00`);
  const fetchOnce = async (turn: number) => {
    await bySystem(
      core,
      `update landfall.polling set epoch = epoch + 1, lease_until = now() + interval '60 s' where shipment_id = $1 and next_refresh_at is not null`,
      [id],
    );
    const subject = await startRefresh(core, caller, id).catch(() => null);
    if (subject === null) return;
    const found = foundReading(hours.slice(0, 1 + (turn % 24)).map((local) => carrierEvent('departed', local)));
    await recordRefresh(core.ctx, subject, turn % 3 === 0 ? notFoundReading : found, null);
  };
  const verbs: ((turn: number) => Promise<unknown>)[] = [
    fetchOnce,
    (turn) => updateShipment(core.ctx, caller, id, { metadata: { turn: String(turn) } }),
    () => requestRefresh(refreshes, caller, id),
    fetchOnce,
    () => stopShipment(core.ctx, caller, id),
    () => resumeShipment(core.ctx, caller, id),
    () => registerShipment(core.ctx, caller, again),
    () => cancelShipment(core.ctx, caller, id),
    () => resumeShipment(core.ctx, caller, id),
    () => archiveShipment(core.ctx, caller, id),
    () => updateShipment(core.ctx, caller, id, { archived: false }),
  ];
  const work = Array.from({ length: 66 }, (_, turn) => verbs[turn % verbs.length]?.(turn));
  for (const outcome of await Promise.allSettled(work)) {
    if (outcome.status === 'fulfilled') continue;
    expect(outcome.reason).toBeInstanceOf(LandfallError);
    // A busy machine lets some of them wait for too long. Deadlocks are counted below.
    expect(['invalid_state', 'identifier_conflict', 'unavailable']).toContain(outcome.reason.code);
  }

  expect(failures).toEqual([]);
  const [waits] = await bySystem<{ deadlocks: number }>(
    core,
    'select deadlocks::int from pg_stat_database where datname = current_database()',
    [],
  );
  expect(waits?.deadlocks).toBe(0);
  const record = await getShipment(core.ctx, caller, id);
  const reported = (await storedChanges((text, values) => bySystem(core, text, values), [id])).map(
    ({ data: { shipment } }) => ({
      version: shipment.version,
      status: shipment.journey.status,
      state: shipment.tracking.state,
    }),
  );
  const versions = reported.map(({ version }) => version);
  expect(versions).toEqual(versions.toSorted((left, right) => left - right));
  expect(new Set(versions).size).toBe(record.version);
  expect(reported.at(-1)).toMatchObject({
    version: record.version,
    status: record.journey.status,
    state: record.tracking.state,
  });
  const ended = ['stopped', 'failed', 'completed'].includes(record.tracking.state) || record.archivedAt !== null;
  expect((await pollingOf(core, id)).next_refresh_at === null).toBe(ended);
});
