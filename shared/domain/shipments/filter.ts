import type { ExceptionCode, Freshness, IdentifierKey, Status, TrackingReason, TrackingState } from './shipment.ts';
import type { TransportMode } from './transport-mode.ts';

/**
 * The one filter language of list, counts, export, MCP and webhooks. An absent field doesn't filter. Values of one
 * field are OR, different fields are AND. Times are ISO UTC, both ends included. The bounds of ETA and departure may be
 * dates: then they compare the calendar day at the place of the arrival or departure.
 */
export type ShipmentFilter = {
  status?: Status[];
  transportMode?: TransportMode[];
  carrier?: string[];
  trackingState?: TrackingState[];
  trackingReason?: TrackingReason[];
  freshness?: Freshness[];
  stale?: boolean;
  /** Any identifier, by `match_value`. */
  identifier?: string[];
  /** Exact matches by `match_value`. `container` also finds containers that the carrier reported later. */
  identifiers?: Partial<Record<IdentifierKey, string[]>>;
  reference?: string[];
  tag?: string[];
  q?: string;
  origin?: string[];
  destination?: string[];
  etaFrom?: string;
  etaTo?: string;
  departedFrom?: string;
  departedTo?: string;
  createdFrom?: string;
  createdTo?: string;
  updatedSince?: string;
  hasException?: boolean;
  /** By the rule in `needs-attention.ts`. */
  needsAttention?: boolean;
  /** Open exceptions only. */
  exception?: ExceptionCode[];
  delayedMinHours?: number;
  /** True: only archived shipments. Absent or false: only the others. */
  archived?: boolean;
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

/** What `q` means: one of the texts is part of the search text, or all of the words are. All in lower case. */
export type TextSearch = { phrase: string; compact: string; words: string[] };

/**
 * Parses `q`: the phrase itself, the phrase without separators (numbers are printed with and without), and its words.
 */
export function readTextSearch(q: string): TextSearch {
  const phrase = q.trim().toLowerCase();
  return { phrase, compact: phrase.replace(/[\s-]/g, ''), words: phrase.split(/\s+/).filter((word) => word !== '') };
}

/**
 * What a place in a filter means: two Latin letters are a country; anything else is a code (UN/LOCODE, IATA) or part of
 * the name.
 */
export type PlaceSearch = { country: string } | { code: string; namePart: string };

export function readPlaceSearch(place: string): PlaceSearch {
  const text = place.trim();
  if (/^[A-Za-z]{2}$/.test(text)) return { country: text.toUpperCase() };
  return { code: text.toUpperCase(), namePart: text.toLowerCase() };
}
