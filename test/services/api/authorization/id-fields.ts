import { z } from 'zod';
import type { Operation } from '#shared/contract/operation.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON schema of any form
type JsonSchema = any;

const typeId = /\b[a-z]+_[0-9a-z]{26}\b/;
/** Names that look like those of ids, with what their values are. */
const notIds: Readonly<Record<string, string>> = {
  'body.events.external_id': 'the number that the source of an event gave it',
  'body.client_id': 'a user name at a carrier',
  'body.id': 'the number of a JSON-RPC call',
};

/** The fields of a request that can carry an id: `path.note_id`, `query.assignee`, `body.filter.assignee`. */
export function idFieldsOf({ path, query, body }: Pick<Operation, 'path' | 'query' | 'body'>): string[] {
  const found = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `path.${name}`));
  for (const [place, schema] of Object.entries({ query, body: body?.schema })) {
    if (schema === undefined) continue;
    collect(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }), place, found);
  }
  return [...found].filter((field) => notIds[field] === undefined);
}

/** The same, of a schema as MCP tools describe their arguments. */
export function idFieldsOfSchema(schema: JsonSchema, place: string): string[] {
  const found = new Set<string>();
  collect(schema, place, found);
  return [...found];
}

function collect(root: JsonSchema, place: string, found: Set<string>): void {
  const entered = new Set<JsonSchema>();
  const enter = (schema: JsonSchema, at: string): void => {
    if (typeof schema !== 'object' || schema === null || entered.has(schema)) return;
    entered.add(schema);
    if (typeof schema.$ref === 'string') enter(root.$defs?.[schema.$ref.replace('#/$defs/', '')], at);
    for (const [name, property] of Object.entries<JsonSchema>(schema.properties ?? {})) {
      const isNamedSo = /(^|_)ids?$|^assignee$/.test(name);
      if (isNamedSo || typeId.test(JSON.stringify(property.examples ?? []))) found.add(`${at}.${name}`);
      enter(property, `${at}.${name}`);
    }
    for (const part of [schema.items, schema.additionalProperties]) enter(part, at);
    for (const parts of [schema.anyOf, schema.oneOf, schema.allOf, schema.prefixItems])
      for (const part of parts ?? []) enter(part, at);
    entered.delete(schema);
  };
  enter(root, place);
}

/** The ids that a template names, by their fields: `{ 'path.shipment_id': 'shipment_id' }`. */
export function placeholdersOf(template: unknown, at: string): [field: string, kind: string][] {
  if (typeof template === 'string')
    return [...template.matchAll(/\{(\w+)\}/g)].map(([, kind = '']) => [at === 'path' ? `path.${kind}` : at, kind]);
  if (typeof template !== 'object' || template === null) return [];
  const isList = Array.isArray(template);
  return Object.entries(template).flatMap(([name, value]) => placeholdersOf(value, isList ? at : `${at}.${name}`));
}

/** The template with the id that `choose` returns for each field. */
export function fill<Template>(
  template: Template,
  at: string,
  choose: (field: string, kind: string) => string,
): Template {
  if (typeof template === 'string')
    return template.replaceAll(/\{(\w+)\}/g, (_, kind: string) =>
      choose(at === 'path' ? `path.${kind}` : at, kind),
    ) as Template;
  if (typeof template !== 'object' || template === null) return template;
  if (Array.isArray(template)) return template.map((value) => fill(value, at, choose)) as Template;
  return Object.fromEntries(
    Object.entries(template).map(([name, value]) => [name, fill(value, `${at}.${name}`, choose)]),
  ) as Template;
}
