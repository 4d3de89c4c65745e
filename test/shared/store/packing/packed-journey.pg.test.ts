import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  journeyShape,
  toJourneyText,
  toWireShipment,
  toWireShipmentText,
} from '#shared/contract/record/shipment-wire.ts';
import { listShipments } from '#shared/core/lists/list-shipments.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { openRecordReader, type RecordReader } from '#shared/store/shipments/record-reader.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { carrierDown, found, refresh } from '#test/support/carriers/refreshed-shipment.ts';
import { getShipment, oceanRegistration, openTestCore, type TestCore } from '#test/support/core-context.ts';

let core: TestCore;
let caller: Caller;
let records: RecordReader;

beforeAll(async () => {
  core = await openTestCore();
  caller = await core.newCaller();
  records = openRecordReader({
    databaseUrl: core.serviceUrl,
    applicationName: 'landfall-test-packed',
    apart: (work) => work(),
    onError: (error) => {
      throw error;
    },
  });
});
afterAll(async () => {
  await records.close();
  await core.close();
});

const system = async (text: string, values: unknown[]) =>
  (await withSystem(core.store, (tx) => tx.query(text, values))).rows;

async function voyage(): Promise<string> {
  const { id: shipmentId } = (await registerShipment(core.ctx, caller, oceanRegistration())).shipment;
  const gateIn = { code: 'gate_in_full', local: '2026-03-01T08:00' } as const;
  await refresh(core.ctx, { accountId: caller.accountId, shipmentId }, found(gateIn));
  const departed = { code: 'departed', local: '2026-03-02T08:00' } as const;
  await refresh(core.ctx, { accountId: caller.accountId, shipmentId }, found(gateIn, departed));
  return shipmentId;
}

/** Everything that reads a journey, as JSON. */
async function answers(id: string): Promise<string[]> {
  const read = async (shape: number) => {
    const record = await records.read(caller.accountId, { id, test: false, shape });
    return record && toWireShipmentText(record);
  };
  const list = async (withEvents: boolean) => {
    const page = { filter: {}, sort: '-created_at', limit: 20, cursor: null, withCounts: false, withEvents } as const;
    const { shipments } = await listShipments(core.ctx, caller, page);
    return JSON.stringify(shipments.map((shipment) => toWireShipment(shipment)));
  };
  const whole = JSON.stringify(toWireShipment(await getShipment(core.ctx, caller, id)));
  return [await read(journeyShape), await read(journeyShape + 1), whole, await list(true), await list(false)].map(
    String,
  );
}

it('answers byte for byte as it did when rows held the journey whole and its text', async () => {
  const id = await voyage();
  const packed = await answers(id);
  expect(new Set(packed.slice(0, 3)).size).toBe(1);
  const { journey } = await getShipment(core.ctx, caller, id);
  expect(journey.events).toHaveLength(2);
  const before = await system('select from landfall.shipments where id = $1 and packed_journey is not null', [id]);
  expect(before).toHaveLength(1);
  await system('update landfall.shipments set record = $2, journey_text = $3 where id = $1', [
    id,
    JSON.stringify(journey),
    toJourneyText(journey).text,
  ]);
  const after = await system(
    'select journey_text is not null as text, packed_journey from landfall.shipments where id = $1',
    [id],
  );
  expect(after).toEqual([{ text: true, packed_journey: null }]);
  expect(await answers(id)).toEqual(packed);
});

it('drops the packed text when a record is written without one, and keeps its events', async () => {
  const id = await voyage();
  await system(`update landfall.shipments set record = jsonb_set(record, '{eventsCount}', '7') where id = $1`, [id]);
  const [text, other, whole] = (await answers(id)).map((answer) => JSON.parse(answer));
  expect([text.events_count, text.events.length]).toEqual([7, 2]);
  expect([other, whole]).toEqual([text, text]);
});

it('packs a row that was written whole with its next change', async () => {
  const id = await voyage();
  const { journey } = await getShipment(core.ctx, caller, id);
  await system('update landfall.shipments set record = $2, journey_text = $3 where id = $1', [
    id,
    JSON.stringify(journey),
    toJourneyText(journey).text,
  ]);
  const arrived = { code: 'arrived', local: '2026-03-20T08:00' } as const;
  await refresh(core.ctx, { accountId: caller.accountId, shipmentId: id }, found(arrived));
  const rows = await system(
    `select journey_text, packed_journey is not null as packed, record ? 'events' as whole from landfall.shipments where id = $1`,
    [id],
  );
  expect(rows).toEqual([{ journey_text: null, packed: true, whole: false }]);
  const [text, other, whole] = await answers(id);
  expect([other, whole]).toEqual([text, text]);
});

it('keeps the stored journey unchanged when only the tracking state changes', async () => {
  const id = await voyage();
  const before = await getShipment(core.ctx, caller, id);
  const columns = async () =>
    (
      await system(
        `update landfall.shipments set cadence = cadence || '{"mark": true}', delay_hours = 7 where id = $1
         returning record, packed_journey, journey_shape, cadence, delay_hours, status, closed_at`,
        [id],
      )
    )[0];
  const marked = await columns();
  await refresh(core.ctx, { accountId: caller.accountId, shipmentId: id }, { ...carrierDown, permanent: true });
  const [stored] = await system(
    `select record, packed_journey, journey_shape, cadence, delay_hours, status, closed_at
     from landfall.shipments where id = $1`,
    [id],
  );
  expect(stored).toEqual(marked);
  const after = await getShipment(core.ctx, caller, id);
  expect(after.tracking.state).not.toBe(before.tracking.state);
  expect([after.version, after.journey]).toEqual([before.version + 1, before.journey]);
});
