import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { asyncApiText } from '#services/api/docs/openapi/build-asyncapi.ts';
import { landfallDocument } from '#services/api/docs/openapi/build-openapi.ts';
import { changeTypes } from '#shared/domain/feed/change-types.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests read arbitrary parts of the documents
type Json = any;

const document: Json = JSON.parse(asyncApiText());
const openApi: Json = JSON.parse(JSON.stringify(landfallDocument()));

/** `3.0.0-without-$id.json` of @asyncapi/specs 6.11.1 (Apache-2.0), the schema that AsyncAPI publishes. */
const published = JSON.parse(
  gunzipSync(
    readFileSync(fileURLToPath(new URL('../../../fixtures/asyncapi/3.0.0.json.gz', import.meta.url))),
  ).toString(),
);

describe('the AsyncAPI document', () => {
  it('is valid by the schema that AsyncAPI publishes', () => {
    const ajv = new Ajv({ strict: false, logger: false });
    addFormats.default(ajv);
    const validate = ajv.compile(published);
    expect([validate(document), validate.errors?.slice(0, 5) ?? null]).toEqual([true, null]);
    expect(validate({ ...document, operations: { deliverWebhook: { action: 'push' } } })).toBe(false);
  });

  it('has a message for each type of change, and one for a test', () => {
    const names = Object.keys(document.channels.webhookEndpoint.messages);
    expect(names.toSorted()).toEqual([...changeTypes, 'webhook.test'].toSorted());
    expect(Object.keys(openApi.webhooks).toSorted()).toEqual(names.toSorted());
  });

  it('has the schemas of the OpenAPI document, and all that it refers to', () => {
    for (const [name, schema] of Object.entries(document.components.schemas))
      expect(schema, name).toEqual(openApi.components.schemas[name]);
    const referred = [...asyncApiText().matchAll(/"\$ref": "#([^"]+)"/g)].map(([, pointer = '']) => pointer);
    expect(referred.length).toBeGreaterThan(50);
    for (const pointer of referred) {
      const target = pointer
        .split('/')
        .slice(1)
        .reduce((at: Json, step) => at?.[step], document);
      expect(target, pointer).toBeDefined();
    }
  });
});
