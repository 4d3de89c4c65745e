import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { openApiFiles } from '#infra/scripts/openapi-files.ts';
import { buildOpenApi, documentText, landfallDocument } from '#services/api/docs/openapi/build-openapi.ts';
import { publicOperations } from '#shared/contract/operations.ts';
import { shipmentParams } from '#shared/contract/record/shipment-id.ts';
import { defaultLimits } from '#shared/domain/keys/limits.ts';

const document = JSON.parse(documentText(landfallDocument()));
const operations = Object.entries(document.paths as Record<string, Record<string, Json>>).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
);

// biome-ignore lint/suspicious/noExplicitAny: the tests read arbitrary parts of the document
type Json = any;

describe('the OpenAPI document', () => {
  it('is valid and follows the recommended rules', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const found = await lintFromString({
      source: documentText(landfallDocument()),
      absoluteRef: 'openapi.json',
      config,
    });
    expect(found.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`)).toEqual(
      [],
    );
  });

  it('contains only constructs that common generators, mock servers and linters accept', () => {
    const text = documentText(landfallDocument());
    // Tuples: zod of orval, Prism and Spectral don't know them.
    expect(text).not.toMatch(/"prefixItems"|"items": (?:false|true)/);
    expect(document.info).toHaveProperty('contact');
    // Old and new values of the feed.
    expect(text).toMatch(/"minItems": 2,\s+"maxItems": 2/);
  });

  it('names the default limits and page sizes', () => {
    const { description } = document.info;
    for (const limit of Object.values(defaultLimits)) expect(description).toContain(limit.toLocaleString('en'));
    const sizeOf = (path: string) =>
      document.paths[path].get.parameters.find(({ name }: Json) => name === 'limit').schema as Json;
    for (const path of ['/v1/shipments', '/v1/shipments/{shipment_id}/events', '/v1/events']) {
      const { default: normal, maximum } = sizeOf(path);
      expect(description).toMatch(new RegExp(`\\b${normal}\\b`));
      expect(description).toMatch(new RegExp(`\\b${maximum}\\b`));
    }
  });

  it('has exactly one operation for each of the contract', () => {
    const documented = operations.map(({ name, operation }) => `${name} ${operation.operationId}`);
    expect(documented.toSorted()).toEqual(
      publicOperations.map(({ method, path, id }) => `${method} ${path} ${id}`).toSorted(),
    );
  });

  it('is the same when it is generated again', () => {
    expect(documentText(landfallDocument())).toBe(documentText(landfallDocument()));
  });

  it.each(operations)('describes and guards $name, and declares its errors as problems', ({ operation }) => {
    for (const text of [operation.summary, operation.description]) expect(text.length).toBeGreaterThan(5);
    for (const status of ['400', '401', '406', '414', '415', '429', '500', '503'])
      expect(Object.keys(operation.responses)).toContain(status);
    for (const [status, answer] of Object.entries<Json>(operation.responses)) {
      const { content, headers } = resolved(answer);
      expect(Object.keys(headers)).toEqual(expect.arrayContaining(['X-Request-Id', 'RateLimit', 'RateLimit-Policy']));
      if (Number(status) < 400) continue;
      // JSON-RPC only: an unknown method is not an unknown address.
      if (operation.operationId === 'mcp' && status === '404') continue;
      const { schema, examples } = content['application/problem+json'];
      const codes: string[] = schema.allOf[1].properties.code.enum;
      expect(codes.length).toBeGreaterThan(0);
      expect(Object.keys(examples)).toEqual(codes);
      for (const code of codes) expect(resolved(examples[code]).value).toMatchObject({ code, status: Number(status) });
    }
  });

  it.each(operations)('describes every parameter of $name', ({ operation }) => {
    const undescribed = (operation.parameters ?? []).filter((parameter: Json) => parameter.description === undefined);
    expect(undescribed.map((parameter: Json) => parameter.name)).toEqual([]);
  });

  it('describes every field that clients send or read', () => {
    const undescribed: string[] = [];
    const visit = (schema: Json, where: string) => {
      if (typeof schema !== 'object' || schema === null || schema.$ref !== undefined) return;
      for (const [name, field] of Object.entries<Json>(schema.properties ?? {})) {
        if (!isDescribed(field)) undescribed.push(`${where}.${name}`);
        visit(field, `${where}.${name}`);
      }
      for (const part of [schema.items, schema.additionalProperties, ...(schema.anyOf ?? []), ...(schema.allOf ?? [])])
        visit(part, where);
    };
    for (const [name, schema] of Object.entries<Json>(document.components.schemas)) visit(schema, name);
    expect(undescribed).toEqual([]);
  });

  it('sends lists as one comma-separated value', () => {
    const lists = operations.flatMap(({ operation }) =>
      (operation.parameters ?? []).filter((parameter: Json) => parameter.schema.type === 'array'),
    );
    expect(lists.length).toBeGreaterThan(0);
    for (const list of lists) expect(list).toMatchObject({ style: 'form', explode: false });
  });

  it('marks open enums in a machine-readable way', () => {
    expect(document.components.schemas.Shipment.properties.status['x-extensible-enum']).toContain('in_transit');
  });

  it('documents the effects of scopes, test keys, idempotency and long bodies', () => {
    const made = buildOpenApi(
      [
        {
          id: 'advance',
          access: 'key_or_session',
          method: 'POST',
          path: '/v1/test/shipments/{shipment_id}/advance',
          tag: 'Test mode',
          summary: 'Advance',
          description: 'Moves on.',
          scope: 'shipments:write',
          limit: 'write',
          idempotent: true,
          testKeysOnly: true,
          params: shipmentParams,
          answers: { 202: { description: 'Done.' } },
          errors: ['shipment_not_found'],
        },
      ],
      '1.0.0',
    );
    const post: Json = made.paths?.['/v1/test/shipments/{shipment_id}/advance']?.post;
    expect(Object.keys(post.responses)).toEqual(
      expect.arrayContaining(['202', '400', '403', '404', '409', '413', '422', '431']),
    );
    expect(post.responses['403'].description).toContain('live_key_not_allowed');
    expect(post.responses['409'].description).toContain('idempotency_in_progress');
    expect(post.parameters.map((parameter: Json) => parameter.name)).toEqual(['shipment_id', 'Idempotency-Key']);
  });
});

it('matches the document in the repository', () => {
  for (const { path, text } of openApiFiles()) {
    const kept = readFileSync(path, 'utf8');
    expect(kept === text, `${path} is out of date: run npm run generate and review the difference`).toBe(true);
  }
});

function resolved(node: Json): Json {
  if (node.$ref === undefined) return node;
  return (node.$ref as string)
    .slice(2)
    .split('/')
    .reduce((at: Json, step) => at[step], document);
}

/** A reference is described by its target, and a union by any of its members. */
function isDescribed(field: Json): boolean {
  if (field.description !== undefined || field.const !== undefined) return true;
  if (field.$ref !== undefined) return resolved(field).description !== undefined;
  return [...(field.anyOf ?? []), ...(field.allOf ?? [])].some(isDescribed);
}
