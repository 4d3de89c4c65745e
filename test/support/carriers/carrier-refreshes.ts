import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { beginRefreshes } from '#shared/core/tracking/refresh-claims.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { EventCode, Place, ReadEvent } from '#shared/domain/events/event.ts';
import type { FetchResult, Registration, Shipment } from '#shared/domain/record/shipment.ts';
import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { recordRefresh } from '#test/support/carriers/record-refresh.ts';
import { oceanRegistration, type TestCore } from '#test/support/core-context.ts';
import { storedChanges } from '../stored-changes.ts';

const source = 'simulator:dcsa:maersk';

/** Possible answers of a carrier. */
export const notFoundReading: FetchResult = {
  outcome: 'not_found',
  httpStatus: 404,
  durationMs: 5,
  reason: 'carrier_not_found_yet',
  source,
};

export function foundReading(events: ReadEvent[]): FetchResult {
  return { outcome: 'found', reading: { events, unreadable: [], source }, httpStatus: 200, durationMs: 12 };
}

export const shanghai: Place = {
  name: 'Shanghai',
  unlocode: 'CNSHA',
  iata: null,
  country: 'CN',
  lat: 31.2,
  lng: 121.5,
  timezone: 'Asia/Shanghai',
  facility: null,
};

/** An actual event of one container; `local` to the minute. */
export function carrierEvent(code: EventCode, local: string, container: string | null = 'CSQU3054383'): ReadEvent {
  return {
    code,
    classifier: 'actual',
    legRole: 'unknown',
    time: { at: `${local}:00.000Z`, local, timezone: 'UTC', zoneSource: 'assumed_utc', precision: 'minute' },
    location: shanghai,
    container,
    isoType: '45G1',
    mode: 'ocean',
    vehicle: { name: 'Landfall Star', imo: '9074729', voyage: '101W', flight: null },
    empty: false,
    seals: [],
    delayReason: null,
    document: null,
    description: null,
    carrierCode: 'DEPA',
    carrierDescription: null,
    sourceEventId: null,
    sourceCreatedAt: null,
    source: 'carrier',
    raw: { code },
  };
}

/** A new shipment, in a new account unless a caller is given. */
export async function newShipment(
  core: TestCore,
  options: { caller?: Caller; registration?: Partial<Registration> } = {},
): Promise<{ caller: Caller; shipment: Shipment; id: string }> {
  const caller = options.caller ?? (await core.newCaller());
  const { shipment } = await registerShipment(core.ctx, caller, oceanRegistration(options.registration));
  return { caller, shipment, id: shipment.id };
}

/** Does what a worker does with the live claim. Throws if there is none. */
export async function startRefresh(core: TestCore, caller: Caller, shipmentId: string): Promise<RefreshSubject> {
  const { epoch } = await pollingOf(core, shipmentId);
  const [subject] = await beginRefreshes(core.ctx, [{ accountId: caller.accountId, shipmentId, epoch }]);
  if (subject === undefined) throw new Error('the claim is not live');
  return subject;
}

/** Claims the shipment as the sweep does, refreshes, and records. */
export async function refresh(
  core: TestCore,
  subject: { caller: Caller; id: string },
  result: FetchResult,
): Promise<void> {
  await bySystem(
    core,
    `update landfall.polling set epoch = epoch + 1, lease_until = now() + interval '60 s' where shipment_id = $1`,
    [subject.id],
  );
  const recorded = await recordRefresh(core.ctx, await startRefresh(core, subject.caller, subject.id), result, null);
  if (recorded.stale) throw new Error('the refresh was refused');
}

export type PollingRow = {
  connector: string;
  state: string;
  reason: string | null;
  epoch: number;
  leased: boolean;
  due: boolean;
  next_refresh_at: Date | null;
  stale_at: Date | null;
  tracking_since: Date | null;
  reading_hash: Buffer | null;
  last_succeeded_at: Date | null;
};

export async function pollingOf(core: TestCore, shipmentId: string): Promise<PollingRow> {
  const [row] = await bySystem<PollingRow>(
    core,
    `select connector, state, reason, epoch,
       coalesce(lease_until > now(), false) as leased, coalesce(next_refresh_at <= now(), false) as due,
       next_refresh_at, stale_at, tracking_since, reading_hash, last_succeeded_at
     from landfall.polling where shipment_id = $1`,
    [shipmentId],
  );
  if (row === undefined) throw new Error('there is no polling row');
  return row;
}

/** The changes of a shipment, oldest first. */
export async function changesOf(core: TestCore, shipmentId: string): Promise<{ type: string; changes: object }[]> {
  const changes = await storedChanges((text, values) => bySystem(core, text, values), [shipmentId]);
  return changes.map(({ type, data }) => ({ type, changes: data.changes }));
}

export function bySystem<Row extends object>(core: TestCore, text: string, values: unknown[]): Promise<Row[]> {
  return withSystem(core.store, async (tx) => (await tx.query<Row>(text, values)).rows);
}
