import type { z } from 'zod';
import type { ShipmentSnapshot } from '#shared/domain/feed/change.ts';
import type { Journey, Shipment, Status } from '#shared/domain/record/shipment.ts';

/** Source of a summary, without the journey. */
type SummarySource = Omit<ShipmentSnapshot, 'journey'>;
/** Source of a record, without the journey. */
type RecordSource = Omit<Shipment, 'journey'>;

/** Reads a field of the journey. `late`: the shipment is, at the time of reading. */
export type ReadJourney<Source, Value> = (journey: Source, late: boolean) => Value;
/** Reads any other field. `status` is that of the journey. `asOf`: see `toWireShipment`. */
export type ReadShipment<Source, Value> = (shipment: Source, status: Status, asOf: string | null) => Value;

/** A field of a record or a summary: its schema, and how its value is read. */
export type FieldRow<Schema extends z.ZodType = z.ZodType, Read = unknown, InMcp extends boolean = boolean> = {
  schema: Schema;
  of: 'journey' | 'shipment';
  read: Read;
  /** Form in which the tools of MCP show the value. */
  inMcp: InMcp;
};

/** A field that a summary has, too. */
export function ofShipment<Schema extends z.ZodType>(
  schema: Schema,
  read: ReadShipment<SummarySource, z.infer<Schema>>,
): FieldRow<Schema, typeof read, false> {
  return { schema, of: 'shipment', read, inMcp: false };
}

/** A field of the journey that a summary has, too. */
export function ofJourney<Schema extends z.ZodType>(
  schema: Schema,
  read: ReadJourney<ShipmentSnapshot['journey'], z.infer<Schema>>,
): FieldRow<Schema, typeof read, false> {
  return { schema, of: 'journey', read, inMcp: false };
}

/** A field that only a record has. */
export function ofRecord<Schema extends z.ZodType>(
  schema: Schema,
  read: ReadShipment<RecordSource, z.infer<Schema>>,
): FieldRow<Schema, typeof read, false> {
  return { schema, of: 'shipment', read, inMcp: false };
}

/** A field of the journey that only a record has. */
export function ofWholeJourney<Schema extends z.ZodType>(
  schema: Schema,
  read: ReadJourney<Journey, z.infer<Schema>>,
): FieldRow<Schema, typeof read, false> {
  return { schema, of: 'journey', read, inMcp: false };
}

/** A field that the tools of MCP show as it is, in rows and in details. */
export function inMcp<Schema extends z.ZodType, Read>(
  row: FieldRow<Schema, Read, false>,
): FieldRow<Schema, Read, true> {
  return { ...row, inMcp: true };
}

/** The schemas of a table's fields, as the shape of an object. */
export function shapeOf<Rows extends Record<string, FieldRow>>(
  rows: Rows,
): { [Name in keyof Rows]: Rows[Name]['schema'] } {
  const entries = Object.entries(rows).map(([name, { schema }]) => [name, schema]);
  return Object.fromEntries(entries) as { [Name in keyof Rows]: Rows[Name]['schema'] };
}

export type NamedRow = FieldRow & { name: string };

export function rowsOf(table: Readonly<Record<string, FieldRow>>): NamedRow[] {
  return Object.entries(table).map(([name, row]) => ({ ...row, name }));
}

/** The rows that `first` names, in its order, then the others. */
export function inOrder(rows: readonly NamedRow[], first: readonly string[]): NamedRow[] {
  const placeOf = ({ name }: NamedRow) => (first.includes(name) ? first.indexOf(name) : first.length);
  return rows.toSorted((left, right) => placeOf(left) - placeOf(right));
}

/** `shipment` and `journey` have what the rows read; each may be part of the whole where only some rows are composed. */
type Compose = (
  shipment: { late: boolean },
  journey: { status: Status },
  asOf: string | null,
) => Record<string, unknown>;

/**
 * Composes objects of these rows. Each is a copy of one template, whose fields are then set: V8 gives them all one shape,
 * and writes them as JSON twice as fast as objects that are built field by field.
 */
export function composerOf(rows: readonly NamedRow[]): Compose {
  const names = rows.map(({ name }) => name);
  const isOfJourney = rows.map((row) => row.of === 'journey');
  const reads = rows.map(({ read }) => read as (...sources: unknown[]) => unknown);
  const template = JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, null])))) as object;
  return (shipment, journey, asOf) => {
    const composed: Record<string, unknown> = { ...template };
    for (let index = 0; index < names.length; index++) {
      const read = reads[index] as (...sources: unknown[]) => unknown;
      const { late } = shipment;
      composed[names[index] as string] = isOfJourney[index]
        ? read(journey, late)
        : read(shipment, journey.status, asOf);
    }
    return composed;
  };
}
