import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { type SignedInMember, signedIn } from '#test/support/browser/dashboard.ts';
import { uniqueNumber } from '#test/support/core-context.ts';
import { hostileTexts } from '#test/support/hostile-texts.ts';

let api: TestApi;
let key: { authorization: string };
let owner: SignedInMember;
let member: SignedInMember;

beforeAll(async () => {
  api = await startTestApi();
  owner = await signedIn(api, 'owner', api.accountName);
  member = await signedIn(api, 'member', api.accountName);
  key = { authorization: `Bearer ${(await api.createKey({ scopes: ['shipments:read', 'shipments:write'] })).secret}` };
});
afterAll(() => api.close());

async function registered(): Promise<string> {
  const body = { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: uniqueNumber() } };
  return (await jsonOf(await api.post('/v1/shipments', body, key))).shipment_id;
}

const send = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  api.request(path, {
    method,
    ...(body && { body: JSON.stringify(body) }),
    headers: { ...key, ...(body && { 'content-type': 'application/json' }), ...headers },
  });
const read = async (path: string): Promise<Json> => jsonOf(await send('GET', path));
const notesOf = (shipmentId: string) => `/v1/shipments/${shipmentId}/notes`;

describe('notes over REST', () => {
  it('are added, listed, edited and deleted, and the feed says so without their text', async () => {
    const shipment = await registered();
    const text = `@${member.userId} <img src=x onerror=alert(1)> **bold**\nsecond line`;
    const answer = await send('POST', notesOf(shipment), { text: `  ${text}  ` });
    expect(answer.status).toBe(201);
    const note = await jsonOf(answer);
    expect(note).toMatchObject({
      object: 'note',
      shipment_id: shipment,
      author: { type: 'api_key', id: expect.stringMatching(/^key_/) },
      text,
      mentions: [{ member_id: member.userId, name: 'A member', has_left: false }],
      edited_at: null,
    });
    const path = `${notesOf(shipment)}/${note.note_id}`;
    expect(await jsonOf(await send('PATCH', path, { text: 'short' }))).toMatchObject({ text: 'short', edits: 1 });
    expect(await read(`/v1/shipments/${shipment}`)).toMatchObject({ notes_count: 1, assignee: null });
    expect((await send('DELETE', path)).status).toBe(204);
    expect(await jsonOf(await send('DELETE', path))).toMatchObject({ status: 404, code: 'note_not_found' });
    expect(await read(notesOf(shipment))).toMatchObject({ data: [], page: { has_more: false, next_cursor: null } });
    const bundle = await (await send('GET', `/v1/shipments/${shipment}/bundle`)).text();
    expect(bundle).not.toContain('onerror');
    expect(bundle).toContain('note.deleted');
  });

  it('page from the newest to the oldest', async () => {
    const shipment = await registered();
    for (const text of ['1', '2', '3', '4', '5']) await send('POST', notesOf(shipment), { text });
    const texts: string[] = [];
    for (let next: string | null = `${notesOf(shipment)}?limit=2`; next !== null; ) {
      const answer = await send('GET', next);
      texts.push(...(await jsonOf(answer)).data.map((note: Json) => note.text));
      next = /<([^>]+)>/.exec(answer.headers.get('link') ?? '')?.[1] ?? null;
    }
    expect(texts).toEqual(['5', '4', '3', '2', '1']);
    const other = await registered();
    expect((await send('GET', `${notesOf(other)}?cursor=WzEsIjIiXQ`)).status).toBe(400);
    const bundle = await (await send('GET', `/v1/shipments/${shipment}/bundle`)).text();
    expect(bundle.split('\n').filter((line) => line.startsWith('{"part":"note"'))).toHaveLength(5);
  });

  it('are added once for an Idempotency-Key, which keeps no text', async () => {
    const shipment = await registered();
    const headers = { 'idempotency-key': uniqueNumber() };
    const [first, again] = [
      await send('POST', notesOf(shipment), { text: 'once-and-for-all' }, headers),
      await send('POST', notesOf(shipment), { text: 'once-and-for-all' }, headers),
    ];
    expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 201, 'true']);
    const { note_id: id } = await jsonOf(first);
    expect((await jsonOf(again)).note_id).toBe(id);
    expect((await read(notesOf(shipment))).data).toHaveLength(1);
    const other = await send('POST', notesOf(await registered()), { text: 'once-and-for-all' }, headers);
    expect(await jsonOf(other)).toMatchObject({ status: 422, code: 'idempotency_mismatch' });
    await send('DELETE', `${notesOf(shipment)}/${id}`);
    const gone = await send('POST', notesOf(shipment), { text: 'once-and-for-all' }, headers);
    expect(await jsonOf(gone)).toMatchObject({ status: 404, code: 'note_not_found' });
    const { rows } = await api.ctx.core.store.system.query(
      `select from landfall.idempotency where response::text like '%once-and-for-all%'`,
    );
    expect(rows).toEqual([]);
  });

  it('keep hostile texts as text, and refuse values that are no text', async () => {
    const shipment = await registered();
    for (const text of hostileTexts) {
      const answer = await send('POST', notesOf(shipment), { text });
      expect([201, 400], text.slice(0, 40)).toContain(answer.status);
      const { status, ...body } = { status: answer.status, ...(await jsonOf(answer)) };
      if (status === 201) expect(body.text).toBe(text.trim());
    }
    for (const text of ['', '  ', 'x'.repeat(4001), 'nul\u0000', 7, null])
      expect(await jsonOf(await send('POST', notesOf(shipment), { text } as object))).toMatchObject({
        code: 'validation_failed',
        errors: [{ pointer: '/text' }],
      });
  });

  it('of other authors are protected from members and keys; owners and keys with shipments:delete may delete them', async () => {
    const shipment = await registered();
    const { note_id: id } = await jsonOf(await send('POST', notesOf(shipment), { text: 'of the key' }));
    const path = `/dashboard/api${notesOf(shipment)}/${id}`;
    expect((await member.ask(path, { method: 'DELETE' })).body.code).toBe('not_the_author');
    expect((await member.ask(path, { method: 'PATCH', body: { text: 'x' } })).body.code).toBe('not_the_author');
    expect((await owner.ask(path, { method: 'PATCH', body: { text: 'x' } })).body.code).toBe('not_the_author');
    expect((await owner.ask(path, { method: 'DELETE' })).status).toBe(204);
    const mine = await member.ask(`/dashboard/api${notesOf(shipment)}`, { method: 'POST', body: { text: 'mine' } });
    const place = `${notesOf(shipment)}/${mine.body.note_id}`;
    expect((await send('DELETE', place)).status).toBe(403);
    const { secret } = await api.createKey({ scopes: ['shipments:write', 'shipments:delete'] });
    expect((await send('DELETE', place, undefined, { authorization: `Bearer ${secret}` })).status).toBe(204);
  });
});

