import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { landfallDocument } from '#services/api/docs/openapi/build-openapi.ts';

/** An answer as a client saw it. `body` null: it was not read, so only the head is checked. */
export type ObservedAnswer = { method: string; url: string; status: number; headers: Headers; body: string | null };

type Node = Record<string, unknown>;
type Described = { pointer: string; node: Node };
type Template = { path: string; pattern: RegExp; parameters: number; methods: ReadonlySet<string> };

export const publishedDocument = JSON.parse(JSON.stringify(landfallDocument())) as Node;

const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, logger: false });
addFormats.default(ajv);
ajv.addSchema({ ...publishedDocument, $id: 'landfall' });
const validators = new Map<string, ValidateFunction>();
const templates = readTemplates();

/** `fetch` for tests. Rejects if the answer doesn't match the published document. */
export async function checkedFetch(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init);
  const body =
    /[/+]json\b/.test(mediaTypeOf(response.headers)) || response.body === null ? await response.clone().text() : null;
  checkAnswer({ method: init.method ?? 'GET', url, status: response.status, headers: response.headers, body });
  return response;
}

/** Throws if the status, media type, headers or body of an answer under /v1 aren't documented. */
export function checkAnswer(answer: ObservedAnswer): void {
  const path = new URL(answer.url).pathname;
  if (!/^\/v1(\/|$)/.test(path)) return;
  const described = describe(answer, path);
  const mistakes = described === null ? problemMistakes(answer) : answerMistakes(answer, described);
  if (mistakes.length === 0) return;
  const shown = answer.body === null ? '' : `\n${answer.body.slice(0, 2000)}`;
  throw new Error(
    `The document doesn't allow this answer to ${answer.method} ${path}: ${answer.status}\n` +
      `${mistakes.join('\n')}${shown}`,
  );
}

/** Throws if the body of a delivery to a webhook endpoint isn't documented for its type, or a header is missing. */
export function checkDelivery(delivery: { headers: Readonly<Record<string, unknown>>; body: string }): void {
  const { type } = JSON.parse(delivery.body) as { type: string };
  const operation = nodeAt(pointerTo('webhooks', type, 'post'));
  if (operation === undefined) throw new Error(`The document has no webhook ${type}`);
  const parameters = operation.parameters as { name: string; required?: boolean }[];
  const missing = parameters.filter(({ name, required }) => required === true && !(name in delivery.headers));
  const validate = validatorOf(
    pointerTo('webhooks', type, 'post', 'requestBody', 'content', 'application/json', 'schema'),
  );
  if (missing.length === 0 && validate(JSON.parse(delivery.body))) return;
  const names = missing.map(({ name }) => `the header ${name} is missing`);
  throw new Error(
    `The document doesn't allow this delivery: ${[...names, ajv.errorsText(validate.errors)].join(', ')}\n` +
      delivery.body.slice(0, 2000),
  );
}

/** The documented answer for this status. Null: the address has no operation, so that any problem may be returned. */
function describe(answer: ObservedAnswer, path: string): Described | 'nothing' | null {
  const method = answer.method.toUpperCase() === 'HEAD' ? 'get' : answer.method.toLowerCase();
  const found = templates
    .filter(({ pattern, methods }) => pattern.test(path) && methods.has(method))
    .sort((left, right) => left.parameters - right.parameters)[0];
  if (found === undefined) return null;
  const pointer = pointerTo('paths', found.path, method, 'responses', String(answer.status));
  return resolve(pointer) ?? 'nothing';
}

/** An address without an operation returns only problems that need none. */
function problemMistakes(answer: ObservedAnswer): string[] {
  const allowed = [400, 401, 404, 405, 406, 408, 414, 415, 429, 431, 500, 503];
  if (!allowed.includes(answer.status))
    return [`${answer.status} is not documented for an address without an operation`];
  if (answer.status === 405 && answer.headers.get('allow') === null) return ['405 has no Allow'];
  return bodyMistakes(answer, '/components/schemas/Problem');
}

function answerMistakes(answer: ObservedAnswer, described: Described | 'nothing'): string[] {
  if (described === 'nothing') return ['this status is not documented'];
  const { node, pointer } = described;
  const mistakes = headerMistakes(answer, node);
  const content = node.content as Record<string, Node> | undefined;
  const isBodiless = answer.method.toUpperCase() === 'HEAD' || answer.status === 304 || answer.status === 204;
  if (content === undefined || isBodiless)
    return answer.body ? [...mistakes, 'there is a body, and none is documented'] : mistakes;
  const mediaType = mediaTypeOf(answer.headers);
  if (content[mediaType] === undefined)
    return [...mistakes, `${mediaType || 'no media type'}: documented are ${Object.keys(content).join(', ')}`];
  if (answer.body === null || !/[/+]json$/.test(mediaType)) return mistakes;
  return [...mistakes, ...bodyMistakes(answer, `${pointer}${pointerTo('content', mediaType, 'schema')}`)];
}

function headerMistakes(answer: ObservedAnswer, node: Node): string[] {
  const headers = (node.headers ?? {}) as Record<string, Node>;
  return Object.entries(headers).flatMap(([name, header]) => {
    const { node: described, pointer } =
      typeof header.$ref === 'string' ? deref(header.$ref) : { node: header, pointer: null };
    const value = answer.headers.get(name);
    if (value === null) return described.required === true ? [`the header ${name} is missing`] : [];
    const validate = pointer === null ? ajv.compile(described.schema as Node) : validatorOf(`${pointer}/schema`);
    return validate(value) ? [] : [`the header ${name} is ${value}: ${ajv.errorsText(validate.errors)}`];
  });
}

function bodyMistakes(answer: ObservedAnswer, pointer: string): string[] {
  let body: unknown;
  try {
    body = JSON.parse(answer.body ?? '');
  } catch {
    return ['the body is not JSON'];
  }
  const validate = validatorOf(pointer);
  if (validate(body)) return [];
  return (validate.errors ?? [])
    .slice(0, 10)
    .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
}

function validatorOf(pointer: string): ValidateFunction {
  const known = validators.get(pointer);
  if (known !== undefined) return known;
  const compiled = ajv.compile({ $ref: `landfall#${encodeURI(pointer)}` });
  validators.set(pointer, compiled);
  return compiled;
}

function readTemplates(): Template[] {
  return Object.entries(publishedDocument.paths as Record<string, Node>).map(([path, item]) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]*')}$`),
    parameters: path.split('{').length - 1,
    methods: new Set(Object.keys(item)),
  }));
}

function resolve(pointer: string): Described | null {
  const node = nodeAt(pointer);
  if (node === undefined) return null;
  return typeof node.$ref === 'string' ? deref(node.$ref) : { pointer, node };
}

function deref(reference: string): Described {
  const pointer = reference.slice(1);
  const node = nodeAt(pointer);
  if (node === undefined) throw new Error(`${reference} leads nowhere`);
  return { pointer, node };
}

function nodeAt(pointer: string): Node | undefined {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.reduce<Node | undefined>((node, step) => node?.[step] as Node | undefined, publishedDocument);
}

function pointerTo(...steps: string[]): string {
  return steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function mediaTypeOf(headers: Headers): string {
  return (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
