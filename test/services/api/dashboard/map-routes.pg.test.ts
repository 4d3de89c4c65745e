import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { keepMaps } from '#services/api/dashboard/kept-maps.ts';
import { mapRoutes } from '#services/api/dashboard/map-routes.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import type { Place } from '#shared/domain/events/event.ts';
import { findPlace, nowhere } from '#shared/places/find-place.ts';
import { found, refresh } from '#test/support/carriers/refreshed-shipment.ts';
import { oceanRegistration, openTestCore, type TestCore, uniqueNumber } from '#test/support/core-context.ts';

let core: TestCore;

beforeAll(async () => {
  core = await openTestCore();
});

afterAll(() => core.close());

const port = (unlocode: string): Place => ({ ...nowhere, ...findPlace(unlocode) });
const views = { world: '0.7,-500,-240,500,170', europe: '16,-60,-180,40,-100' };

it('opens exactly the shipments that each number of the map counts, at every zoom', async () => {
  const caller = await core.newCaller();
  const ways = ['NLRTM DEHAM', 'DEHAM BEANR', 'BEANR NLRTM', 'CNSHA NLRTM', 'CNSHA BEANR', 'SGSIN DEHAM'];
  for (const [index, way] of [...ways, ...ways].entries()) {
    const [from = '', to = ''] = way.split(' ').map(port);
    const { shipment } = await registerShipment(
      core.ctx,
      caller,
      oceanRegistration({ identifiers: { mbl: `MAP${index}` } }),
    );
    const departed = {
      code: 'departed',
      local: `2026-03-${10 + index}T10:00`,
      location: from,
      legRole: 'pol',
    } as never;
    const expected = {
      code: 'arrived',
      local: '2026-04-20T10:00',
      location: to,
      legRole: 'pod',
      classifier: 'estimated',
    };
    const arrived = { ...expected, local: '2026-04-02T10:00', classifier: 'actual' };
    const events = index < ways.length ? [departed, expected] : [departed, arrived];
    await refresh(core.ctx, { accountId: caller.accountId, shipmentId: shipment.id }, found(...(events as never[])));
  }
  const { shipment: unplaced } = await registerShipment(core.ctx, caller, oceanRegistration());
  const ctx = { ...core.ctx, now: () => new Date('2026-04-01T00:00:00Z') };
  const asked = { ctx: { core: ctx, maps: keepMaps(ctx) }, caller } as never as object;
  const map = (view: string) => mapRoutes.getMap({ ...asked, query: { by: 'place', view } } as never);
  const list = (circle: object | null) =>
    mapRoutes.listMapShipments({ ...asked, body: { by: 'place', circle } } as never);
  const [world, europe] = [await map(views.world), await map(views.europe)];
  expect(world).toMatchObject({ located: 12, counted: 13, total: 13 });
  expect(world.groups.reduce((sum, { count }) => sum + count, 0)).toBe(12);
  expect(europe.groups.length).toBeGreaterThan(world.groups.filter(({ from }) => /^(NL|DE|BE)/.test(from)).length);
  for (const [view, { groups, as_of }] of [
    [views.world, world],
    [views.europe, europe],
  ] as const) {
    const opened: string[] = [];
    for (const { key, count } of groups) {
      const { data, group } = await list({ key, view, as_of });
      expect([data.length, group?.key, group?.count]).toEqual([count, key, count]);
      opened.push(...data.map(({ shipment_id: id }) => id));
    }
    expect(new Set(opened).size).toBe(groups.reduce((sum, { count }) => sum + count, 0));
  }
  expect((await list(null)).data).toMatchObject([{ identifiers: unplaced.identifiers }]);

  // A place that is part of a circle, or lies outside of the view.
  const joined = world.groups.find(({ positions }) => positions > 1);
  const part = europe.groups.find(({ key }) => !world.groups.some((group) => group.key === key));
  expect(joined).toBeDefined();
  const at = { as_of: world.as_of, view: views.world };
  expect((await list({ ...at, key: part?.key })).group?.positions).toBeGreaterThan(1);
  const far = world.groups.find(({ x }) => x > 100);
  expect((await list({ ...at, view: views.europe, key: far?.key })).group?.key).toBe(far?.key);
  expect(await list({ ...at, key: 'nowhere' })).toEqual({ group: null, points: [], ways: [], data: [] });
  const { data } = await mapRoutes.listDestinations(asked as never);
  expect(data.map(({ unlocode }) => unlocode).toSorted()).toEqual(['BEANR', 'DEHAM', 'NLRTM']);
});

it('reads a map once for all views of an account, and never for another account or its test shipments', async () => {
  const [caller, other] = [await core.newCaller(), await core.newCaller()];
  const register = async (of: typeof caller) => {
    const { shipment } = await registerShipment(
      core.ctx,
      of,
      oceanRegistration({ identifiers: { mbl: uniqueNumber() } }),
    );
    const loaded = { code: 'loaded', local: '2026-03-01T08:00', location: port('CNSHA'), legRole: 'pol' } as never;
    await refresh(core.ctx, { accountId: of.accountId, shipmentId: shipment.id }, found(loaded));
  };
  await register(caller);
  const open = (options: { from: number; forMs: number }) => {
    const maps = keepMaps(core.ctx, options);
    return async (of: typeof caller, view = views.world) => {
      const answer = await mapRoutes.getMap({
        ctx: { core: core.ctx, maps },
        caller: of,
        query: { by: 'place', view },
      } as never);
      return [answer.counted, answer.as_of] as const;
    };
  };
  const reads = vi.spyOn(core.store.reads, 'connect');
  const kept = open({ from: 1, forMs: 3_600_000 });
  const together = await Promise.all([kept(caller), kept(caller, views.europe), kept(caller)]);
  expect([...together, await kept(caller, views.europe)]).toEqual(Array(4).fill([1, together[0][1]]));
  expect(reads).toHaveBeenCalledTimes(1);
  expect((await kept(other))[0]).toBe(0);
  expect((await kept({ ...caller, test: true }))[0]).toBe(0);
  await register(caller);
  expect((await kept(caller))[0]).toBe(1);
  expect((await open({ from: 3, forMs: 3_600_000 })(caller))[0]).toBe(2);

  // One of few shipments is read again each time, and any after its time.
  const [ofFew, brief] = [open({ from: 4, forMs: 3_600_000 }), open({ from: 1, forMs: 1 })];
  await Promise.all([ofFew(caller), brief(caller)]);
  await register(caller);
  expect((await ofFew(caller))[0]).toBe(3);
  await expect.poll(() => brief(caller)).toEqual([3, expect.any(String)]);
  reads.mockRestore();
});
