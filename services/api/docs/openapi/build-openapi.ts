import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponseObject } from 'zod-openapi';
import { operationTags, type PublicOperation } from '#shared/contract/operation.ts';
import { publicOperations } from '#shared/contract/operations.ts';
import { commonHeaders } from './common-headers.ts';
import { type FailureAnswer, failureAnswers, problemExamples, sharedFailureAnswers } from './failure-answers.ts';
import { introduction, securityDescription, tagDescriptions } from './introduction.ts';
import { namedSchemas } from './named-schemas.ts';
import { type OpenApiDocument, plainSchema, tidyDocument } from './tidy-document.ts';
import { webhookSection } from './webhook-section.ts';

/** The OpenAPI document of this version. */
export function landfallDocument(): OpenApiDocument {
  const { version } = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return buildOpenApi(publicOperations, version);
}

/** The text of the document, as served and as compared by tests. */
export function documentText(document: OpenApiDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** The OpenAPI 3.1 document of the operations. It is published, and tests validate every response against it. */
export function buildOpenApi(operations: readonly PublicOperation[], version: string): OpenApiDocument {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describeOperation(operation),
    };
  }
  const usedTags = new Set(operations.map((operation) => operation.tag));
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Landfall',
        version,
        summary: 'Shipment tracking for every transport mode, over REST and MCP.',
        description: introduction,
        contact: { name: 'The operator of this installation' },
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'This installation.' }],
      security: [{ apiKey: [] }],
      tags: operationTags
        .filter((tag) => usedTags.has(tag))
        .map((name) => ({ name, description: tagDescriptions[name] })),
      paths,
      ...(usedTags.has('Webhooks') && { webhooks: webhookSection() }),
      components: {
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'svc_live_… or svc_test_…',
            description: securityDescription,
          },
        },
        schemas: namedSchemas(operations),
        responses: sharedFailureAnswers(),
        headers: commonHeaders,
        examples: problemExamples(),
      },
    },
    { override: plainSchema },
  );
  return tidyDocument(document, operations);
}

function describeOperation(operation: PublicOperation): ZodOpenApiOperationObject {
  const header = headerParameters(operation);
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: `${operation.description}\n\n${permission(operation)}`,
    requestParams: {
      ...(operation.params === undefined ? {} : { path: operation.params }),
      ...(operation.query === undefined ? {} : { query: operation.query }),
      ...(header === null ? {} : { header }),
    },
    ...(operation.body === undefined ? {} : { requestBody: describeBody(operation.body) }),
    responses: describeAnswers(operation),
  };
}

function permission(operation: PublicOperation): string {
  const keys = operation.testKeysOnly === true ? 'a test key' : 'a key';
  const needs =
    operation.scope === null
      ? `Requires ${keys} with any scope.`
      : `Requires ${keys} with the scope \`${operation.scope}\`.`;
  return `${needs} Rate limit: ${operation.limit === 'mcp' ? 'MCP' : operation.limit}.`;
}

function headerParameters(operation: PublicOperation): z.ZodObject | null {
  const shape: Record<string, z.ZodType> = {};
  if (operation.idempotent === true) {
    shape['Idempotency-Key'] = z
      .string()
      .min(1)
      .max(255)
      .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/)
      .optional()
      .meta({
        description: 'A key of your choice. Requests with the same key are executed only once.',
        examples: ['order-7741-attempt-1'],
      });
  }
  if (304 in operation.answers) {
    shape['If-None-Match'] = z
      .string()
      .optional()
      .meta({
        description: 'ETags of stored records. If one matches, the response is 304.',
        examples: ['"3q2-7wR1mB0Zk9sT5uVxYA"'],
      });
  }
  if (operation.errors.includes('precondition_failed')) {
    shape['If-Match'] = z
      .string()
      .optional()
      .meta({
        description: 'ETag of the record that you read. If the record has changed since, the request fails with 412.',
        examples: ['"3q2-7wR1mB0Zk9sT5uVxYA"'],
      });
  }
  for (const [name, { description, schema }] of Object.entries(operation.requestHeaders ?? {}))
    shape[name] = schema.meta({ description }).optional();
  return Object.keys(shape).length === 0 ? null : z.object(shape);
}

function describeBody(body: NonNullable<PublicOperation['body']>) {
  const mediaTypes = body.mediaTypes ?? ['application/json'];
  const limit = body.maxBytes === null ? 'Of any size.' : `At most ${sizeText(body.maxBytes ?? 65_536)}.`;
  return {
    description: `${body.description} ${limit}`,
    required: body.required ?? true,
    content: Object.fromEntries(
      mediaTypes.map((mediaType, index) => {
        const examples = Object.entries(body.examples ?? {}).filter(([, example]) =>
          example.mediaType === undefined ? index === 0 : example.mediaType === mediaType,
        );
        const shown = Object.fromEntries(examples.map(([name, { summary, value }]) => [name, { summary, value }]));
        return [
          mediaType,
          {
            schema: isJson(mediaType) ? body.schema : z.string(),
            ...(examples.length === 0 ? {} : { examples: shown }),
          },
        ];
      }),
    ),
  };
}

function describeAnswers(operation: PublicOperation): ZodOpenApiOperationObject['responses'] {
  const answers: Record<string, unknown> = { ...failureAnswers(operation) };
  for (const [status, answer] of Object.entries(operation.answers)) {
    answers[status] = joined(describeAnswer(answer), answers[status] as FailureAnswer | undefined);
  }
  return answers as ZodOpenApiOperationObject['responses'];
}

function describeAnswer(answer: PublicOperation['answers'][number]): ZodOpenApiResponseObject {
  const { schema, mediaType = 'application/json', moreMediaTypes = [], headers = {} } = answer;
  const shape = Object.fromEntries(
    Object.entries(headers).map(([name, header]) => {
      const described = header.schema.meta({ description: header.description });
      return [name, header.required === true ? described : described.optional()];
    }),
  );
  return {
    description: answer.description,
    ...(Object.keys(shape).length === 0 ? {} : { headers: z.object(shape) }),
    ...(schema === undefined
      ? {}
      : {
          content: {
            [mediaType]: { schema: isJson(mediaType) ? schema : schemaOfFile(mediaType) },
            ...Object.fromEntries(moreMediaTypes.map((type) => [type, { schema: schemaOfFile(type) }])),
          },
        }),
  };
}

function schemaOfFile(mediaType: string): z.ZodType {
  return isText(mediaType) ? z.string() : z.string().meta({ format: 'binary' });
}

/** An operation may use a status both for its own response and for a problem. */
function joined(answer: ZodOpenApiResponseObject, failure: FailureAnswer | undefined): ZodOpenApiResponseObject {
  if (failure === undefined || !('content' in failure)) return answer;
  return {
    ...answer,
    description: `${answer.description}\n\n${failure.description}`,
    content: { ...answer.content, ...failure.content },
  } as ZodOpenApiResponseObject;
}

function sizeText(bytes: number): string {
  const kib = Math.round(bytes / 1024);
  return kib >= 1024 ? `${Math.round(kib / 1024)} MiB` : `${kib} KiB`;
}

function isText(mediaType: string): boolean {
  return mediaType.startsWith('text/') || mediaType === 'application/x-ndjson';
}

function isJson(mediaType: string): boolean {
  return /[/+]json$/.test(mediaType);
}
