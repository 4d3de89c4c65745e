import fc from 'fast-check';
import { brokenArbitrary, type Json, junk, schemaArbitrary } from './schema-arbitrary.ts';

export type GeneratedRequest = {
  operation: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | null;
};

export type RequestPool = {
  /** Authorization headers. The first two, live and test, are used most often. */
  keys: readonly [string, string, ...string[]];
  /** Existing values of path parameters by name; `test_<name>` for addresses of test mode. */
  ids: Readonly<Record<string, readonly string[]>>;
};

// biome-ignore lint/suspicious/noExplicitAny: the OpenAPI document is traversed from its root
type Document = any;
type Parameter = { name: string; in: string; schema: Record<string, unknown> };

/** Requests for every operation of the document, from valid ones to ones that no client should send. */
export function requestArbitrary(document: Document, pool: RequestPool): fc.Arbitrary<GeneratedRequest> {
  const operations = Object.entries<Document>(document.paths).flatMap(([path, item]) =>
    Object.entries<Document>(item).map(([method, operation]) =>
      ofOperation({ document, path, method, operation }, pool),
    ),
  );
  return fc.oneof(...operations);
}

type Place = { document: Document; path: string; method: string; operation: Document };

function ofOperation(place: Place, pool: RequestPool): fc.Arbitrary<GeneratedRequest> {
  const { document, operation, method } = place;
  const parameters: Parameter[] = operation.parameters ?? [];
  return fc
    .record({
      path: pathArbitrary(place, pool),
      query: queryArbitrary(
        parameters.filter((parameter) => parameter.in === 'query'),
        document,
      ),
      key: fc.oneof(
        { weight: place.path.includes('/test/') ? 5 : 10, arbitrary: fc.constant(pool.keys[0]) },
        { weight: place.path.includes('/test/') ? 20 : 5, arbitrary: fc.constant(pool.keys[1]) },
        { weight: 1, arbitrary: fc.constantFrom(...pool.keys) },
      ),
      headers: headerArbitrary(),
      body: bodyArbitrary(operation.requestBody?.content ?? null, { document, method }),
    })
    .map(({ path, query, key, headers, body }) => ({
      operation: operation.operationId,
      method: method.toUpperCase(),
      path: query === '' ? path : `${path}?${query}`,
      headers: {
        ...(key === '' ? {} : { authorization: key }),
        ...(body === null ? {} : { 'content-type': body.mediaType }),
        ...headers,
      },
      body: body?.text ?? null,
    }));
}

/** Known ids of one address are of the same turn of `makeThings`, because one may belong to another. */
function pathArbitrary(place: Place, pool: RequestPool): fc.Arbitrary<string> {
  return fc.nat().chain((turn) => pathOfTurn(place, pool, turn));
}

function pathOfTurn({ path, document, operation }: Place, pool: RequestPool, turn: number): fc.Arbitrary<string> {
  const parts = path.split('/').map((part) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined) return fc.constant(part);
    const parameter = (operation.parameters as Parameter[]).find((one) => one.in === 'path' && one.name === name);
    const known = (path.includes('/test/') ? pool.ids[`test_${name}`] : undefined) ?? pool.ids[name] ?? [];
    return fc.oneof(
      ...(known.length === 0 ? [] : [{ weight: 12, arbitrary: fc.constant(known[turn % known.length] ?? '') }]),
      {
        weight: 1,
        arbitrary: schemaArbitrary(parameter?.schema ?? {}, document).map((value) => encodeText(String(value))),
      },
      {
        weight: 1,
        arbitrary: fc.oneof(
          junk.map((value) => encodeText(typeof value === 'object' ? JSON.stringify(value) : String(value))),
          fc.constantFrom('%00', '%ff', '%zz', '%2e%2e', '__proto__'),
        ),
      },
    );
  });
  return fc.tuple(...parts).map((chosen) => chosen.join('/'));
}

