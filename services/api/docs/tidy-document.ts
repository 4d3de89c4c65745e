import type { createDocument } from 'zod-openapi';
import type { PublicOperation } from '#shared/contract/operation.ts';
import { everywhere } from './common-headers.ts';

export type OpenApiDocument = ReturnType<typeof createDocument>;

type Described = { description?: string; schema?: { type?: string | string[]; description?: string } };
type Answer = { headers?: Record<string, Described | { $ref: string }>; $ref?: string };
type Parameter = Described & {
  style?: string;
  explode?: boolean;
};

/** What zod cannot say: lists as one value with commas, headers of every answer, descriptions where tools look for them, no unused parts. */
export function tidyDocument(document: OpenApiDocument, operations: readonly PublicOperation[]): OpenApiDocument {
  for (const { path, method } of operations) {
    const operation = document.paths?.[path]?.[method.toLowerCase() as 'get'];
    for (const parameter of (operation?.parameters ?? []) as Parameter[]) tidyParameter(parameter);
    for (const answer of Object.values((operation?.responses ?? {}) as Record<string, Answer>)) addHeaders(answer);
  }
  for (const answer of Object.values((document.components?.responses ?? {}) as Record<string, Answer>))
    addHeaders(answer);
  removeUnused(document);
  return document;
}

function tidyParameter(parameter: Parameter): void {
  liftDescription(parameter);
  if ([parameter.schema?.type].flat().includes('array')) Object.assign(parameter, { style: 'form', explode: false });
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

/** A component goes when nothing refers to it, until nothing goes any more. */
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
