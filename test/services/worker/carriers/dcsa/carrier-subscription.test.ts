import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { buildSimulator } from '#infra/tools/simulator/server.ts';
import type { Connector } from '#services/worker/carriers/carrier.ts';
import { connectors } from '#services/worker/carriers/registry.ts';
import { runs } from '#test/support/run-scale.ts';
import { openFakeCarrier } from './fake-carrier.ts';

const { push }: Connector = connectors.dcsa;
if (push === undefined) throw new Error('the plain connector has no push');
const reader = push.reader(false);
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const secret = Buffer.alloc(48, 7).toString('base64');
const callbackUrl = 'http://landfall.test/hooks/dcsa/sub_x';
const signal = new AbortController().signal;

async function carrierThat(answer: Parameters<typeof openFakeCarrier>[0]) {
  const fake = await openFakeCarrier(answer);
  closing.push(fake.close);
  return { asked: fake.asked, api: push?.subscriptions(fake.context({ apiKey: 'key' }), signal) };
}

it('reads a delivery of Track & Trace 3.0 and the numbers that it names', () => {
  const raw = {
    eventID: 'e-1',
    eventDateTime: '2026-04-10T11:30:00+01:00',
    eventUpdatedDateTime: '2026-04-10T12:00:00Z',
    eventLocation: { UNLocationCode: 'GBSOU' },
    eventClassification: { eventType: 'EQUIPMENT', eventClassifier: 'ACTUAL', equipmentEventType: 'LOADED' },
    shipmentDetails: {
      documentReference: { type: 'BOOKING', reference: 'ABC709951' },
      additionalDocumentReferences: [{ type: 'TRANSPORT_DOCUMENT', reference: 'OOLU2771203440' }],
    },
    equipmentDetails: { equipmentReference: 'APZU4812090', emptyIndicator: 'LADEN' },
  };
  expect(reader.readBody(JSON.stringify({ events: [raw] }))).toEqual([
    { raw, named: { bookings: ['ABC709951'], bills: ['OOLU2771203440'], containers: ['APZU4812090'] } },
  ]);
  expect(reader.readEvents([raw])).toMatchObject([{ code: 'loaded', container: 'APZU4812090', empty: false }]);
});

