import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCarrierFetch, openCarrierAgent } from '#services/worker/calls/carrier-fetch.ts';
import { connectors } from '#services/worker/carriers/registry.ts';
import { connectorCodes } from '#shared/domain/carriers/carrier-catalogue.ts';
import { openContractCarrier } from './contract-carrier.ts';

/* Every connector reads its carrier's responses in any encoding, and says why it can't read one. */
type Encoding = { coding: string; encode: (text: string) => Buffer };

const agent = openCarrierAgent();
let carrier: Awaited<ReturnType<typeof openContractCarrier>>;
let encoding: Encoding;
/** The simulator's response to each path, which this server sends in another encoding. */
const replayed = new Map<string, string>();
const server = createServer((request, response) => {
  const text = replayed.get(request.url ?? '');
  if (text === undefined || request.method === 'HEAD') return void response.writeHead(404).end();
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding.coding });
  response.end(encoding.encode(text));
});
let baseUrl: string;

beforeAll(async () => {
  carrier = await openContractCarrier();
  await carrier.begin();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await carrier.close();
  await agent.destroy();
  server.close();
});

const pathOf = (url: string) => url.slice(new URL(url).origin.length);
const readable: Encoding[] = [
  { coding: 'br', encode: (text) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }) },
  { coding: 'zstd', encode: (text) => zstdCompressSync(text) },
  { coding: 'deflate, gzip', encode: (text) => gzipSync(deflateSync(text)) },
];
const unreadable: Encoding[] = [
  { coding: 'sdch', encode: (text) => Buffer.from(text) },
  { coding: 'br', encode: (text) => Buffer.from(text) },
  { coding: 'gzip', encode: (text) => gzipSync(text).subarray(0, -9) },
];

describe.each(connectorCodes)('%s', (connector) => {
  const refresh = async (chosen: Encoding) => {
    encoding = chosen;
    const { settings, fetch: direct, ...others } = carrier.contextOf(connector);
    const { maxBodyBytes } = connectors[connector];
    const encoded = createCarrierFetch(agent, { settings: { baseUrl, authUrl: null }, maxBodyBytes });
    const token = settings.authUrl;
    const fetch: typeof direct = (url, request) =>
      token !== null && url.startsWith(token) ? direct(url, request) : encoded(`${baseUrl}${pathOf(url)}`, request);
    return carrier.fetch(connector, { context: { ...others, settings, fetch } });
  };

  it('reads responses in br, zstd and two encodings, and names one that it cannot read', async () => {
    carrier.received.length = 0;
    const plain = await carrier.fetch(connector);
    if (plain.outcome !== 'found') expect.fail(plain.outcome);
    for (const { url, text } of carrier.received) replayed.set(pathOf(url), text);
    for (const one of readable) {
      const read = await refresh(one);
      expect(read).toMatchObject({ outcome: 'found', reading: plain.reading });
    }
    for (const one of unreadable) {
      expect(await refresh(one)).toMatchObject({
        outcome: 'error',
        reason: 'unrecognized_response',
        httpStatus: 200,
        detail: expect.stringMatching(/content encoding \(sdch\)|not valid (br|gzip)/),
      });
    }
  });
});
