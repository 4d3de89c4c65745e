import { z } from 'zod';
import type { WireEvent } from '../record/shipment-parts.ts';
import type { WireShipment, WireSummary } from '../record/shipment-schemas.ts';

/** A shipment as the view of a list draws it: the summary of REST with its open exceptions. */
export type ViewedRow = WireSummary & Pick<WireShipment, 'exceptions'>;

/** Data for a view in `_meta` of a result with several shipments, in the order of the result. */
export type ViewedRows = { shipments: ViewedRow[] };

/**
 * Data for a view in `_meta` of a result with one shipment: the record of REST with as many events as the result is
 * made from. `matched`: the requested number, if the shipment has many. `cities`: the positions of places that are only
 * named.
 */
export type ViewedShipment = {
  as_of: string;
  shipment: WireShipment;
  matched: { type: string; number: string; status: string; last_event: WireEvent | null } | null;
  cities: { name: string; country: string | null; lat: number; lng: number }[];
};

/**
 * Distinguish the records of one shipment from those of several. The full schemas would exceed what a view may weigh: the
 * server that wrote the records serves the view too, and a view shows a record that it can't draw as text.
 */
export const viewedShipment = z.custom<ViewedShipment>((data) => kept.safeParse(data).success);
export const viewedRows = z.custom<ViewedRows>((data) => keptRows.safeParse(data).success);

const record = z.object({ shipment_id: z.string(), status: z.string() });
const kept = z.object({ as_of: z.string(), shipment: record, cities: z.array(z.unknown()) });
const keptRows = z.object({ shipments: z.array(record) });
