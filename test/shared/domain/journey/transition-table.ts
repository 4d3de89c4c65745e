import { type Status, statuses } from '#shared/domain/record/shipment.ts';

/**
 * The published table, written out again so that the tests don't read the one that they test. `y` allowed; `n` only by
 * a newer actual event; `v` only because a deciding event was voided; `c` only by a cancellation; `x` never; `-` the
 * same status.
 */
const publishedTable = `
                     pending booked in_transit arrived available out_for_delivery delivered returned failed cancelled
pending              -       y      y          y       y         y                y         y        y      y
booked               v       -      y          y       y         y                y         y        y      y
in_transit           v       v      -          y       y         y                y         y        y      c
arrived              v       v      n          -       y         y                y         y        y      c
available_for_pickup v       v      n          n       -         y                y         y        y      c
out_for_delivery     v       v      n          n       n         -                y         y        y      c
delivered            v       v      v          v       v         v                -         n        v      x
returned             v       v      v          v       v         v                v         -        v      v
failed               v       v      n          n       n         n                n         n        -      c
cancelled            v       v      v          v       v         v                v         v        v      -
`;

export type Cell = 'y' | 'n' | 'v' | 'c' | 'x' | '-';

const cells = new Map(
  publishedTable
    .trim()
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [from, ...row] = line.trim().split(/\s+/);
      return row.map((cell, column) => [`${from} ${statuses[column]}`, cell as Cell] as const);
    }),
);

/** Returns the published table's cell for a step. */
export function publishedCell(from: Status, to: Status): Cell {
  const cell = cells.get(`${from} ${to}`);
  if (cell === undefined) throw new Error(`the table has no cell ${from} → ${to}`);
  return cell;
}
