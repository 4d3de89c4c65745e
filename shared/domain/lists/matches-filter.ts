import type { ResolvedFilter } from './filter.ts';
import type { FilteredShipment, FilterMatch } from './filter-conditions.ts';
import { type FilterName, type FilterRow, filterTable } from './filter-table.ts';

/**
 * True when the list with this filter contains the shipment; the store's SQL does the same. Freshness, `late`,
 * `overdueHours` and `needsAttention` are those that the shipment was read with.
 */
export function matchesFilter(filter: ResolvedFilter, shipment: FilteredShipment): boolean {
  return compileFilter(filter)(shipment);
}

/** `matchesFilter` for many shipments: only the conditions that the filter has are evaluated, the cheapest first. */
export function compileFilter(filter: ResolvedFilter): FilterMatch {
  const asked: ResolvedFilter = { ...filter, archived: filter.archived ?? false };
  const conditions = byCost.flatMap(([name, { matches }]) =>
    asked[name] === undefined ? [] : [matches(asked[name] as never, filter.otherTexts)],
  );
  return (shipment) => {
    for (const condition of conditions) if (!condition(shipment)) return false;
    return true;
  };
}

/** Filters that need a record are decided last, on longer lists. */
const byCost = (Object.entries(filterTable) as [FilterName, FilterRow][]).toSorted(
  ([, one], [, other]) => Number(one.needsRecord) - Number(other.needsRecord),
);
