import { type Change, changedShipmentOf, type ShipmentSnapshot } from '#shared/domain/feed/change.ts';
import type { ChangeType } from '#shared/domain/feed/change-types.ts';
import type { ResolvedFilter, ShipmentFilter } from '#shared/domain/lists/filter.ts';
import type { FilteredShipment } from '#shared/domain/lists/filter-conditions.ts';
import { needsRecord } from '#shared/domain/lists/filter-table.ts';
import { compileFilter } from '#shared/domain/lists/matches-filter.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { resolveFilter } from '#shared/places/read-place.ts';

/** Part of the feed that an endpoint selects. */
export type ChangeSelection = {
  /**
   * True or false by what the change itself contains. `record`: only the whole record as of the change can decide. A change
   * that can't be decoded is evaluated by its type: one too many is better than one too few.
   */
  evaluate: (change: Change | Pick<Change, 'type'>) => boolean | 'record';
  evaluateRecord: (record: Shipment) => boolean;
};

/** `types` null: all. `filter` null: all shipments, and changes without one; `nothing`: it can't be read. */
export function selectChanges(
  types: readonly ChangeType[] | null,
  filter: ShipmentFilter | 'nothing' | null,
): ChangeSelection {
  const wanted = types === null ? null : new Set<string>(types);
  if (filter === null || filter === 'nothing') {
    const matches = filter === null;
    return { evaluate: ({ type }) => matches && (wanted?.has(type) ?? true), evaluateRecord: () => matches };
  }
  const resolved = resolveFilter(filter);
  const names = Object.keys(filter) as (keyof ShipmentFilter)[];
  const asksRecord = names.some((name) => needsRecord(name) && filter[name] !== undefined);
  // Records are expensive: what the change itself does not match needs none.
  const matches = compileFilter(
    Object.fromEntries(Object.entries(resolved).filter(([name]) => !needsRecord(name))) as ResolvedFilter,
  );
  return {
    evaluate: (change) => {
      if (wanted !== null && !wanted.has(change.type)) return false;
      if (!('data' in change)) return true;
      const shipment = changedShipmentOf(change);
      if (shipment === null || !matches(viewOf(shipment))) return false;
      return asksRecord ? 'record' : true;
    },
    evaluateRecord: compileFilter(resolved),
  };
}

/** All endpoints look at the same snapshot, and the changes of one refresh share it. */
const views = new WeakMap<ShipmentSnapshot, FilteredShipment>();

function viewOf(snapshot: ShipmentSnapshot): FilteredShipment {
  let view = views.get(snapshot);
  if (view === undefined) {
    view = withoutRecord(snapshot);
    views.set(snapshot, view);
  }
  return view;
}

/** The fields that only a record has are empty: for filters that read none of them. */
export function withoutRecord(snapshot: ShipmentSnapshot): FilteredShipment {
  return {
    ...snapshot,
    metadata: {},
    journey: {
      ...snapshot.journey,
      currentLocation: null,
      exceptions: [],
      containers: [],
      pieces: [],
      containerStatusCounts: {},
      legs: [],
    },
  };
}
