import type { FirstSeen } from '../first-seen.ts';
import { isFast, virtualNow, voyageStart } from '../voyages/clock.ts';
import { isUnknown, plainReference } from '../voyages/identifiers.ts';
import type { ParcelCarrier } from './networks.ts';
import { planParcel } from './parcel.ts';
import { type ParcelView, parcelAt } from './parcel-at.ts';

export type KnownParcels = {
  /** What the carrier knows of a number at this moment of the real clock (epoch ms); null for a number with `404`. */
  viewAt: (carrier: ParcelCarrier, number: string, nowMs: number) => ParcelView | null;
};

/** The parcels of this seed; a number's parcel begins when it is first asked for. */
export function createKnownParcels(options: { seed: string; voyageS: number; firstSeen: FirstSeen }): KnownParcels {
  const { seed, voyageS, firstSeen } = options;
  return {
    viewAt: (carrier, number, nowMs) => {
      const plain = plainReference(number);
      if (plain === '' || isUnknown(plain)) return null;
      const parcel = planParcel(seed, carrier, plain);
      const fast = isFast(plain);
      const firstSeenMs = firstSeen.of(carrier, plain, nowMs);
      return parcelAt(
        parcel,
        voyageStart(parcel, fast, firstSeenMs),
        virtualNow(parcel, fast, firstSeenMs, voyageS, nowMs),
      );
    },
  };
}
