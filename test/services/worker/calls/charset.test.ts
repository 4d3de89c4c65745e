import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCarrierFetch, openCarrierAgent } from '#services/worker/calls/carrier-fetch.ts';
import { outcomeOfAnswer } from '#services/worker/calls/carrier-http.ts';
import { jsonValue } from '#services/worker/carriers/json-response.ts';
import { patienceMs } from '#test/support/until.ts';

const said = { city: 'Köln, Ærø, Malmö' };
const agent = openCarrierAgent();
let contentType: string | undefined;
let bytes: Buffer;
const server = createServer((_request, response) => {
  response.writeHead(200, contentType === undefined ? {} : { 'content-type': contentType });
  response.end(bytes);
});
let baseUrl: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await agent.destroy();
  server.close();
});

async function ask(type: string | undefined, encoding: BufferEncoding) {
  contentType = type;
  bytes = Buffer.from(JSON.stringify(said), encoding);
  const fetch = createCarrierFetch(agent, { settings: { baseUrl, authUrl: null }, maxBodyBytes: 65_536 });
  return fetch(`${baseUrl}/`, { signal: AbortSignal.timeout(patienceMs) });
}

it.each([
  ['application/json; charset=ISO-8859-1', 'latin1'],
  ['application/json;charset="iso-8859-1"', 'latin1'],
  ['application/json; charset=windows-1252; profile=x', 'latin1'],
  ['application/json; charset=utf-16le', 'utf16le'],
  ['application/json; charset=UTF-8', 'utf8'],
  ['application/json', 'utf8'],
  [undefined, 'utf8'],
] as const)('reads names in the charset that the response states: %s', async (type, encoding) => {
  expect(jsonValue(await ask(type, encoding))).toEqual(said);
});

it('calls a response in an unknown charset unreadable and reads nothing of it', async () => {
  const response = await ask('application/json; charset=x-ebcdic-37', 'latin1');
  expect(response.text).toBe('');
  expect(outcomeOfAnswer(response)).toBe('unreadable');
  expect(() => jsonValue(response)).toThrow('the response of the carrier has an unknown charset (x-ebcdic-37)');
});