function queryArbitrary(parameters: readonly Parameter[], document: Document): fc.Arbitrary<string> {
  const pair = (name: string, value: fc.Arbitrary<unknown>) =>
    value.map((one) => `${name}=${encodeText([one].flat().map(asText).join(','))}`);
  const pairs = parameters.map(({ name, schema }) => {
    const valid = schemaArbitrary(schema, document);
    return fc.oneof(
      { weight: 5, arbitrary: pair(name, valid) },
      { weight: 1, arbitrary: pair(name, junk) },
      { weight: 1, arbitrary: pair(name, brokenArbitrary(valid)) },
    );
  });
  const odd = fc.oneof(
    fc.constantFrom(
      'zzz=1',
      '__proto__=1',
      'api_key=x',
      '%ff=1',
      'a=%zz',
      '&&&',
      '=',
      'limit[]=1',
      'limit=1&limit=2',
      'status=&status=',
      `q=${'a'.repeat(9000)}`,
    ),
    junk.map((value) => `${encodeText(asText(value))}=1`),
  );
  const some = pairs.length === 0 ? fc.constant<string[]>([]) : fc.array(fc.oneof(...pairs), { maxLength: 4 });
  return fc
    .tuple(some, rarely(odd, 10))
    .map(([chosen, extra]) => [...chosen, ...(extra === null ? [] : [extra])].join('&'));
}

function headerArbitrary(): fc.Arbitrary<Record<string, string>> {
  return fc
    .record({
      accept: rarely(
        fc.constantFrom(
          '*/*',
          'application/json',
          'text/html',
          'text/csv',
          'application/x-ndjson',
          'text/event-stream',
          'application/problem+json',
          'application/json;q=0',
          ',,;',
          'x',
        ),
        20,
      ),
      'idempotency-key': rarely(fc.constantFrom('one', 'two', 'a'.repeat(255), 'a'.repeat(256), ' ', 'é'), 20),
      'if-none-match': rarely(fc.constantFrom('*', '"x"', 'W/"y", "z"', 'not quoted', ','), 20),
      'content-encoding': rarely(fc.constantFrom('gzip', 'identity', 'x'), 50),
      'content-type': rarely(
        fc.constantFrom('text/plain', 'application/json; charset=latin1', 'x', 'application/json;;', ''),
        50,
      ),
      'mcp-protocol-version': rarely(fc.constantFrom('2026-07-28', '2025-06-18', 'x'), 5),
      'mcp-method': rarely(fc.constantFrom('tools/list', 'tools/call', 'x'), 5),
      traceparent: rarely(fc.constantFrom('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', 'x'), 20),
    })
    .map((headers) =>
      Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null)),
    );
}

type Body = { mediaType: string; text: string };

function bodyArbitrary(
  content: Record<string, Document> | null,
  { document, method }: { document: Document; method: string },
): fc.Arbitrary<Body | null> {
  if (method === 'get') return fc.constant(null);
  const odd = fc.oneof(
    fc.constantFrom('', '{', 'null', '[]', '{"__proto__":1}', '{"a":"\\u0000"}', `"${'a'.repeat(70_000)}"`),
    fc.string({ maxLength: 200 }),
  );
  const asJson = (value: unknown) => JSON.stringify(value) ?? '';
  if (content === null) {
    const body = fc
      .oneof(junk.map(asJson), odd, fc.constant('{}'))
      .map((text) => ({ mediaType: 'application/json', text }));
    return rarely(body, 2);
  }
  const bodies = Object.entries(content).map(([mediaType, { schema, examples = {} }]) => {
    const shown = Object.values<Document>(examples).map(({ value }) => value);
    const from =
      shown.length === 0
        ? []
        : [
            {
              weight: 2,
              arbitrary: fc.tuple(fc.constantFrom(...shown), fc.integer({ min: 1e8, max: 1e9 - 1 })).map(renumbered),
            },
          ];
    const valid = fc.oneof(...from, { weight: 1, arbitrary: schemaArbitrary(schema, document) });
    const text = (value: unknown) => (/[/+]json$/.test(mediaType) ? asJson(value) : asText(value));
    const lines = fc
      .array(fc.oneof(junk.map(asJson), valid.map(text)), { maxLength: 5 })
      .map((some) => some.join('\n'));
    const good = { weight: 4, arbitrary: valid.map(text) };
    const broken = { weight: 4, arbitrary: brokenArbitrary(valid).map(text) };
    return fc
      .oneof(good, broken, { weight: 1, arbitrary: odd }, { weight: 1, arbitrary: lines })
      .map((body) => ({ mediaType, text: body }));
  });
  return fc.option(fc.oneof(...bodies), { freq: 20, nil: null });
}

/** An example with another number, so that it registers a new shipment. */
function renumbered([example, number]: [Json, number]): Json {
  return JSON.parse(JSON.stringify(example).replaceAll(/\d{7,}/g, String(number)));
}

/** Undefined, except once in `max + 1` times. */
function rarely<T>(value: fc.Arbitrary<T>, max: number): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: max, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value });
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Percent-encoded. Lone surrogates, which no URL can contain, become U+FFFD. */
function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
