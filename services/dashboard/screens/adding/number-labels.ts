import type { IdentifierKey } from '#shared/domain/shipments/shipment.ts';
import type { TransportMode } from '#shared/domain/shipments/transport-mode.ts';

/** What a word in front of a number says about it. */
export type Label = { mode: TransportMode; identifier: IdentifierKey };

const labels: Readonly<Record<string, Label>> = {
  mbl: { mode: 'ocean', identifier: 'mbl' },
  bl: { mode: 'ocean', identifier: 'mbl' },
  booking: { mode: 'ocean', identifier: 'booking' },
  bkg: { mode: 'ocean', identifier: 'booking' },
  container: { mode: 'ocean', identifier: 'container' },
  awb: { mode: 'air', identifier: 'awb' },
  mawb: { mode: 'air', identifier: 'awb' },
  pro: { mode: 'road', identifier: 'pro' },
  bol: { mode: 'road', identifier: 'bol' },
  railcar: { mode: 'rail', identifier: 'railcar' },
  waybill: { mode: 'rail', identifier: 'waybill' },
  tracking: { mode: 'parcel', identifier: 'tracking_number' },
  parcel: { mode: 'parcel', identifier: 'tracking_number' },
};

/** `B/L`, `Booking:`, `AWB#`: null for any other word. */
export function labelOf(word: string): Label | null {
  return labels[word.toLowerCase().replace(/[^a-z]/g, '')] ?? null;
}
