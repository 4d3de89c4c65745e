import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toWireChange } from '#shared/contract/feed/change-wire.ts';
import { parseListChangesQuery } from '#shared/contract/feed/list-changes-query.ts';
import { listChanges } from '#shared/core/feed/list-changes.ts';
import { sequenceChanges } from '#shared/core/feed/sequence-changes.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { ReadEvent } from '#shared/domain/events/event.ts';
import { refresh } from '#test/support/carriers/refreshed-shipment.ts';
import { oceanRegistration, openTestCore, type TestCore } from '#test/support/core-context.ts';
import { readEvent } from '../../domain/journey/journey-events.ts';

let core: TestCore;
let caller: Caller;
let shipmentId: string;

beforeAll(async () => {
  core = await openTestCore();
  caller = await core.newCaller();
  shipmentId = (await registerShipment(core.ctx, caller, oceanRegistration())).shipment.id;
  const loaded = readEvent({ code: 'loaded', hour: 1, port: 'CNSHA' });
  const eta = readEvent({ code: 'arrived', hour: 500, port: 'NLRTM', classifier: 'estimated' });
  await report([loaded, eta]);
  await report([readEvent({ code: 'arrived', hour: 510, port: 'NLRTM' })]);
  await report(Array.from({ length: 25 }, (_, hour) => readEvent({ code: 'in_transit', hour: 600 + hour })));
});
afterAll(() => core.close());

describe('a change of added events', () => {
  it('contains the new events themselves, the first twenty and how many more, and the name of the carrier', async () => {
    const [first, , many] = await read('type=shipment.event_added');
    expect(first?.data.events?.map(({ code, classifier }) => `${code} ${classifier}`)).toEqual([
      'loaded actual',
      'arrived estimated',
    ]);
    expect(first?.data).toMatchObject({ more: 0, shipment: { carrier_name: 'Maersk' } });
    expect(many?.data.events).toHaveLength(20);
    expect(many?.data.more).toBe(5);
  });

  it.each([
    ['event_codes=arrived', 2],
    ['event_codes=arrived&classifier=actual', 1],
    ['event_codes=arrived,loaded&classifier=actual', 2],
    ['leg_roles=pol', 1],
    ['leg_roles=pol&classifier=estimated', 0],
    ['event_codes=in_transit', 1],
    ['event_codes=lost', 0],
  ])('is found by one of its events: %s', async (query, count) => {
    const found = await read(query);
    expect(found).toHaveLength(count);
    expect(new Set(found.map(({ type }) => type)).size).toBeLessThanOrEqual(1);
  });

  it('continues where a narrowed page ended', async () => {
    const first = await page('event_codes=arrived&limit=1');
    expect([first.changes.length, first.hasMore]).toEqual([1, true]);
    const second = await page(`event_codes=arrived&limit=1&after=${first.nextAfter}`);
    expect([second.changes.length, second.hasMore, second.nextAfter]).toEqual([1, false, second.latestSequence]);
  });

  it('is refused together with types that exclude it', () => {
    expect(() => parseListChangesQuery({ type: 'shipment.delivered', event_codes: 'arrived' })).toThrow(/event_codes/);
  });
});

function report(events: ReadEvent[]): Promise<void> {
  const reading = { events, unreadable: [], source: 'simulator:dcsa:maersk' };
  const subject = { accountId: caller.accountId, shipmentId };
  return refresh(core.ctx, subject, { outcome: 'found', reading, httpStatus: 200, durationMs: 5 });
}

async function page(query: string) {
  await sequenceChanges(core.ctx);
  return listChanges(core.ctx, caller, parseListChangesQuery(Object.fromEntries(new URLSearchParams(query))));
}

async function read(query: string) {
  return (await page(query)).changes.flatMap((one) => (one.type === 'webhook.disabled' ? [] : toWireChange(one)));
}
