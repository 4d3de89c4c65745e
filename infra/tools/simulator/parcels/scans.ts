import type { City } from './cities.ts';

/** The kinds of scan. */
export type ScanKind =
  | 'label'
  | 'pickup'
  | 'departed'
  | 'arrived'
  | 'customs'
  | 'customs_hold'
  | 'customs_payment'
  | 'customs_released'
  | 'delay'
  | 'damage'
  | 'address_problem'
  | 'out_for_delivery'
  | 'attempted'
  | 'closed'
  | 'refused'
  | 'ready'
  | 'collected'
  | 'delivered'
  | 'delivered_neighbour'
  | 'left_at_door'
  | 'return_started'
  | 'returned';

/** The scans that hand a parcel over. */
export const deliveryKinds: readonly ScanKind[] = ['delivered', 'delivered_neighbour', 'left_at_door', 'collected'];
/** The scans of a failed attempt to deliver. */
export const attemptKinds: readonly ScanKind[] = ['attempted', 'closed', 'refused'];

/**
 * A scan. Times in ms since the parcel's start. `final`: the scan happened at the delivering facility. `piece`: index of
 * the piece; null: all of them.
 */
export type Scan = {
  kind: ScanKind;
  city: City;
  atMs: number;
  reportedMs: number;
  final: boolean;
  piece: number | null;
};
