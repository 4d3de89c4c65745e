import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { playTestJourney } from '#services/worker/carriers/test/play-test-journey.ts';
import { readShipmentId, toShipmentId } from '#shared/contract/record/shipment-id.ts';
import { questionLimits } from '#shared/core/carriers/ask-worker.ts';
import { setCarrierCredentials } from '#shared/core/carriers/set-carrier-credentials.ts';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { maxProofBytes } from '#shared/domain/carriers/proof.ts';
import type { ProofKind, StatedProof } from '#shared/domain/events/event.ts';
import { ensureAccount } from '#shared/store/system/accounts.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { signedIn } from '#test/support/browser/dashboard.ts';
import { startAnsweringWorker } from '#test/support/carriers/answering-worker.ts';
import { deliverParcel } from '#test/support/carriers/delivered-parcel.ts';
import {
  documentCredentials,
  fedexDocument,
  startDocumentCarrier,
  upsDocument,
} from '#test/support/carriers/document-carrier.ts';
import { refresh } from '#test/support/carriers/refreshed-shipment.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

type Carrier = Awaited<ReturnType<typeof startDocumentCarrier>>;

const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(3000)]);
const jpeg = Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), randomBytes(3000)]);
const gif = Buffer.concat([Buffer.from('GIF89a'), randomBytes(3000)]);
const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(3000)]);

let api: TestApi;
let database: pg.Client;
let carrier: Carrier;
let worker: Awaited<ReturnType<typeof startAnsweringWorker>>;
/** Response of the carrier; each test sets it. */
let respond: Parameters<typeof startDocumentCarrier>[0];

beforeAll(async () => {
  api = await startTestApi({ REDIS_URL: '' }, { openDatabase: ownDatabase, answerWaitMs: 30_000 });
  database = new pg.Client({ connectionString: api.databaseUrl });
  await database.connect();
  carrier = await startDocumentCarrier((asked, response) => respond(asked, response));
  worker = await startAnsweringWorker(api.serviceUrl, carrier.addresses);
});
afterAll(async () => {
  await worker?.close();
  carrier?.close();
  await database.end();
  await api.close();
});
beforeEach(() => {
  carrier.asked.length = 0;
  respond = (_asked, response) => response.writeHead(500).end();
});

type Code = keyof typeof documentCredentials;

/** An account with credentials at one carrier, and its parcel. */
async function newParcel(code: Code, proof: StatedProof[], { withCredentials = true, ...changes }: Json = {}) {
  const { core } = api.ctx;
  const { accountId } = await withSystem(core.store, (tx) => ensureAccount(tx, crypto.randomUUID()));
  const { secret } = await createApiKey(core, accountId, { name: 'reader', test: false, scopes: ['shipments:read'] });
  const owner = { accountId, keyId: null, scopes: [], test: false, requestId: 'req_test', idempotency: null };
  if (withCredentials)
    await setCarrierCredentials(core, owner, { carrier: code, values: { ...documentCredentials[code] } });
  const parcel = await deliverParcel(core, accountId, { carrier: code, facts: { proof }, ...changes });
  const get = (id: string, init: RequestInit = {}) =>
    api.request(`/v1/shipments/${toShipmentId(parcel.shipmentId)}/proof/${id}`, {
      ...init,
      headers: { authorization: `Bearer ${secret}`, ...(init.headers as Record<string, string>) },
    });
  return { ...parcel, secret, get };
}

const stated = (kind: ProofKind, handle: string | null = null, piece: string | null = null) => ({
  kind,
  handle,
  piece,
});

async function problemOf(response: Response): Promise<Json> {
  const { status, code, detail } = (await response.json()) as Json;
  return { status, code, detail };
}

const openQuestions = async (accountId: string): Promise<number> => {
  const { rows } = await database.query(
    'select count(*)::integer as open from landfall.worker_questions where account_id = $1',
    [accountId],
  );
  return rows[0].open;
};

const json = (text: string): typeof respond => {
  return (_asked, response) => response.setHeader('content-type', 'application/json').end(text);
};