describe('assignment over REST', () => {
  it('is a field of the record and the list, a filter of lists, counts and exports, and a change of its own', async () => {
    const shipment = await registered();
    const people = (await read('/v1/members')).data;
    expect(people.map(({ member_id }: Json) => member_id)).toEqual(
      expect.arrayContaining([owner.userId, member.userId]),
    );
    const assigned = await send('PATCH', `/v1/shipments/${shipment}`, { assignee: member.userId, tags: ['desk'] });
    const assignee = { member_id: member.userId, name: 'A member' };
    expect(await jsonOf(assigned)).toMatchObject({ assignee, tags: ['desk'] });
    const [etag, matching] = [assigned.headers.get('etag'), await send('GET', `/v1/shipments/${shipment}`)];
    expect(matching.headers.get('etag')).toBe(etag);
    expect(await jsonOf(matching)).toMatchObject({ assignee });
    const filter = `assignee=${member.userId}&tag=desk`;
    expect((await read(`/v1/shipments?${filter}`)).data).toMatchObject([{ shipment_id: shipment, assignee }]);
    expect((await read(`/v1/shipments/counts?${filter}`)).total).toBe(1);
    expect((await read(`/v1/shipments/counts?assignee=none&tag=desk`)).total).toBe(0);
    const csv = await (await send('GET', `/v1/shipments/export?${filter}&format=csv`)).text();
    expect(csv).toContain(`A member,${member.userId},0`);
    const own = await member.ask('/dashboard/api/v1/shipments?assignee=me');
    expect(own.body.data).toMatchObject([{ shipment_id: shipment }]);
    expect((await owner.ask('/dashboard/api/v1/shipments?assignee=me')).body.data).toEqual([]);
  });

  it('refuses strangers, and me without a signed-in user, with a remedy', async () => {
    const shipment = await registered();
    for (const assignee of ['user_01kahf3m2xfr5tq4d8z9w6c7yb', 'me', 'Anna', 7])
      expect(await jsonOf(await send('PATCH', `/v1/shipments/${shipment}`, { assignee } as object))).toMatchObject({
        code: 'validation_failed',
        errors: [{ pointer: '/assignee', detail: expect.stringContaining(assignee === 7 ? '' : '/v1/members') }],
      });
    const mine = await read('/v1/shipments?assignee=me');
    expect(mine).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '?assignee' }] });
    expect(await read('/v1/shipments?assignee=Anna')).toMatchObject({ code: 'validation_failed' });
    const endpoint = { url: 'https://example.com/hooks', filter: { assignee: ['me'] } };
    const refused = await owner.ask('/dashboard/api/v1/webhook-endpoints', { method: 'POST', body: endpoint });
    expect(refused.body).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/filter/assignee/0' }] });
  });
});
