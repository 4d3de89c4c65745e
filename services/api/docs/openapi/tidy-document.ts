import type { createDocument, ZodOpenApiOverride } from 'zod-openapi';
import type { PublicOperation } from '#shared/contract/operation.ts';
import { everywhere } from './common-headers.ts';

export type OpenApiDocument = ReturnType<typeof createDocument>;

type Described = { description?: string; schema?: { type?: string | string[]; description?: string } };
type Answer = { headers?: Record<string, Described | { $ref: string }>; $ref?: string };
type Parameter = Described & {
  style?: string;
  explode?: boolean;
};

/**
 * Adds what zod can't express: lists with commas, headers of every response, and descriptions where tools expect them.
 * Removes unused parts.
 */
export function tidyDocument(document: OpenApiDocument, operations: readonly PublicOperation[]): OpenApiDocument {
  for (const { path, method } of operations) {
    const operation = document.paths?.[path]?.[method.toLowerCase() as 'get'];
    for (const parameter of (operation?.parameters ?? []) as Parameter[]) tidyParameter(parameter);
    for (const answer of Object.values((operation?.responses ?? {}) as Record<string, Answer>)) addHeaders(answer);
  }
  for (const { post } of Object.values(document.webhooks ?? {}))
    for (const parameter of (post?.parameters ?? []) as Parameter[]) tidyParameter(parameter);
  for (const answer of Object.values((document.components?.responses ?? {}) as Record<string, Answer>))
    addHeaders(answer);
  removeUnused(document);
  return document;
}

function tidyParameter(parameter: Parameter): void {
  liftDescription(parameter);
  const types = [parameter.schema?.type].flat();
  if (types.includes('array')) Object.assign(parameter, { style: 'form', explode: false });
  if (types.includes('object')) Object.assign(parameter, { style: 'deepObject', explode: true });
}

function liftDescription(described: Described): void {
  const { schema } = described;
  if (schema?.description === undefined) return;
  described.description ??= schema.description;
  delete schema.description;
}

function addHeaders(answer: Answer): void {
  if (answer.$ref !== undefined) return;
  for (const header of Object.values(answer.headers ?? {})) if (!('$ref' in header)) liftDescription(header);
  const common = Object.fromEntries(everywhere.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
  answer.headers = { ...answer.headers, ...common };
}

/** Removes unreferenced components until none is left. */
function removeUnused(document: OpenApiDocument): void {
  const components = document.components as Record<string, Record<string, unknown>> | undefined;
  for (let removed = true; removed; ) {
    removed = false;
    const text = JSON.stringify(document);
    for (const kind of ['schemas', 'responses', 'headers', 'examples']) {
      for (const name of Object.keys(components?.[kind] ?? {})) {
        if (text.includes(`"#/components/${kind}/${name}"`)) continue;
        delete components?.[kind]?.[name];
        removed = true;
      }
    }
  }
}

type Schema = Record<string, unknown>;

/** The last sentences of the description of an open enum: see `knownValues` of the contract. */
const openValues = /Known values: (.+?)\. More may be added\./;

/**
 * Simplifies the output of zod: no bounds of JavaScript's integers, one format for times, `null` as a type, arrays
 * instead of tuples. Lists the known values of open enums for programs too.
 */
export const plainSchema: ZodOpenApiOverride = ({ jsonSchema }) => {
  const schema = jsonSchema as Schema;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.format === 'date-time' || schema.format === 'date') delete schema.pattern;
  if (JSON.stringify(schema.propertyNames) === '{"type":"string"}') delete schema.propertyNames;
  joinNull(schema);
  evenTuple(schema);
  const known = openValues.exec(String(schema.description ?? ''))?.[1];
  if (known !== undefined && [schema.type].flat().includes('string')) schema['x-extensible-enum'] = known.split(', ');
};

/** Many generators and mock servers don't know `prefixItems`. All tuples here are pairs of one type. */
function evenTuple(schema: Schema): void {
  const { prefixItems: places, ...rest } = schema;
  if (!Array.isArray(places)) return;
  const [first, ...others] = places.map((place) => JSON.stringify(place));
  if (others.some((other) => other !== first)) throw new Error('A tuple of different types cannot be documented.');
  for (const name of Object.keys(schema)) delete schema[name];
  Object.assign(schema, rest, { items: places[0], minItems: places.length, maxItems: places.length });
}

function joinNull(schema: Schema): void {
  const options = schema.anyOf;
  if (!Array.isArray(options) || options.length !== 2) return;
  const [value, nothing] = options as [Schema, Schema];
  if (nothing.type !== 'null' || typeof value.type !== 'string' || '$ref' in value) return;
  if ('const' in value) return;
  delete schema.anyOf;
  const { description, examples, ...rest } = value;
  Object.assign(
    schema,
    {
      ...(description === undefined ? {} : { description }),
      ...(examples === undefined ? {} : { examples }),
      ...schema,
    },
    rest,
    {
      type: [value.type, 'null'],
    },
  );
  if (Array.isArray(value.enum)) schema.enum = [...value.enum, null];
}
