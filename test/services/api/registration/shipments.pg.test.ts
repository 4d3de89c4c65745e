import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { sendRaw } from '#test/support/api/raw-http.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const ocean = (mbl: string) => ({ transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl } });

describe('registering', () => {
  it('answers the example of the interface document with 201, Location and the record, even without a queue', async () => {
    const answer = await api.post('/v1/shipments', ocean('MAEU123456789'));
    expect(answer.status).toBe(201);
    const record = await jsonOf(answer);
    expect(record).toMatchObject({
      object: 'shipment',
      transport_mode: 'ocean',
      carrier: 'MAEU',
      identifiers: { mbl: 'MAEU123456789' },
      status: 'pending',
      tracking: { state: 'queued' },
    });
    expect(answer.headers.get('location')).toBe(`/v1/shipments/${record.shipment_id}`);
    expect(answer.headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/);
    expect(answer.headers.get('content-type')).toContain('application/json');
    const read = await api.request(answer.headers.get('location') ?? '');
    expect(await jsonOf(read)).toEqual(record);
  });

  it('accepts requests without an Accept header', async () => {
    const body = JSON.stringify(ocean('MAEU555000111'));
    const head = [
      'POST /v1/shipments HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${api.key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Connection: close',
    ];
    expect((await sendRaw(api.url, `${head.join('\r\n')}\r\n\r\n${body}`)).status).toBe(201);
  });

  it('returns the open shipment with the same number as 200 and reports it', async () => {
    const first = await jsonOf(await api.post('/v1/shipments', ocean('MAEU200000001')));
    const second = await api.post('/v1/shipments', ocean('MAEU200000001'));
    expect(second.status).toBe(200);
    expect(second.headers.get('existing-shipment')).toBe('true');
    expect((await jsonOf(second)).shipment_id).toBe(first.shipment_id);
  });

  it('returns one 201 and otherwise 200 to concurrent requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api.post('/v1/shipments', ocean('MAEU200000002'))),
    );
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    expect(new Set(await Promise.all(answers.map(async (answer) => (await jsonOf(answer)).shipment_id))).size).toBe(1);
  });

  it('replays the first response for the same Idempotency-Key and rejects another body', async () => {
    const headers = { 'idempotency-key': 'order-7741' };
    const first = await api.post('/v1/shipments', ocean('MAEU300000001'), headers);
    const again = await api.post('/v1/shipments', ocean('MAEU300000001'), headers);
    expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 201, 'true']);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(await jsonOf(again)).toEqual(await jsonOf(first));
    const other = await api.post('/v1/shipments', ocean('MAEU300000002'), headers);
    expect([other.status, (await jsonOf(other)).code]).toEqual([422, 'idempotency_mismatch']);
    const bad = await api.post('/v1/shipments', ocean('MAEU300000003'), { 'idempotency-key': 'x'.repeat(256) });
    expect([bad.status, (await jsonOf(bad)).code]).toEqual([400, 'validation_failed']);
  });

  it('names every mistake of a body at once', async () => {
    const answer = await api.post('/v1/shipments', {
      transport_mode: 'ocean',
      identifiers: { mbl: '' },
      refrence: 'x',
    });
    const problem = await jsonOf(answer);
    expect([answer.status, problem.code]).toEqual([400, 'validation_failed']);
    expect(problem.errors.map((mistake: { pointer: string }) => mistake.pointer)).toEqual(
      expect.arrayContaining(['/carrier', '/refrence']),
    );
  });
});

describe('reading', () => {
  it('answers 304 while the client’s copy is current', async () => {
    const { shipment_id } = await jsonOf(await api.post('/v1/shipments', ocean('MAEU400000001')));
    const path = `/v1/shipments/${shipment_id}`;
    const etag = (await api.request(path)).headers.get('etag') ?? '';
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await api.request(path, { headers: { 'if-none-match': header } });
      expect([answer.status, await answer.text()]).toEqual([304, '']);
    }
    expect((await api.request(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  it('answers a malformed ID, a missing one and one of the other mode alike', async () => {
    const { shipment_id } = await jsonOf(await api.post('/v1/shipments', ocean('MAEU400000002')));
    const testKey = await api.createKey({ test: true });
    const answers = [
      await api.request('/v1/shipments/nonsense'),
      await api.request('/v1/shipments/shp_01jc0000000000000000000000'),
      await api.request(`/v1/shipments/${shipment_id}`, { headers: { authorization: `Bearer ${testKey.secret}` } }),
    ];
    const problems = await Promise.all(
      answers.map(async (answer) => ({ ...(await jsonOf(answer)), request_id: '', trace_id: '' })),
    );
    expect(problems[0]).toMatchObject({ status: 404, code: 'shipment_not_found' });
    expect(problems[1]).toEqual(problems[0]);
    expect(problems[2]).toEqual(problems[0]);
  });

  it('returns every shipment once when following the Link header', async () => {
    const made: string[] = [];
    for (let index = 0; index < 5; index++) {
      made.push(
        (await jsonOf(await api.post('/v1/shipments', { ...ocean(`MAEU50000000${index}`), tags: ['paging'] })))
          .shipment_id,
      );
    }
    const seen: string[] = [];
    let path: string | null = '/v1/shipments?tag=paging&limit=2&include_total=true';
    while (path !== null) {
      const answer: Response = await api.request(path);
      expect(answer.status).toBe(200);
      const page = await jsonOf(answer);
      expect(page.page).toMatchObject({ limit: 2, total: 5, has_more: page.page.next_cursor !== null });
      seen.push(...page.data.map((row: { shipment_id: string }) => row.shipment_id));
      path = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1] ?? null;
    }
    expect(seen).toEqual(made.toReversed());
  });

  it('rejects unknown parameters with the nearest name, invalid limits and cursors of other filters', async () => {
    const unknown = await jsonOf(await api.request('/v1/shipments?statuss=pending'));
    expect(unknown).toMatchObject({ status: 400, code: 'unknown_parameter' });
    expect(unknown.detail).toContain('Did you mean status?');
    expect(await jsonOf(await api.request('/v1/shipments?limit=101'))).toMatchObject({
      status: 400,
      code: 'validation_failed',
    });
    const { page } = await jsonOf(await api.request('/v1/shipments?limit=1'));
    expect(
      await jsonOf(await api.request(`/v1/shipments?limit=1&carrier=MAEU&cursor=${page.next_cursor}`)),
    ).toMatchObject({
      status: 400,
      code: 'invalid_cursor',
    });
    expect(await jsonOf(await api.request(`/v1/shipments?api_key=${api.key}`))).toMatchObject({
      status: 400,
      code: 'unknown_parameter',
    });
  });
});
