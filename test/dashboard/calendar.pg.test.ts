import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  calendarFilter,
  listOf,
  readDay,
  weekdayOf,
  weeksOf,
} from '#services/dashboard/screens/calendar/calendar-days.ts';
import { baseOf, viewFilter } from '#services/dashboard/screens/shipments/list-plan.ts';
import { readListSearch } from '#services/dashboard/screens/shipments/list-search.ts';
import { toShipmentFilter } from '#shared/contract/lists/to-shipment-filter.ts';
import { countArrivalDays } from '#shared/core/analytics/count-arrival-days.ts';
import { countShipments } from '#shared/core/lists/count-shipments.ts';
import { addDays } from '#shared/domain/free-time/count-days.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { openTestCore, type TestCore } from '#test/support/core-context.ts';
import { seedShipments } from '#test/support/seed-shipments.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

let core: TestCore;
beforeAll(async () => {
  core = await openTestCore({}, ownDatabase);
});
afterAll(() => core?.close());

it('counts on each day exactly the shipments of the list that the number opens', async () => {
  const caller = await core.newCaller();
  const { accountId } = caller;
  await seedShipments({ databaseUrl: core.databaseUrl, accountId, count: 3000 });
  await withSystem(core.store, (tx) =>
    tx.query(
      `insert into landfall.shipment_measures (account_id, shipment_id, test, transport_mode, carrier, registered_day, origin,
        destination, origin_country, destination_country, arrived_at, arrived_day, on_time, delay_causes, free_time_outcome)
      select account_id, id, test, transport_mode, carrier, current_date, '', '', '', '', eta, eta_day, 'on_time', '{}', 'unknown'
      from landfall.shipments where account_id = $1 and status = 'delivered' and eta is not null`,
      [accountId],
    ),
  );
  const today = new Date().toISOString().slice(0, 10);
  const [from, to] = [addDays(today, -2), addDays(today, 39)];
  for (const raw of [{}, { carrier: 'MAEU,MSCU', tag: 'acme' }]) {
    const filter = calendarFilter(raw);
    const days = await countArrivalDays(core.ctx, caller, {
      filter: toShipmentFilter(baseOf(filter) as never),
      from,
      to,
    });
    for (const name of ['expected', 'late', 'arrived'] as const)
      expect(
        days.reduce((sum, one) => sum + one[name], 0),
        name,
      ).toBeGreaterThan(0);
    for (const day of Array.from({ length: 42 }, (_, at) => addDays(from, at)).filter((_, at) => at % 5 === 0)) {
      const counts = days.find((one) => one.day === day) ?? { expected: 0, late: 0, arrived: 0 };
      for (const name of ['expected', 'late', 'arrived'] as const) {
        const list = viewFilter(readListSearch(listOf(filter, name, day)), today);
        const { total } = await countShipments(core.ctx, caller, { filter: toShipmentFilter(list as never) });
        expect(counts[name], `${name} ${day}`).toBe(total);
      }
    }
  }
});

it('shows each day of a month or a week once, from Monday to Sunday', () => {
  const anyDay = fc.integer({ min: 0, max: 40_000 }).map((days) => addDays('1995-01-01', days));
  fc.assert(
    fc.property(anyDay, fc.constantFrom('month' as const, 'week' as const), (day, period) => {
      const weeks = weeksOf(day, period);
      const days = weeks.flat();
      expect(days).toContain(day);
      expect(days.length).toBeLessThanOrEqual(42);
      for (const [index, one] of days.entries()) {
        expect(one).toBe(addDays(days[0] ?? '', index));
        expect(weekdayOf(one)).toBe(index % 7);
      }
      const inMonth = days.filter((one) => one.slice(0, 7) === day.slice(0, 7));
      if (period === 'month')
        expect(inMonth.length).toBe(
          new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0)).getUTCDate(),
        );
      // No week without a day of the month.
      for (const week of weeks)
        expect(week.some((one) => period === 'week' || one.startsWith(day.slice(0, 7)))).toBe(true);
      expect(readDay(day, '')).toBe(day);
    }),
  );
  for (const text of ['2026-02-30', 'soon', '2026-13-01', undefined]) expect(readDay(text, 'today')).toBe('today');
});
