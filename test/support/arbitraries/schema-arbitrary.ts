import fc from 'fast-check';

type Schema = Record<string, unknown> & { type?: string | string[] };
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Values for a JSON Schema (2020-12, as in OpenAPI). Rules that the schema can't express may reject them. */
export function schemaArbitrary(schema: Schema, root: Record<string, unknown>, depth = 0): fc.Arbitrary<Json> {
  if (typeof schema.$ref === 'string') return schemaArbitrary(lookUp(schema.$ref, root), root, depth);
  const shaped = shapedArbitrary(schema, root, depth);
  const examples = (schema.examples ?? []) as Json[];
  return examples.length === 0 ? shaped : fc.oneof(shaped, fc.constantFrom(...examples));
}

/** The value with one mistake in it. */
export function brokenArbitrary(valid: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  return fc
    .tuple(valid, junk, fc.nat(1000), fc.constantFrom('replace', 'drop', 'add', 'wrap'))
    .map(([value, wrong, place, how]) => {
      const places = placesOf(value);
      return breakAt(value, places[place % places.length] ?? [], { how, wrong });
    });
}

/** Any JSON value, including troublesome ones. */
export const junk: fc.Arbitrary<Json> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>,
  fc.constantFrom<Json>(
    '',
    '\u0000',
    '\ud800',
    '\u202e',
    'a'.repeat(5000),
    '💥'.repeat(300),
    "'; drop table shipments; --",
    '%',
    '\\',
    'TEST-JOURNEY',
    '9999-99-99T99:99:99Z',
    '2026-02-30',
    Number.MAX_SAFE_INTEGER,
    -1,
    1.5,
    1e300,
    { constructor: { prototype: null } },
    [[[[[]]]]],
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

function shapedArbitrary(schema: Schema, root: Record<string, unknown>, depth: number): fc.Arbitrary<Json> {
  if ('const' in schema) return fc.constant(schema.const as Json);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as Json[]));
  const options = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (options !== undefined) return fc.oneof(...options.map((option) => schemaArbitrary(option, root, depth + 1)));
  const types = [schema.type ?? []].flat();
  if (types.length > 1) return fc.oneof(...types.map((type) => shapedArbitrary({ ...schema, type }, root, depth)));
  switch (types[0]) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer(boundsOf(schema));
    case 'number':
      return fc.double({ ...boundsOf(schema), noNaN: true });
    case 'string':
      return textArbitrary(schema);
    case 'array':
      return fc.array(schemaArbitrary((schema.items ?? {}) as Schema, root, depth + 1), {
        maxLength: Math.min(Number(schema.maxItems ?? 4), 4),
      });
    case 'object':
      return objectArbitrary(schema, root, depth);
    default:
      return depth > 4 ? fc.constant(null) : (fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>);
  }
}

function objectArbitrary(schema: Schema, root: Record<string, unknown>, depth: number): fc.Arbitrary<Json> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const required = (schema.required ?? []) as string[];
  const known = fc.record(
    Object.fromEntries(properties.map(([name, part]) => [name, schemaArbitrary(part, root, depth + 1)])),
    {
      requiredKeys: required,
    },
  ) as fc.Arbitrary<Record<string, Json>>;
  const others = schema.additionalProperties;
  if (typeof others !== 'object' || others === null) return known;
  const names = ((schema.propertyNames as Schema | undefined)?.enum ?? [
    'mbl',
    'booking',
    'container',
    'awb',
    'hbl',
    'tracking_number',
    'x',
  ]) as string[];
  const free = fc.dictionary(fc.constantFrom(...names), schemaArbitrary(others as Schema, root, depth + 1), {
    maxKeys: 3,
  });
  return fc.tuple(known, free).map(([first, second]) => ({ ...second, ...first }));
}

function textArbitrary(schema: Schema): fc.Arbitrary<Json> {
  if (schema.format === 'date-time')
    return fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') })
      .map((date) => date.toISOString());
  const minLength = Number(schema.minLength ?? 0);
  const maxLength = Math.min(Number(schema.maxLength ?? 30), 30);
  return fc.oneof(
    fc.string({ minLength, maxLength: Math.max(minLength, maxLength) }),
    fc.constantFrom('2026-04-15', '2026-04-15T08:00:00Z', 'MAEU', 'MAEU123456789', 'CNSHA', 'eta', '25', 'true'),
  );
}

function boundsOf(schema: Schema): { min: number; max: number } {
  const min = Math.max(Number(schema.minimum ?? -1000), -1e9);
  return { min, max: Math.max(min, Math.min(Number(schema.maximum ?? 1000), 1e9)) };
}

function lookUp(reference: string, root: Record<string, unknown>): Schema {
  const steps = reference.slice(2).split('/');
  return steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], root) as Schema;
}

type Place = readonly (string | number)[];

function placesOf(value: Json, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([name, part]) => placesOf(part as Json, [...at, name]))];
}

function breakAt(value: Json, place: Place, change: { how: string; wrong: Json }): Json {
  const [step, ...rest] = place;
  if (step === undefined) {
    if (change.how === 'wrap') return [value];
    if (change.how === 'add' && typeof value === 'object' && value !== null && !Array.isArray(value))
      return { ...value, zzz: change.wrong };
    return change.wrong;
  }
  if (typeof value !== 'object' || value === null) return change.wrong;
  const copy: Record<string, Json> | Json[] = Array.isArray(value) ? [...value] : { ...value };
  const parts = copy as Record<string | number, Json>;
  if (rest.length === 0 && change.how === 'drop') delete parts[step];
  else parts[step] = breakAt(parts[step] ?? null, rest, change);
  return copy;
}
