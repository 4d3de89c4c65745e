import type { ShipmentSort } from '../lists/filter.ts';

export const maxViewName = 60;
/** Of one member and one mode. */
export const maxViews = 100;

/** A filter of the list as the API takes it: the names of its query, with arrays for lists. */
export type StoredFilter = { readonly [name: string]: unknown };

/** The state of the list in the dashboard: its URL. */
export type ViewSearch = Readonly<Record<string, string>>;

/** Settings of a view that a member chooses. */
export type ViewSettings = {
  name: string;
  /** Every member of the account sees it. */
  shared: boolean;
  search: ViewSearch;
  /** Null: the list depends on the day on which it is read, so that no alert can follow it. */
  filter: StoredFilter | null;
  sort: ShipmentSort;
};

/** A named list of shipments of one mode (live or test). Times are ISO UTC. */
export type SavedView = ViewSettings & {
  id: string;
  /** Null: the member who shared it was removed. */
  ownerId: string | null;
  /** Alerts of all members that follow it. */
  alerts: number;
  createdAt: string;
  updatedAt: string;
};
