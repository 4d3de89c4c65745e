import { codeBlock } from './markdown-html.ts';
import { landfallDocument } from './openapi/build-openapi.ts';
import { type Schema, schemaFields, typeWords } from './schema-words.ts';

type Parameter = { in: string; name: string; required?: boolean; description?: string; schema: Schema };
type Content = Record<string, { schema?: Schema; examples?: Record<string, { value?: unknown }> }>;
type Body = { description?: string; required?: boolean; content: Content };
type Answer = { $ref?: string; description?: string; content?: Content };
type Operation = {
  tags: string[];
  summary: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: Body;
  responses: Record<string, Answer>;
};
type Document = {
  info: { title: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Answer> };
};

/** The OpenAPI document in Markdown: its introduction, every operation by tag, and every named schema. */
export function referenceMarkdown(): string {
  const document = landfallDocument() as unknown as Document;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ line: `${method.toUpperCase()} ${path}`, operation })),
  );
  const webhooks = Object.entries(document.webhooks).map(([name, { post }]) => ({
    line: `POST to your endpoint: ${name}`,
    operation: post as Operation,
  }));
  const tags = document.tags.map(({ name, description }) => {
    const own = [...operations, ...webhooks].filter(({ operation }) => operation.tags.includes(name));
    return [`## ${name}`, description, ...own.map((one) => operationSection(document, one))].join('\n\n');
  });
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) =>
    [`### ${name}`, schemaFields(schema)].join('\n\n'),
  );
  return [
    `# ${document.info.title} API`,
    // The document knows addresses of pages; agents get their Markdown twins.
    document.info.description.replaceAll('(/docs/errors)', '(/docs/errors.md)'),
    ...tags,
    '## Schemas',
    'A field that may be null is always present. `?` marks a field that may be left out.',
    ...schemas,
    '',
  ].join('\n\n');
}

type Named = { line: string; operation: Operation };

function operationSection(document: Document, { line, operation }: Named): string {
  const { summary, description, parameters = [], requestBody, responses } = operation;
  const parts = [`### ${summary}`, `\`${line}\``, description];
  if (parameters.length > 0) parts.push(`Parameters:\n\n${parameters.map(parameterLine).join('\n')}`);
  if (requestBody !== undefined) parts.push(...bodyParts(requestBody));
  parts.push(`Responses:\n\n${Object.entries(responses).map(answerLine(document)).join('\n')}`);
  return parts.filter((part) => part !== undefined).join('\n\n');
}

function parameterLine({ in: place, name, required = false, description = '', schema }: Parameter): string {
  return `- \`${name}\` (${place}${required ? ', required' : ''}): ${typeWords(schema)}. ${oneLine(description)}`.trim();
}

function bodyParts({ description = '', content }: Body): string[] {
  const types = Object.entries(content).map(([type, { schema }]) => `${type}, ${typeWords(schema ?? {})}`);
  const first = Object.values(content).flatMap(({ examples = {} }) => Object.values(examples))[0]?.value;
  const body = `Body (${types.join('; ')}): ${oneLine(description)}`;
  if (first === undefined) return [body];
  const text = typeof first === 'string' ? first : JSON.stringify(first, null, 2);
  return [body, codeBlock({ name: 'Body', language: typeof first === 'string' ? 'text' : 'json', text })];
}

function answerLine({ components }: Document) {
  return ([status, answer]: [string, Answer]): string => {
    const name = answer.$ref?.split('/').at(-1);
    const { description = '', content = {} } = name === undefined ? answer : (components.responses[name] ?? {});
    const schemas = Number(status) < 400 ? Object.values(content).map(({ schema }) => typeWords(schema ?? {})) : [];
    const body = schemas.length === 0 ? '' : ` ${[...new Set(schemas)].join(' or ')}.`;
    return `- \`${status}\`:${body} ${oneLine(description)}`;
  };
}

function oneLine(text: string): string {
  return text.replace(/\s*\n+\s*/g, ' ').trim();
}
