import type { IdentifierKey, Status } from './shipment.ts';
import type { TransportMode } from './transport-mode.ts';

/** The one filter language of list, counts, MCP and later exports and webhooks. An absent part does not filter; lists are OR. */
export type ShipmentFilter = {
  status?: Status[];
  transportMode?: TransportMode[];
  carrier?: string[];
  /** Exact matches by `match_value`; `container` also finds containers that the carrier named later. */
  identifiers?: Partial<Record<IdentifierKey, string>>;
  /** Any identifier, by `match_value`. */
  identifier?: string;
  reference?: string;
  tag?: string;
  q?: string;
  origin?: string;
  destination?: string;
  etaFrom?: string;
  etaTo?: string;
  updatedSince?: string;
  hasException?: boolean;
  delayedMinHours?: number;
  stale?: boolean;
};

export const shipmentSorts = [
  '-created_at',
  'created_at',
  '-updated_at',
  'updated_at',
  '-eta',
  'eta',
  '-status_changed_at',
  'status_changed_at',
  '-last_event_at',
  'last_event_at',
] as const;
export type ShipmentSort = (typeof shipmentSorts)[number];
