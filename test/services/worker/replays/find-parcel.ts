import type { ParcelCarrier } from '#infra/tools/simulator/parcels/networks.ts';
import { type Parcel, planParcel } from '#infra/tools/simulator/parcels/parcel.ts';
import type { Variant } from '#infra/tools/simulator/parcels/variants.ts';

/** Formats of the carriers' numbers. */
const shapes: Record<ParcelCarrier, (serial: string) => string> = {
  ups: (serial) => `1Z999AA1${serial.padStart(10, '0')}`,
  fedex: (serial) => `7946${serial}`,
  dhl: (serial) => `12${serial}`,
  gls: (serial) => `12${serial}`,
  usps: (serial) => `940011189956${serial}`,
};
const planned = new Map<string, Parcel>();

/** The first parcel of this kind in this seed. By the last digit of its number it plays fast (0 to 4) or in real time. */
export function findParcel(
  connector: ParcelCarrier,
  variant: Variant,
  { seed, lastDigit }: { seed: string; lastDigit: number },
): Parcel {
  const keyOf = (of: Variant) => [seed, connector, of, lastDigit].join(' ');
  for (let index = 1; index < 400 && !planned.has(keyOf(variant)); index += 1) {
    const number = shapes[connector](`${5_000_000 + index * 37}${lastDigit}`);
    if (number.includes('404')) continue;
    const parcel = planParcel(seed, connector, number);
    if (!planned.has(keyOf(parcel.variant))) planned.set(keyOf(parcel.variant), parcel);
  }
  const parcel = planned.get(keyOf(variant));
  if (parcel === undefined) throw new Error(`no parcel of ${connector} is ${variant}`);
  return parcel;
}
