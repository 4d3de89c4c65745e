import type { ZodOpenApiOverride } from 'zod-openapi';

type Schema = Record<string, unknown>;

/** The last sentences of the description of an open enum: see `knownValues` of the contract. */
const openValues = /Known values: (.+?)\. More may be added\./;

/**
 * Says the same in fewer words than zod does: no bounds of JavaScript's integers, one format for times, `null` as a type. The known values
 * of an open field, which its description names, are there for programs too.
 */
export const plainSchema: ZodOpenApiOverride = ({ jsonSchema }) => {
  const schema = jsonSchema as Schema;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.format === 'date-time' || schema.format === 'date') delete schema.pattern;
  if (JSON.stringify(schema.propertyNames) === '{"type":"string"}') delete schema.propertyNames;
  joinNull(schema);
  const known = openValues.exec(String(schema.description ?? ''))?.[1];
  if (known !== undefined && [schema.type].flat().includes('string')) schema['x-extensible-enum'] = known.split(', ');
};

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
