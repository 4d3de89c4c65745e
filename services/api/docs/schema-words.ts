/** Subset of JSON Schema 2020-12 that the OpenAPI document uses. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  format?: string;
  description?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
};

/** The type of a value in a few words, with the names of schemas: `list of Shipment`, `string (date-time) or null`. */
export function typeWords(schema: Schema): string {
  if (schema.$ref !== undefined) return `\`${schema.$ref.split('/').at(-1)}\``;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return [...new Set(choices.map(typeWords))].join(' or ');
  if (schema.allOf !== undefined) return schema.allOf.map(typeWords).join(' and ');
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(' or ');
  const types = [schema.type ?? 'any'].flat();
  return types.map((type) => oneType(type, schema)).join(' or ');
}

function oneType(type: string, { items, format, properties, additionalProperties }: Schema): string {
  if (type === 'array') return `list of ${items === undefined ? 'any' : typeWords(items)}`;
  if (type === 'string' && format !== undefined) return `string (${format})`;
  if (type !== 'object') return type;
  if (properties !== undefined) return `object with ${Object.keys(properties).map(code).join(', ')}`;
  return typeof additionalProperties === 'object' ? `object of ${typeWords(additionalProperties)}` : 'object';
}

/** The fields of an object as a list; of anything else, its type. */
export function schemaFields(schema: Schema): string {
  const { properties, required = [], description } = schema;
  const intro = description === undefined ? [] : [description];
  if (properties === undefined) return [...intro, typeWords({ ...schema })].join('\n\n');
  const lines = Object.entries(properties).map(([name, field]) => {
    const text = field.description === undefined ? '' : ` ${field.description.replace(/\s*\n+\s*/g, ' ')}`;
    return `- ${code(required.includes(name) ? name : `${name}?`)}: ${typeWords(field)}.${text}`;
  });
  return [...intro, lines.join('\n')].join('\n\n');
}

function code(text: string): string {
  return `\`${text}\``;
}
