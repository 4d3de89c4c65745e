import type { Truth } from '../carrier-route.ts';
import { localTime } from '../voyages/local-time.ts';
import type { ScanKind } from './parcel.ts';
import type { ParcelView } from './parcel-at.ts';

/** Where a scan leaves the parcel; null: where it was. */
const after: Readonly<Record<ScanKind, string | null>> = {
  label: 'booked',
  pickup: 'in_transit',
  departed: 'in_transit',
  arrived: 'in_transit',
  customs: null,
  customs_hold: null,
  customs_released: null,
  delay: null,
  damage: null,
  address_problem: null,
  out_for_delivery: 'out_for_delivery',
  attempted: 'out_for_delivery',
  delivered: 'delivered',
  return_started: 'returned',
  returned: 'returned',
};

/** What happened to a parcel. On its way back it is `returned`, whatever is scanned. */
export function parcelTruth({ scans }: ParcelView): Truth {
  const statuses = scans.flatMap(({ kind }) => after[kind] ?? []);
  return {
    status: statuses.includes('returned') ? 'returned' : (statuses.at(-1) ?? 'pending'),
    events: scans.map(({ kind, city, atMs }) => ({
      code: kind,
      at: new Date(atMs).toISOString(),
      local: localTime(atMs, city.zone).slice(0, 16),
      place: kind === 'label' ? null : city.name,
      container: null,
    })),
  };
}
