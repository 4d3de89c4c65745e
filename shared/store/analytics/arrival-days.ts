import type { ArrivalDay } from '#shared/domain/lists/arrival-days.ts';
import { arrivingStatuses } from '#shared/domain/lists/overview-bounds.ts';
import { type FilterScope, filterCondition } from '../lists/shipment-filter.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

type Row = { day: string; expected: number; late: number };

/**
 * Counts arrivals by day with the conditions of the lists behind them, so that they agree. The days bound what is read:
 * each part has an index over them.
 */
export async function countArrivalDays(
  tx: Tx,
  scope: FilterScope,
  { from, to }: { from: string; to: string },
): Promise<ArrivalDay[]> {
  const coming = filterCondition({
    ...scope,
    filter: { ...scope.filter, status: [...arrivingStatuses], etaFrom: from, etaTo: to },
  });
  const expected = await readRows<Row>(tx, {
    text: `
      select s.eta_day::text as day, count(*) as expected, count(*) filter (where s.late_from <= now()) as late
      from ${coming.tables}
      where ${coming.text}
      group by 1`,
    values: coming.values,
  });
  const { status: _, ...anyStatus } = scope.filter;
  const came = filterCondition({
    ...scope,
    filter: { ...anyStatus, archived: 'any', arrivedFrom: from, arrivedTo: to },
  });
  const arrived = await readRows<{ day: string; arrived: number }>(tx, {
    text: `
      select m.arrived_day::text as day, count(*) as arrived
      from ${came.tables}
      join landfall.shipment_measures as m on m.account_id = s.account_id and m.shipment_id = s.id
      where ${came.text}
      group by 1`,
    values: came.values,
  });
  const all = [...new Set([...expected, ...arrived].map(({ day }) => day))].sort();
  return all.map((day) => ({
    ...(expected.find((row) => row.day === day) ?? { day, expected: 0, late: 0 }),
    arrived: arrived.find((row) => row.day === day)?.arrived ?? 0,
  }));
}
