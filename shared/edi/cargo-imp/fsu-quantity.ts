/**
 * The quantity that a line of Cargo-IMP is about. `total`: pieces of the consignment (null: it doesn't state them).
 * `isPart`: it is about some of them.
 */
export type Quantity = { pieces: number; total: number | null; weightKg: number | null; isPart: boolean };

const kilogramsOfPound = 0.45359237;

/**
 * The first of these fields that is a quantity: `T10K500` is the whole consignment; `P4K200T10`, `S4` and `D6L440.9` are
 * parts of it (partial, split, divided), where the last number, if there is one, is that of all pieces. Null: none is.
 */
export function readQuantity(fields: readonly string[]): Quantity | null {
  for (const field of fields) {
    const match = /^([TPSD])([1-9]\d{0,3})(?:([KL])(\d+(?:\.\d+)?))?(?:T([1-9]\d{0,3}))?$/.exec(
      field.trim().toUpperCase(),
    );
    if (match === null) continue;
    const [, kind, pieces, unit, weight, all] = match;
    const kilograms = weight === undefined ? null : Number(weight) * (unit === 'L' ? kilogramsOfPound : 1);
    return {
      pieces: Number(pieces),
      total: kind === 'T' ? Number(pieces) : all === undefined ? null : Number(all),
      weightKg: kilograms === null ? null : Number(kilograms.toFixed(3)),
      isPart: kind !== 'T',
    };
  }
  return null;
}
