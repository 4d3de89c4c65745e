import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readShipmentId } from '#shared/contract/record/shipment-id.ts';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { findTraces, readTrace } from '#shared/core/installation/find-traces.ts';
import { anyTrace } from '#test/support/api/any-trace.ts';
import { request } from '#test/support/api/http.ts';
import { checkedFetch } from '#test/support/api/openapi-checks.ts';
import { type OtlpReceiver, openOtlpReceiver, type ReceivedSpan } from '#test/support/api/otlp-receiver.ts';
import { type Installation, openInstallation } from '#test/support/installation.ts';
import { until } from '#test/support/until.ts';

/** The main use case from end to end, on one queue backend. */
export function describeJourney(backend: string, redisUrl: () => string | null): void {
  describe(`a shipment from registration to delivery, queue on ${backend}`, () => {
    let landfall: Installation;
    let receiver: OtlpReceiver;
    let shipmentId: string;
    let registrationTrace: string;

    beforeAll(async () => {
      receiver = await openOtlpReceiver();
      landfall = await openInstallation({ redisUrl: redisUrl(), env: { ...receiver.env, TRACE_STORE_SHARE: '1' } });
    });

    afterAll(async () => {
      await landfall?.close();
      await receiver?.close();
    });

    /** Sends only what the OpenAPI document shows. Every answer is checked against the document. */
    const send = (path: string, body?: object): Promise<Response> =>
      checkedFetch(landfall.api.url + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          authorization: `Bearer ${landfall.key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    /** Stored traces and queued jobs as text. */
    const stored = async (): Promise<string> => {
      const { rows: queued } = await landfall.core.store.system.query<{ text: string }>(
        `select format('%I.%I', schemaname, tablename) as text from pg_tables where schemaname = 'landfall_queue'`,
      );
      const texts: string[] = [];
      const admin = new pg.Client({ connectionString: landfall.core.databaseUrl });
      await admin.connect();
      for (const table of ['landfall.spans', 'landfall.trace_parts', ...queued.map((row) => row.text)]) {
        const { rows } = await admin.query<{ text: string }>(
          `select replace(t::text, '-', '') as text from ${table} as t`,
        );
        texts.push(...rows.map((row) => row.text));
      }
      await admin.end();
      return texts.join('\n');
    };
    const read = async (): Promise<WireShipment> => {
      const answer = await send(`/v1/shipments/${shipmentId}`);
      if (answer.status !== 200) throw new Error(`the shipment could not be read: ${await answer.text()}`);
      return (await answer.json()) as WireShipment;
    };

    it('registers with only the documented headers and leaves pending', async () => {
      const registration = { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: 'MAEU123456780' } };
      const registered = await send('/v1/shipments', registration);
      expect(registered.status).toBe(201);
      const record = (await registered.json()) as WireShipment;
      expect(record).toMatchObject({
        status: 'pending',
        transport_mode: 'ocean',
        carrier: 'MAEU',
        tracking: { state: 'queued' },
      });
      shipmentId = record.shipment_id;
      expect(registered.headers.get('location')).toBe(`/v1/shipments/${shipmentId}`);

      const moved = await until(read, (record) => record.status !== 'pending');
      expect(moved.tracking?.source).toBe('simulator:dcsa:maersk');
      const located = moved.events.find((event) => event.location?.unlocode);
      expect(located?.location).toMatchObject({
        unlocode: expect.stringMatching(/^[A-Z]{2}[A-Z0-9]{3}$/),
        lat: expect.any(Number),
        lng: expect.any(Number),
        timezone: expect.stringContaining('/'),
      });
    });

    it('reaches delivered without a status going back', async () => {
      const delivered = await until(read, (record) => record.status === 'delivered');
      expect(delivered.containers.length).toBeGreaterThan(0);
      expect(delivered.legs.length).toBeGreaterThan(0);
      const [departedAt = '', arrivedAt = ''] = [delivered.departure.actual?.at, delivered.arrival.actual?.at];
      expect(departedAt).not.toBe('');
      expect(departedAt < arrivedAt).toBe(true);
      const { rows } = await landfall.core.store.system.query<{ to_status: string }>(
        'select to_status from landfall.status_changes order by changed_at, id',
      );
      const order = ['booked', 'in_transit', 'arrived', 'available_for_pickup', 'out_for_delivery', 'delivered'];
      const ranks = rows.map((row) => order.indexOf(row.to_status));
      expect(ranks).toEqual([...ranks].sort((left, right) => left - right));
    });

    it('finds the shipment in the list by number, container and status', async () => {
      const container = (await read()).containers[0]?.number ?? '';
      for (const query of [
        'mbl=123456780',
        'mbl=MAEU123456780',
        `container=${container}`,
        'status=delivered,failed&transport_mode=ocean&carrier=MAEU&limit=1',
      ]) {
        const answer = await send(`/v1/shipments?${query}`);
        const { data } = (await answer.json()) as { data: { shipment_id: string }[] };
        expect([query, data.map((row) => row.shipment_id)]).toEqual([query, [shipmentId]]);
      }
    });

    it('returns the same to an MCP client, by B/L and by container', async () => {
      const client = new Client({ name: 'journey', version: '1.0.0' });
      const transport = new StreamableHTTPClientTransport(new URL(`${landfall.api.url}/v1/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${landfall.key}` } },
      });
      await client.connect(transport as Parameters<Client['connect']>[0]);
      const { tools } = await client.listTools();
      expect(tools.map((tool) => tool.name).sort()).toEqual(['get_shipment_details', 'list_shipments_summary']);
      const record = await read();
      for (const identifier of ['MAEU123456780', record.containers[0]?.number, shipmentId]) {
        const { structuredContent } = await client.callTool({
          name: 'get_shipment_details',
          arguments: { identifier },
        });
        expect(structuredContent).toMatchObject({ shipment_id: shipmentId, status: 'delivered' });
      }
      const list = await client.callTool({ name: 'list_shipments_summary', arguments: { status: ['delivered'] } });
      expect(list.structuredContent).toMatchObject({ total: 1, counts_by_status: { delivered: 1 } });
      await client.close();
    });

    it('writes one trace from the POST to the worker’s SQL, and new traces for later refreshes', async () => {
      const post = await receiver.waitFor((span) => span.kind === 2 && span.name === 'POST /v1/shipments');
      registrationTrace = post.traceId;
      const ofRegistration = (span: ReceivedSpan) => span.traceId === registrationTrace;
      await receiver.waitFor((span) => ofRegistration(span) && span.name === 'refresh-shipment');
      await receiver.waitFor(
        (span) =>
          ofRegistration(span) &&
          span.service === 'landfall-worker' &&
          span.kind === 3 &&
          'http.request.method' in span.attributes,
      );
      await receiver.waitFor(
        (span) => ofRegistration(span) && span.service === 'landfall-worker' && 'db.system.name' in span.attributes,
      );
      // A queue that takes more than a quarter of a second leaves the job to the sweep, which has a trace of its own.
      const isLeft = ({ name }: ReceivedSpan) => name.includes('release-first-claims');
      for (const kind of [4, 5])
        await receiver.waitFor((span) => ofRegistration(span) && (span.kind === kind || isLeft(span)));
      const spans = receiver.spans.filter(ofRegistration);
      expect(spans.filter((span) => span.parentSpanId === null).map((span) => span.name)).toEqual([
        'POST /v1/shipments',
      ]);
      expect(new Set(spans.map((span) => span.service))).toEqual(new Set(['landfall-api', 'landfall-worker']));

      const later = await receiver.waitFor(
        (span) => span.name === 'refresh-shipment' && span.traceId !== registrationTrace,
      );
      expect(later.parentSpanId).toBeNull();
      expect(later.links.map((link) => link.traceId)).toEqual([registrationTrace]);
    });

    it('names spans and attributes by the semantic conventions', async () => {
      const ofRegistration = receiver.spans.filter((span) => span.traceId === registrationTrace);
      const find = (fits: (span: ReceivedSpan) => boolean) => ofRegistration.find(fits)?.attributes;
      const whose = {
        'account.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
        'shipment.id': shipmentId,
        'carrier.code': 'MAEU',
      };
      expect(find((span) => span.kind === 2)).toMatchObject({
        'http.request.method': 'POST',
        'http.route': '/v1/shipments',
        'http.response.status_code': 201,
        ...whose,
      });
      // The sweep's trace has them if the first job was left to it.
      const produced = await receiver.waitFor((span) => span.kind === 4);
      expect(produced.attributes).toMatchObject({ 'messaging.system': 'bullmq' });
      const consumed = await receiver.waitFor((span) => span.kind === 5);
      expect(consumed.attributes).toMatchObject({ 'messaging.system': 'bullmq' });
      expect(find((span) => span.name === 'refresh-shipment')).toMatchObject({
        ...whose,
        'refresh.outcome': expect.any(String),
      });
      expect(find((span) => 'db.system.name' in span.attributes)).toMatchObject({ 'db.system.name': 'postgresql' });
      expect(find((span) => span.kind === 3 && span.attributes['http.request.method'] === 'GET')).toMatchObject({
        'http.response.status_code': 200,
        'server.address': '127.0.0.1',
      });
    });

    it('stores the same complete trace and finds it by its shipment', async () => {
      const namesOf = async () =>
        (await readTrace(landfall.core.ctx, registrationTrace))?.spans.map((span) => `${span.service}: ${span.name}`) ??
        [];
      await until(
        namesOf,
        (names) =>
          names.includes('landfall-api: POST /v1/shipments') && names.includes('landfall-worker: refresh-shipment'),
      );
      // Either side may have some of the spans before the other.
      const missing = async (): Promise<string[]> => {
        const inStore = (await readTrace(landfall.core.ctx, registrationTrace))?.spans ?? [];
        const exported = receiver.spans.filter((span) => span.traceId === registrationTrace);
        const nameOf = ({ spanId, name }: { spanId: string; name: string }) => `${name} ${spanId}`;
        const [left, right] = [new Set(inStore.map(nameOf)), new Set(exported.map(nameOf))];
        return [...left.symmetricDifference(right)];
      };
      await until(missing, (names) => names.length === 0);
      const stored = await readTrace(landfall.core.ctx, registrationTrace);
      expect(stored?.spans.filter((span) => span.depth === 0).map((span) => span.name)).toEqual(['POST /v1/shipments']);
      const found = await findTraces(landfall.core.ctx, { ...anyTrace, shipmentId: readShipmentId(shipmentId) });
      expect(found.length).toBeGreaterThan(1);
      expect(found.find((trace) => trace.traceId === registrationTrace)).toMatchObject({
        name: 'POST /v1/shipments',
        services: ['landfall-api', 'landfall-worker'],
        carrier: 'MAEU',
      });
      const last = (await read()).tracking?.trace_id ?? '';
      await until(
        () => readTrace(landfall.core.ctx, last),
        (trace) => trace !== null,
      );
    });

    it('puts a requested refresh into the trace of its request', async () => {
      const act = (verb: string) =>
        fetch(`${landfall.api.url}/v1/shipments/${shipmentId}/${verb}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${landfall.key}` },
        });
      // A queue that takes more than a quarter of a second leaves the refresh to the sweep: then it is requested again.
      const requests = new Set<string | null>();
      const refreshed = async (): Promise<ReceivedSpan | undefined> => {
        const refreshes = () => receiver.spans.filter(({ name }) => name === 'refresh-shipment');
        const before = refreshes().length;
        expect((await act('stop')).status).toBe(200);
        const answer = await act('resume');
        expect(answer.status).toBe(200);
        requests.add(answer.headers.get('x-trace-id'));
        await until(
          async () => refreshes().length,
          (count) => count > before,
        );
        return refreshes().find(({ traceId }) => requests.has(traceId));
      };
      const asked = (await until(refreshed, (span) => span !== undefined)) as ReceivedSpan;
      expect(asked.service).toBe('landfall-worker');
      // Through the queue.
      for (const kind of [4, 5]) await receiver.waitFor((span) => span.traceId === asked.traceId && span.kind === kind);
      expect(asked.links.map((link) => link.traceId)).toEqual([registrationTrace]);
    });

    it('puts no key, secret or payload into traces or logs', async () => {
      const { tracking } = await read();
      // A key sent by mistake in a path and in a query.
      expect((await request(`${landfall.api.url}/v1/${landfall.key}`, { key: landfall.key })).status).toBe(404);
      expect(
        (await request(`${landfall.api.url}/v1/shipments?api_key=${landfall.key}`, { key: landfall.key })).status,
      ).toBe(400);
      expect(tracking?.trace_id).toMatch(/^[0-9a-f]{32}$/);
      // A trace may be lost: later requests follow until one of them has arrived at both.
      const later = new Set<string | null>();
      const hasArrived = async () => {
        const { headers } = await request(`${landfall.api.url}/v1/shipments?q=last`, { key: landfall.key });
        later.add(headers.get('x-trace-id'));
        const exported = receiver.spans.filter(({ traceId, kind }) => kind === 2 && later.has(traceId));
        const text = exported.length === 0 ? '' : await stored();
        return exported.some(({ traceId }) => text.includes(traceId));
      };
      await until(hasArrived, (found) => found);
      const everything = [
        ...receiver.bodies,
        await stored(),
        landfall.api.output(),
        landfall.worker?.output() ?? '',
      ].join('\n');
      expect(everything.length).toBeGreaterThan(1000);
      for (const secret of [landfall.key, landfall.key.slice(9), 'Bearer ', '123456780'])
        expect(everything.includes(secret), `found ${secret}`).toBe(false);
    });

    it('ends the API and the worker within their shutdown deadline', async () => {
      // After the deadline they would exit with 1.
      expect(await Promise.all([landfall.api.stop(), landfall.worker?.stop()])).toEqual([0, 0]);
    });
  });
}
