import type { EventDetails } from '#shared/domain/events/event.ts';
import type { UnreadableEvent } from '#shared/domain/events/unreadable.ts';
import { child, children, type LenientObject } from '../lenient-object.ts';
import type { Measured } from '../reading/measured.ts';
import { readCount } from '../reading/stated-facts.ts';
import { readWeightKg } from '../reading/weight-kg.ts';

export type Totals = Pick<EventDetails, 'piecesCount' | 'weightKg'>;

/**
 * The pieces and the weight in `totals`, `plannedTotals` or `actualTotals`. The schema has `actualTotals` as a list, of
 * which the items add up, and the published example as an object. The schema names no unit of weight: it is read as
 * kilograms unless the response names another.
 */
export function readTotals(
  fields: LenientObject | null,
  name: string,
): { totals: Totals; unreadable: UnreadableEvent[] } {
  const items = children(fields, name);
  const counts = items.map((item) => readCount(item.get('noofpieces'), 'noOfPieces'));
  const weights = items.map(weightOf);
  const piecesCount = sumOf(counts);
  const weightKg = sumOf(weights);
  return {
    totals: {
      ...(piecesCount === null ? {} : { piecesCount }),
      ...(weightKg === null ? {} : { weightKg: Math.round(weightKg * 1000) / 1000 }),
    },
    unreadable: [...counts, ...weights].flatMap(({ unreadable }) => unreadable),
  };
}

/** A number, or an object with amount and unit. */
function weightOf(item: LenientObject): Measured<number> {
  const own = child(item, 'weight');
  const amount = own === null ? item.get('weight') : (own.get('amount') ?? own.get('value'));
  const unit = own?.get('unit');
  return readWeightKg(amount, typeof unit === 'string' ? unit : 'KG');
}

function sumOf(measured: readonly Measured<number>[]): number | null {
  const known = measured.flatMap(({ value }) => (value === null ? [] : [value]));
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}