describe('a document', () => {
  const base64 = (bytes: Buffer) => bytes.toString('base64');
  const of = (number: string): [Code, ProofKind, string | null, Buffer, string, string, string][] => [
    ['ups', 'signature', null, gif, 'image/gif', upsDocument(number, { signature: { image: base64(gif) } }), 'gif'],
    ['ups', 'photo', null, jpeg, 'image/jpeg', upsDocument(number, { deliveryPhoto: { photo: base64(jpeg) } }), 'jpg'],
    ['ups', 'document', null, pdf, 'application/pdf', upsDocument(number, { pod: { content: base64(pdf) } }), 'pdf'],
    ['fedex', 'signature', null, png, 'image/png', fedexDocument(base64(png)), 'png'],
    ['fedex', 'document', null, pdf, 'application/pdf', fedexDocument(base64(pdf), base64(png)), 'pdf'],
  ];
  const number = '1Z999AA10123456784';

  it.each(of(number))('of %s, a %s, is fetched on request and stored nowhere', async (...row) => {
    const [code, kind, handle, document, mediaType, answer, extension] = row;
    respond = json(answer);
    const { accountId, shipmentId, get } = await newParcel(code, [stated(kind, handle)], { number });
    const response = await get(kind);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': mediaType,
      'content-length': String(document.length),
      'content-disposition': `inline; filename="${toShipmentId(shipmentId)}-${kind}.${extension}"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(document)).toBe(true);
    expect(carrier.asked.length).toBe(1);
    expect(carrier.asked[0]?.headers.authorization).toBe('Bearer fine');
    expect(await openQuestions(accountId)).toBe(0);
    expect((await database.query('select 1 from landfall.proofs')).rows).toEqual([]);
  });

  it('of DHL is fetched from the address that the response named, with the key', async () => {
    respond = (_asked, response) => response.setHeader('content-type', 'text/html').end(png);
    const { get } = await newParcel('dhl', [stated('signature', `${carrier.origin}/pod/1?hwb=x%2By`)]);
    const response = await get('signature');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(Buffer.from(await response.arrayBuffer()).equals(png)).toBe(true);
    expect(carrier.asked).toMatchObject([{ url: '/pod/1?hwb=x%2By', headers: { 'dhl-api-key': 'the secret' } }]);
  });

  it('of a piece is requested by the number of the piece', async () => {
    const [first, second] = ['1Z999AA10000000001', '1Z999AA10000000002'];
    respond = ({ url }, response) => {
      const piece = url.includes(first) ? first : second;
      const image = base64(piece === first ? png : gif);
      response.end(upsDocument(piece, { signature: { image } }));
    };
    const { get } = await newParcel('ups', [stated('signature', null, second), stated('signature', null, first)]);
    expect((await get('signature')).headers.get('content-type')).toBe('image/png');
    expect((await get('signature_2')).headers.get('content-type')).toBe('image/gif');
    expect(carrier.asked.map(({ url }) => url)).toEqual([
      expect.stringContaining(`${first}?locale=en_US&returnSignature=true`),
      expect.stringContaining(`${second}?locale=en_US&returnSignature=true`),
    ]);
  });

  it('of a test shipment is a small one that the release contains', async () => {
    const { core } = api.ctx;
    const { secret } = await api.createKey({ test: true, scopes: ['shipments:read', 'shipments:write'] });
    const headers = { authorization: `Bearer ${secret}` };
    const body = { transport_mode: 'parcel', carrier: 'ups', identifiers: { tracking_number: 'TEST-POD' } };
    const { shipment_id: id } = await jsonOf(await api.post('/v1/shipments', body, headers));
    const subject = { accountId: api.accountId, shipmentId: readShipmentId(id) ?? '' };
    const played = { ...subject, transportMode: 'parcel', identifiers: body.identifiers, testSteps: 20 } as const;
    await refresh(core, subject, playTestJourney({ ...played, createdAt: new Date().toISOString() }));
    const { delivery } = await jsonOf(await api.request(`/v1/shipments/${id}`, { headers }));
    expect(delivery.proof.map((proof: Json) => proof.id)).toEqual(['signature', 'photo']);
    for (const { id: proofId } of delivery.proof) {
      const response = await api.request(`/v1/shipments/${id}/proof/${proofId}`, { headers });
      expect([proofId, response.status, response.headers.get('content-type')]).toEqual([proofId, 200, 'image/png']);
      expect((await response.arrayBuffer()).byteLength).toBeLessThan(2000);
    }
    expect(carrier.asked).toEqual([]);
  });

  it('is not fetched by HEAD, which says whether it exists', async () => {
    const { get } = await newParcel('ups', [stated('signature')]);
    expect((await get('signature', { method: 'HEAD' })).status).toBe(200);
    expect((await get('photo', { method: 'HEAD' })).status).toBe(404);
    expect(carrier.asked).toEqual([]);
  });

  it('is for the keys of its own account and mode only', async () => {
    const { accountId, shipmentId, get } = await newParcel('ups', [stated('signature')]);
    const other = await newParcel('ups', [stated('signature')]);
    const mode = { name: 'test', test: true, scopes: ['shipments:read' as const] };
    const { secret } = await createApiKey(api.ctx.core, accountId, mode);
    const path = `/v1/shipments/${toShipmentId(shipmentId)}/proof/signature`;
    for (const foreign of [other.secret, secret]) {
      const answer = await api.request(path, { headers: { authorization: `Bearer ${foreign}` } });
      expect(await problemOf(answer)).toMatchObject({ status: 404, code: 'shipment_not_found' });
    }
    await database.query('delete from landfall.shipments where id = $1', [shipmentId]);
    expect(await problemOf(await get('signature'))).toMatchObject({ status: 404, code: 'shipment_not_found' });
    expect(carrier.asked).toEqual([]);
  });

  it('is fetched for each of two clients that request it at once', async () => {
    respond = json(upsDocument(number, { signature: { image: base64(gif) } }));
    const { accountId, get } = await newParcel('ups', [stated('signature')], { number });
    const answers = await Promise.all([get('signature'), get('signature')]);
    for (const answer of answers) expect(Buffer.from(await answer.arrayBuffer()).equals(gif)).toBe(true);
    expect(await openQuestions(accountId)).toBe(0);
  });

  it('can be read by a viewer', async () => {
    respond = json(upsDocument('1Z999AA10123456999', { signature: { image: base64(png) } }));
    const { ask, accountId } = await signedIn(api, 'viewer', 'viewers of proof');
    const owner = { accountId, keyId: null, scopes: [], test: false, requestId: 'req_test', idempotency: null };
    await setCarrierCredentials(api.ctx.core, owner, { carrier: 'ups', values: { ...documentCredentials.ups } });
    const { shipmentId } = await deliverParcel(api.ctx.core, accountId, { number: '1Z999AA10123456999' });
    const { status, headers } = await ask(`/dashboard/api/v1/shipments/${toShipmentId(shipmentId)}/proof/signature`);
    expect([status, headers.get('content-type')]).toEqual([200, 'image/png']);
  });
});

describe('a response without a document', () => {
  const refusals: [string, Code, (number: string) => typeof respond, RegExp][] = [
    [
      'a file of 40 MB',
      'dhl',
      () => (_asked, response) => {
        response.setHeader('content-type', 'image/png');
        response.write(png);
        const block = Buffer.alloc(1024 * 1024);
        for (let count = 0; count < 40; count++) response.write(block);
        response.end();
      },
      /^DHL did not supply the document: the response of the carrier is larger than 5120 KiB\.$/,
    ],
    [
      'Base64 of a little more than 5 MiB',
      'ups',
      (number) =>
        json(upsDocument(number, { signature: { image: Buffer.alloc(maxProofBytes + 1000).toString('base64') } })),
      /^UPS did not supply the document: the document is larger than 5 MiB\.$/,
    ],
    [
      'a web page that claims to be an image',
      'dhl',
      () => (_asked, response) => response.setHeader('content-type', 'image/png').end('<html><script>1</script>'),
      /^DHL sent something that is not a PNG, JPEG, GIF or PDF file\.$/,
    ],
    [
      'text that is not Base64',
      'ups',
      (number) => json(upsDocument(number, { signature: { image: '...' } })),
      /^UPS did not supply the document: the carrier returned a document that is not Base64\.$/,
    ],
    [
      'a redirect',
      'dhl',
      () => (_asked, response) => response.writeHead(302, { location: `${carrier.origin}/elsewhere` }).end(),
      /^DHL did not supply the document: the carrier returned the unexpected status 302\.$/,
    ],
    [
      'an empty list',
      'fedex',
      () => json(fedexDocument()),
      /^FedEx did not supply the document: the carrier has no such document\.$/,
    ],
    [
      'the document of another package',
      'ups',
      () => json(upsDocument('1Z999AA10000000000', { signature: { image: png.toString('base64') } })),
      /^UPS did not supply the document: the carrier has no such document\.$/,
    ],
    [
      'a failure of the carrier',
      'ups',
      () => (_asked, response) => response.writeHead(503).end(),
      /^UPS did not supply the document: the carrier returned a server error \(503\)\.$/,
    ],
    [
      'a refusal that repeats the secret',
      'ups',
      () => (_asked, response) =>
        response
          .writeHead(403, { 'content-type': 'application/json' })
          .end('{"response":{"errors":[{"code":"1","message":"no right of the secret"}]}}'),
      /^UPS did not supply the document: the carrier refused access \(403\): no right of \(hidden\)\.$/,
    ],
  ];

  it.each(refusals)('is refused: %s', async (_what, code, answerFor, detail) => {
    const number = '1Z999AA10123456785';
    respond = answerFor(number);
    const { accountId, get } = await newParcel(code, [stated('signature', `${carrier.origin}/pod`)], { number });
    const problem = await problemOf(await get('signature'));
    expect(problem).toMatchObject({ status: 502, code: 'proof_unavailable' });
    expect(problem.detail).toMatch(detail);
    expect(new Set(carrier.asked.map(({ url }) => url)).size).toBe(1);
    expect(await openQuestions(accountId)).toBe(0);
  });

  it('is never requested from another address than that of the API', async () => {
    let isReached = false;
    const other = await startDocumentCarrier((_asked, response) => {
      isReached = true;
      response.end(png);
    });
    for (const handle of [
      `${other.origin}/pod`,
      'http://[::1]:9/pod',
      'file:///etc/passwd',
      'pod',
      '//127.0.0.1/pod',
    ]) {
      const { get } = await newParcel('dhl', [stated('document', handle)]);
      expect(await problemOf(await get('document'))).toMatchObject({ code: 'proof_unavailable' });
    }
    expect([isReached, carrier.asked]).toEqual([false, []]);
    other.close();
  });
});

describe('an answer without a document', () => {
  it('explains an id that the shipment does not have, and a missing delivery', async () => {
    const { get } = await newParcel('ups', [stated('signature'), stated('photo')]);
    expect(await problemOf(await get('document'))).toEqual({
      status: 404,
      code: 'proof_not_found',
      detail: 'Proof of delivery not found. This shipment has: signature, photo.',
    });
    const { get: getEarly } = await newParcel('ups', [stated('signature')], { delivered: false });
    expect(await problemOf(await getEarly('signature'))).toEqual({
      status: 404,
      code: 'proof_not_found',
      detail: 'This shipment has no proof of delivery yet. Retry after its delivery.',
    });
    for (const id of ['', '%00', 'signature%2F..', '__proto__', 'x'.repeat(90)])
      expect(await problemOf(await get(id))).toMatchObject({ status: 404 });
    expect(carrier.asked).toEqual([]);
  });

  it('explains missing credentials', async () => {
    const { get } = await newParcel('ups', [stated('signature')], { withCredentials: false });
    expect(await problemOf(await get('signature'))).toEqual({
      status: 409,
      code: 'carrier_credentials_missing',
      detail: 'The account has no credentials for this carrier. Add credentials.',
    });
  });

  it('explains the rate limit of the carrier, with its end', async () => {
    respond = (_asked, response) => response.writeHead(429, { 'retry-after': '30' }).end();
    const { get } = await newParcel('ups', [stated('signature')]);
    for (let count = 0; count < 2; count++) {
      const response = await get('signature');
      expect(await problemOf(response)).toMatchObject({ status: 429, code: 'carrier_rate_limited' });
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(20);
    }
    expect(carrier.asked.length).toBe(1);
  });
});

describe('explains a carrier that does not answer', () => {
  it('ends the call and forgets the question as soon as the client is gone', async () => {
    const ended = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    respond = (_asked, response) => {
      response.once('close', ended.resolve);
      begun.resolve();
    };
    const { accountId, get } = await newParcel('ups', [stated('signature')]);
    const leaving = new AbortController();
    const asked = get('signature', { signal: leaving.signal }).catch((error: unknown) => error);
    await begun.promise;
    leaving.abort();
    await asked;
    await ended.promise;
    await expect.poll(() => openQuestions(accountId)).toBe(0);
  });

  it('lets an account wait for a few documents at a time', async () => {
    const { maxOpen } = questionLimits.proof;
    const waiting: (() => void)[] = [];
    const number = '1Z999AA10123456786';
    const document = upsDocument(number, { signature: { image: png.toString('base64') } });
    respond = (_asked, response) => void waiting.push(() => response.end(document));
    const { accountId, get } = await newParcel('ups', [stated('signature')], { number });
    const asked = Array.from({ length: maxOpen }, () => get('signature'));
    await expect.poll(() => openQuestions(accountId)).toBe(maxOpen);
    expect(await problemOf(await get('signature'))).toMatchObject({ status: 503, code: 'account_busy' });
    respond = (_asked, response) => response.end(document);
    for (const answer of waiting) answer();
    await Promise.all(asked);
    expect((await get('signature')).status).toBe(200);
  });
});
