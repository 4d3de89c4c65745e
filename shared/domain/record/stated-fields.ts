/** A field that clients state of a shipment: when they register it, in an update, and in a row of an import. */
type StatedRow<Value, InSummary extends boolean> = {
  /** The value of a shipment of which nothing was stated. */
  empty: Value;
  /** True when a summary shows it, and with it every change in the feed. */
  inSummary: InSummary;
};

/**
 * Every field that clients state as it is, which Landfall stores and returns. The wire has their schemas in
 * `shared/contract/record/stated-inputs.ts`.
 */
export const statedFields = {
  /** The first of the references. */
  reference: text({ inSummary: true }),
  references: { empty: [], inSummary: true } as StatedRow<string[], true>,
  tags: { empty: [], inSummary: true } as StatedRow<string[], true>,
  metadata: { empty: {}, inSummary: false } as StatedRow<Record<string, string>, false>,
  destinationPostalCode: text({ inSummary: false }),
};

export type StatedName = keyof typeof statedFields;
export type StatedFields = { [Name in StatedName]: (typeof statedFields)[Name]['empty'] };
/** The fields of which a summary has the value. */
export type SummaryStatedName = {
  [Name in StatedName]: (typeof statedFields)[Name]['inSummary'] extends true ? Name : never;
}[StatedName];

export const statedNames = Object.keys(statedFields) as StatedName[];
export const summaryStatedNames = statedNames.filter((name) => statedFields[name].inSummary) as SummaryStatedName[];

/** The stated fields of a shipment of which nothing was stated. */
export const nothingStated = Object.fromEntries(
  statedNames.map((name) => [name, statedFields[name].empty]),
) as StatedFields;

/** The stated fields alone. */
export function statedOf(values: StatedFields): StatedFields {
  return Object.fromEntries(statedNames.map((name) => [name, values[name]])) as StatedFields;
}

/** Everything but the stated fields. */
export function withoutStated<Values extends object>(values: Values): Omit<Values, StatedName> {
  const others = Object.entries(values).filter(([name]) => !Object.hasOwn(statedFields, name));
  return Object.fromEntries(others) as Omit<Values, StatedName>;
}

/** The stated fields that have a value. */
export function onlyStated(values: StatedFields): Partial<StatedFields> {
  const isStated = (name: StatedName) => !isSameStated(values[name], statedFields[name].empty);
  return Object.fromEntries(statedNames.filter(isStated).map((name) => [name, values[name]]));
}

/** True when two values are equal, whatever the order of their keys. */
export function isSameStated(left: unknown, right: unknown): boolean {
  return comparedText(left) === comparedText(right);
}

function comparedText(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  return JSON.stringify(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}

function text<InSummary extends boolean>({ inSummary }: { inSummary: InSummary }): StatedRow<string | null, InSummary> {
  return { empty: null, inSummary };
}
