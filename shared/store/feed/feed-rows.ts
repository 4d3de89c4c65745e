import type { Change, ChangeData, EndpointChangeData, ShipmentChange } from '#shared/domain/feed/change.ts';
import type { ChangeType } from '#shared/domain/feed/change-types.ts';
import { unpackChanges } from './packed-changes.ts';

/** A change whose stored data can't be decoded. */
export type UnreadableChange = Pick<Change, 'id' | 'sequence' | 'type' | 'createdAt' | 'traceparent'> & {
  error: unknown;
};

/** A change with the marks of its added events, if the query asked for them. */
export type FoundChange = Change & { eventHashes?: readonly number[] };

/** A change as the statements here read it. */
export type FeedRow = {
  id: string;
  sequence: number;
  type: ChangeType;
  createdAt: string;
  /** Null: it is packed. */
  data: ChangeData | EndpointChangeData | null;
  /** Null: the row has its data. */
  holder: number | null;
  packedPlace: number | null;
  /** Null also when the row before has the same holder. */
  packed: Buffer | null;
  traceparent: string | null;
  /** Absent unless asked for. */
  eventMarks?: number[] | null;
};

/** The columns of a change `c` that `shownColumns` and `holder` read. */
export const storedColumns =
  'c.id, c.write_order, c.sequence, c.shipment_id, c.type, c.created_at, c.data, c.packed, c.packed_place, c.traceparent, c.event_marks';

/** The columns of the page. A value that several rows share is fetched once where they follow one another. */
export const shownColumns = `
        c.id, c.sequence, c.type, c.created_at, c.data, h.write_order as holder, c.packed_place,
        case when h.write_order is distinct from lag(h.write_order) over (order by c.sequence) then h.packed end as packed,
        coalesce(c.traceparent, h.traceparent) as traceparent`;

/**
 * The row that holds the packed data of `c`: itself, or the shipment's next with a packed value. That one still waits for
 * its sequence if the sequencer stopped between them. The parts are tried in turn until one has a row.
 */
export const holder = `
        select c.write_order, c.packed, c.traceparent where c.packed is not null
        union all
        (
          select h.write_order, h.packed, h.traceparent from landfall.changes as h
          where c.data is null and h.account_id = $1 and h.shipment_id = c.shipment_id and h.sequence > c.sequence and h.packed is not null
          order by h.sequence
          limit 1
        )
        union all
        (
          select h.write_order, h.packed, h.traceparent from landfall.changes as h
          where c.data is null and h.account_id = $1 and h.shipment_id = c.shipment_id and h.sequence is null and h.write_order > c.write_order
            and h.packed is not null
          order by h.write_order
          limit 1
        )
        limit 1`;

/** Changes as rows of the statements here have them, in this order, apart from those that can't be decoded. */
export function changesFrom(
  rows: readonly FeedRow[],
  withMarks = false,
): { changes: FoundChange[]; unreadable: UnreadableChange[] } {
  const dataOf = openDataReader();
  const changes: FoundChange[] = [];
  const unreadable: UnreadableChange[] = [];
  for (const row of rows) {
    const { id, sequence, type, traceparent } = row;
    const head = { id, sequence, createdAt: row.createdAt, traceparent };
    try {
      changes.push({
        ...head,
        ...(withMarks && { eventHashes: row.eventMarks ?? [] }),
        // Each type has its own data.
        ...({ type, data: row.data ?? dataOf(row) } as Pick<ShipmentChange, 'type' | 'data'>),
      });
    } catch (error) {
      unreadable.push({ ...head, type, error });
    }
  }
  return { changes, unreadable };
}

type PackedRow = { id: string; holder: number | null; packed: Buffer | null; packedPlace: number | null };

/** Unpacks each value of a page once. */
function openDataReader(): (row: PackedRow) => ChangeData {
  const unpacked = new Map<number | null, ReturnType<typeof unpackChanges>>();
  return ({ id, holder, packed, packedPlace }) => {
    const known = unpacked.get(holder) ?? (packed && unpackChanges(packed));
    if (!known || packedPlace === null) throw new Error(`the data of change ${id} is missing`);
    unpacked.set(holder, known);
    return known.dataAt(packedPlace);
  };
}