describe('push subscriptions', () => {
  it('are created, found, listed, moved, rotated and deleted at the simulator', async () => {
    const simulator = buildSimulator({ seed: 'x', now: Date.now, voyageS: 50, stateFile: null, deliverEveryMs: null });
    closing.push(() => simulator.close());
    const { api } = await carrierThat(async (asked, response) => {
      const { statusCode, headers, body } = await simulator.inject({
        method: asked.method as 'GET',
        url: `/sim/dcsa${asked.url.pathname}`,
        ...(asked.body === '' ? {} : { payload: asked.body, headers: { 'content-type': 'application/json' } }),
      });
      response.writeHead(statusCode, { 'content-type': String(headers['content-type'] ?? 'text/plain') }).end(body);
    });
    if (api === undefined) throw new Error('no push');
    const made = await api.create({ callbackUrl, secret });
    if (!made.ok) throw new Error(made.detail);
    const { id } = made.value;
    expect(await api.find(id)).toEqual({ ok: true, value: { id, callbackUrl } });
    expect(await api.list()).toEqual({ ok: true, value: [{ id, callbackUrl }] });
    expect(await api.move(id, { callbackUrl: `${callbackUrl}2` })).toEqual({ ok: true, value: null });
    expect(await api.rotate(id, { secret })).toEqual({ ok: true, value: null });
    expect(await api.remove(id)).toEqual({ ok: true, value: null });
    for (const replied of [await api.find(id), await api.rotate(id, { secret }), await api.remove(id)]) {
      expect(replied).toMatchObject({ ok: false, gone: true, permanent: false });
    }
    expect(await api.create({ callbackUrl, secret: 'short' })).toMatchObject({ ok: false, permanent: true });
  });

  it.each([400, 429])('never reveal the secret, even if the carrier repeats it in a %i', async (status) => {
    const { api } = await carrierThat((asked, response) =>
      response.writeHead(status).end(JSON.stringify({ message: `bad ${JSON.parse(asked.body).secret}` })),
    );
    const replied = await api?.create({ callbackUrl, secret });
    expect(replied).toMatchObject({ ok: false, detail: expect.stringContaining('bad (hidden)') });
  });

  it('send exactly the requests that the standard defines', async () => {
    const { api, asked } = await carrierThat((one, response) => {
      const isList = one.method === 'GET' && one.url.pathname.endsWith('event-subscriptions');
      const status =
        one.method === 'DELETE' || one.url.pathname.endsWith('/secret') ? 204 : one.method === 'POST' ? 201 : 200;
      const body = isList ? '[]' : JSON.stringify({ subscriptionID: 'a/b', callbackUrl });
      response.writeHead(status, { 'content-type': 'application/json' }).end(status === 204 ? '' : body);
    });
    await api?.create({ callbackUrl, secret });
    await api?.find('a/b');
    await api?.list();
    await api?.move('a/b', { callbackUrl });
    await api?.rotate('a/b', { secret });
    await api?.remove('a/b');
    expect(asked.map(({ method, url, body }) => [method, url.pathname, body === '' ? null : JSON.parse(body)])).toEqual(
      [
        ['POST', '/v2/event-subscriptions', { callbackUrl, secret }],
        ['GET', '/v2/event-subscriptions/a%2Fb', null],
        ['GET', '/v2/event-subscriptions', null],
        ['PUT', '/v2/event-subscriptions/a%2Fb', { callbackUrl }],
        ['PUT', '/v2/event-subscriptions/a%2Fb/secret', { secret }],
        ['DELETE', '/v2/event-subscriptions/a%2Fb', null],
      ],
    );
    for (const { headers } of asked) expect(headers).toMatchObject({ apikey: 'key', 'api-version': '2' });
  });

  it.each([
    { status: 400, permanent: true },
    { status: 400, permanent: true, body: '{"message": "Tracking subscription not found"}' },
    { status: 403, permanent: true },
    { status: 404, permanent: true },
    { status: 405, permanent: true },
    { status: 501, permanent: true },
    { status: 401, permanent: false },
    { status: 500, permanent: false },
    { status: 200, permanent: false, body: '<html>' },
    { status: 200, permanent: false, body: '' },
    { status: 200, permanent: false, body: '{"hello": 1}' },
  ])('report the response $status $body', async ({ status, permanent, body = '{}' }) => {
    const { api } = await carrierThat((_one, response) => void response.writeHead(status).end(body));
    expect(await api?.create({ callbackUrl, secret })).toMatchObject({ ok: false, gone: false, permanent });
  });

  it('wait as long as a 429 demands without another call', async () => {
    const { api, asked } = await carrierThat(
      (_one, response) => void response.writeHead(429, { 'retry-after': '120' }).end(),
    );
    expect(await api?.list()).toMatchObject({ ok: false, retryAfterMs: 120_000 });
    const again = await api?.list();
    expect(again?.ok === false && (again.retryAfterMs ?? 0) > 100_000).toBe(true);
    expect(asked).toHaveLength(1);
  });
});

describe('a push delivery', () => {
  it('lists the numbers of its events', () => {
    const events = [
      {
        eventType: 'TRANSPORT',
        documentReferences: [
          { documentReferenceType: 'BKG', documentReferenceValue: 'B1' },
          { documentReferenceType: 'TRD', documentReferenceValue: 'T1' },
          { documentReferenceType: 'CBR', documentReferenceValue: 'R1' },
        ],
        references: [
          { referenceType: 'EQ', referenceValue: 'MSCU1234567' },
          { referenceType: 'FF', referenceValue: 'F1' },
        ],
      },
      { eventType: 'SHIPMENT', documentTypeCode: 'TRD', documentID: 'T2' },
      { eventType: 'SHIPMENT', documentTypeCode: 'CUS', documentID: 'C2' },
      { eventType: 'EQUIPMENT', equipmentReference: 'MSCU7654321' },
      null,
    ];
    const named = [
      { bookings: ['B1'], bills: ['T1'], containers: ['MSCU1234567'] },
      { bookings: [], bills: ['T2'], containers: [] },
      { bookings: [], bills: [], containers: [] },
      { bookings: [], bills: [], containers: ['MSCU7654321'] },
      { bookings: [], bills: [], containers: [] },
    ];
    for (const body of [events, { events }, { data: events }]) {
      expect(reader.readBody(JSON.stringify(body))?.map((item) => item.named)).toEqual(named);
    }
    expect(reader.readBody(JSON.stringify(events[1]))).toHaveLength(1);
  });

  it('is parsed for any content, each event separately and in order', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (values) => {
        const items = reader.readBody(JSON.stringify(values));
        expect(items).toHaveLength(values.length);
        const outcomes = reader.readEvents(items?.map(({ raw }) => raw) ?? []);
        expect(outcomes).toHaveLength(values.length);
        expect(outcomes.every((outcome) => 'reason' in outcome)).toBe(true);
      }),
      { numRuns: runs(200) },
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        const items = reader.readBody(text);
        expect(items === null || Array.isArray(items)).toBe(true);
      }),
      { numRuns: runs(200) },
    );
  });
});
