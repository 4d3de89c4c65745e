import { afterAll, beforeAll, expect, it } from 'vitest';
import { previewFreeTimeTerms } from '#shared/core/free-time/preview-terms.ts';
import { replaceFreeTimeTerms } from '#shared/core/free-time/replace-terms.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { assessDueFreeTime, markReplacedFreeTimeTerms } from '#shared/core/tracking/assess-due-free-time.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { found, refresh } from '#test/support/carriers/refreshed-shipment.ts';
import { getShipment, oceanRegistration, openTestCore, type TestCore } from '#test/support/core-context.ts';
import { storedChanges } from '#test/support/stored-changes.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { plainTerm } from '../../domain/free-time/free-time-cases.ts';

let core: TestCore;

beforeAll(async () => {
  core = await openTestCore({}, ownDatabase);
});

afterAll(async () => {
  await core.close();
});

const sql = <Row extends object>(text: string, values: unknown[] = []) =>
  withSystem(core.store, async (tx) => (await tx.query<Row>(text, values)).rows);
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 16);
const rotterdam = {
  name: 'Rotterdam',
  unlocode: 'NLRTM',
  iata: null,
  country: 'NL',
  lat: 51.9,
  lng: 4.5,
  timezone: 'Europe/Amsterdam',
  facility: null,
};
const discharged = (days: number) =>
  ({ code: 'discharged', local: daysAgo(days), location: rotterdam, legRole: 'pod' }) as const;
const _collected = (days: number) =>
  ({ code: 'gate_out_full', local: daysAgo(days), location: rotterdam, legRole: 'pod' }) as const;
const _returned = (days: number) =>
  ({ code: 'gate_in_empty', local: daysAgo(days), location: rotterdam, legRole: 'pod', empty: true }) as const;

async function shipment(caller: Caller, ...events: Parameters<typeof found>): Promise<string> {
  const { id } = (await registerShipment(core.ctx, caller, oceanRegistration())).shipment;
  if (events.length > 0) await refresh(core.ctx, { accountId: caller.accountId, shipmentId: id }, found(...events));
  return id;
}

async function assessAll(): Promise<number> {
  for (let rounds = 1; rounds < 20; rounds += 1) if ((await assessDueFreeTime(core.ctx)) === 0) return rounds;
  throw new Error('the sweep does not end');
}

const changesOf = async (ids: string[]) =>
  (await storedChanges(sql, ids)).filter(({ type }) => type !== 'shipment.created').map(({ type }) => type);

it('assesses once by replaced terms', async () => {
  const caller = await core.newCaller();
  const id = await shipment(caller, discharged(9));
  const before = await changesOf([id]);
  await replaceFreeTimeTerms(core.ctx, caller, { terms: [plainTerm], isExpected: () => true });
  while (await markReplacedFreeTimeTerms(core.ctx));
  await assessAll();
  const now = await getShipment(core.ctx, caller, id);
  // Free for the 5 days after the discharge, 9 days ago: 4 × 100.
  expect(now.journey.freeTime).toMatchObject({ state: 'over', daysLeft: -4, costs: [{ amount: 400 }] });
  expect((await changesOf([id])).slice(before.length)).toEqual([
    'shipment.exception_opened',
    'shipment.free_time_changed',
  ]);
  await sql('update landfall.shipments set free_time_at = now() where id = $1', [id]);
  await assessAll();
  expect((await getShipment(core.ctx, caller, id)).version).toBe(now.version);
});

it('keeps shipments at any terminal under terms that are valid to the last day there is', async () => {
  const caller = await core.newCaller();
  const term = { ...plainTerm, validTo: '9999-12-31' };
  await replaceFreeTimeTerms(core.ctx, caller, { terms: [term], isExpected: () => true });
  const angeles = {
    ...rotterdam,
    name: 'Los Angeles',
    unlocode: 'USLAX',
    country: 'US',
    timezone: 'America/Los_Angeles',
  };
  const id = await shipment(caller, { code: 'arrived', local: daysAgo(1), location: angeles, legRole: 'pod' });
  expect((await getShipment(core.ctx, caller, id)).journey.freeTime).toMatchObject({ state: 'not_started' });
});

it('ignores a stated last free day that no calendar has', async () => {
  const caller = await core.newCaller();
  const details = { freeDays: [{ by: 'line', kind: 'demurrage', day: '0000-01-01' } as const] };
  const id = await shipment(caller, discharged(9), { code: 'notice', local: daysAgo(8), legRole: 'pod', details });
  expect((await getShipment(core.ctx, caller, id)).journey.freeTime).toMatchObject({ state: 'unknown_terms' });
});

it('counts a container once whose clocks change in a preview', async () => {
  const caller = await core.newCaller();
  const id = await shipment(caller, discharged(9));
  const preview = await previewFreeTimeTerms(core.ctx, caller, [{ ...plainTerm, kind: 'combined' }]);
  expect(preview).toMatchObject({
    assessed: 1,
    more: false,
    changed: 1,
    before: { not_started: 1, unknown_terms: 1 },
    after: { over: 1 },
  });
  expect(preview.changes.map(({ shipmentId, kind }) => [shipmentId, kind])).toEqual([
    [id, 'demurrage'],
    [id, 'detention'],
    [id, 'combined'],
  ]);
});
