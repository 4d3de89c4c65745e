import type { StandingAlert } from '#shared/domain/alerts/alert.ts';
import type { StoredFilter } from '#shared/domain/alerts/saved-view.ts';
import type { ShipmentChange } from '#shared/domain/feed/change.ts';
import type { ShipmentFilter } from '#shared/domain/lists/filter.ts';
import { anyoneElse, withMe } from '#shared/domain/lists/filter-conditions.ts';
import { needsRecord } from '#shared/domain/lists/filter-table.ts';
import { compileFilter } from '#shared/domain/lists/matches-filter.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { resolveFilter } from '#shared/places/read-place.ts';
import { withoutRecord } from '../webhooks/select-changes.ts';

/** Reads a stored filter. Null: this release can't, and it matches nothing. */
export type ReadFilter = (filter: StoredFilter) => ShipmentFilter | null;

/** Reads the record of a shipment as of a change. Null: the shipment was removed. */
export type ReadRecord = (change: ShipmentChange) => Promise<Shipment | null>;

export type FollowedView = StandingAlert['subject'] & { kind: 'view' };

export type ViewMatcher = {
  /**
   * Returns whether the view contained the shipment right after this change. A null change, for a new shipment, is in
   * no view.
   */
  contains: (change: ShipmentChange | null, recordOf: ReadRecord) => boolean | Promise<boolean>;
  containsRecord: (shipment: Shipment) => boolean;
};

/** Names what a view contains for a member: alerts with the same key follow the same shipments. */
export function viewKey({ userId, subject }: { userId: string; subject: FollowedView }): string {
  const assignee = subject.filter?.assignee;
  const isPersonal = Array.isArray(assignee) && assignee.includes(anyoneElse.me);
  return isPersonal ? `${subject.viewId} ${userId}` : subject.viewId;
}

/**
 * `userId`: the member who follows the view. Decides by the snapshot of a change where that is enough. Only for the rest of a filter that a matching snapshot does
 * not contain, such as its vessels, the record is composed.
 */
export function viewMatcher(stored: StoredFilter | null, userId: string, read: ReadFilter): ViewMatcher {
  const asRead = stored === null ? null : read(stored);
  const filter = asRead && withMe(asRead, userId);
  if (filter === null) return { contains: () => false, containsRecord: () => false };
  const parts = Object.entries(filter);
  const shown = compileFilter(resolveFilter(Object.fromEntries(parts.filter(([field]) => !needsRecord(field)))));
  const whole = parts.some(([field]) => needsRecord(field)) ? compileFilter(resolveFilter(filter)) : null;
  return {
    contains: (change, recordOf) => {
      if (change === null || !shown(withoutRecord(change.data.shipment))) return false;
      if (whole === null) return true;
      return recordOf(change).then((record) => record !== null && whole(record));
    },
    containsRecord: whole ?? shown,
  };
}
