import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { uniqueNumber } from '#test/support/core-context.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api?.close());

async function register(changes: object = {}): Promise<string> {
  const body = { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: uniqueNumber() }, ...changes };
  return `/v1/shipments/${(await jsonOf(await api.post('/v1/shipments', body))).shipment_id}`;
}

const send = (path: string, init: { method: string; body?: object; ifMatch?: string }) =>
  api.request(path, {
    method: init.method,
    ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
    headers: {
      ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(init.ifMatch === undefined ? {} : { 'if-match': init.ifMatch }),
    },
  });
const patch = (path: string, body: object, ifMatch?: string) =>
  send(path, { method: 'PATCH', body, ...(ifMatch === undefined ? {} : { ifMatch }) });
const tagOf = async (path: string) => (await api.request(path)).headers.get('etag') ?? '';
const readOf = async (path: string): Promise<Json> => jsonOf(await api.request(path));

describe('If-Match', () => {
  it('updates the record that was read, and returns the ETag for the next update', async () => {
    const path = await register();
    const first = await patch(path, { reference: `A-${path}` }, await tagOf(path));
    expect(first.status).toBe(200);
    expect(first.headers.get('etag')).toBe(await tagOf(path));
    expect((await patch(path, { tags: ['b'] }, first.headers.get('etag') ?? '')).status).toBe(200);
  });

  it('refuses with 412 a change that was based on an older record, and changes nothing', async () => {
    const path = await register();
    const read = await tagOf(path);
    await patch(path, { tags: ['another client'] });
    const refused = await patch(path, { tags: ['mine'] }, read);
    expect([refused.status, (await jsonOf(refused)).code]).toEqual([412, 'precondition_failed']);
    expect(await readOf(path)).toMatchObject({ tags: ['another client'], version: 2 });
  });

  it('lets one of several updates through that read the same record', async () => {
    const path = await register();
    const read = await tagOf(path);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => patch(path, { tags: [`client ${n}`] }, read)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412, 412, 412]);
    expect((await readOf(path)).version).toBe(2);
  });

  it.each(['stop', 'resume', 'cancel', 'refresh'])('is evaluated by %s', async (verb) => {
    const path = await register();
    const read = await tagOf(path);
    await patch(path, { tags: ['x'] });
    expect((await send(`${path}/${verb}`, { method: 'POST', ifMatch: read })).status).toBe(412);
    const accepted = await send(`${path}/${verb}`, { method: 'POST', ifMatch: await tagOf(path) });
    expect(accepted.status).toBeLessThan(300);
    expect(accepted.headers.get('etag')).toBe(await tagOf(path));
  });

  it('is evaluated by DELETE', async () => {
    const path = await register();
    const read = await tagOf(path);
    await patch(path, { tags: ['x'] });
    expect((await send(path, { method: 'DELETE', ifMatch: read })).status).toBe(412);
    expect((await readOf(path)).archived_at).toBeNull();
    expect((await send(path, { method: 'DELETE', ifMatch: await tagOf(path) })).status).toBe(204);
  });

  it('accepts any of several ETags and *, and no weak one', async () => {
    const path = await register();
    const read = await tagOf(path);
    expect((await patch(path, {}, `"other", ${read}`)).status).toBe(200);
    expect((await patch(path, {}, '*')).status).toBe(200);
    expect((await patch(path, {}, `W/${read}`)).status).toBe(412);
    expect((await patch(path, {}, 'nonsense')).status).toBe(412);
  });

  it("does not reveal whether another account's shipment exists", async () => {
    const answer = await patch('/v1/shipments/shp_01kahf3m2xfr5tq4d8z9w6c7yb', {}, '"x"');
    expect([answer.status, (await jsonOf(answer)).code]).toEqual([404, 'shipment_not_found']);
  });
});

describe('tags_add and tags_remove', () => {
  it('change single tags and keep the others', async () => {
    const path = await register({ tags: ['a', 'b'] });
    const changed = await jsonOf(await patch(path, { tags_add: ['c', 'a'], tags_remove: ['b', 'unknown'] }));
    expect(changed).toMatchObject({ tags: ['a', 'c'], version: 2 });
    expect(await jsonOf(await patch(path, { tags_add: ['a'], tags_remove: ['b'] }))).toMatchObject({ version: 2 });
  });

  it('lose no tag when twenty clients each add one', async () => {
    const path = await register();
    const tags = Array.from({ length: 20 }, (_, n) => `tag ${n}`);
    await Promise.all(tags.map((tag) => patch(path, { tags_add: [tag] })));
    expect((await readOf(path)).tags.toSorted()).toEqual(tags.toSorted());
    const refused = await patch(path, { tags_add: ['one more'] });
    expect([refused.status, (await jsonOf(refused)).errors]).toMatchObject([
      400,
      [{ pointer: '/tags_add', code: 'too_long' }],
    ]);
    expect((await patch(path, { tags_add: ['one more'], tags_remove: ['tag 0'] })).status).toBe(200);
  });

  it.each([
    [{ tags: ['a'], tags_add: ['b'] }, '/tags'],
    [{ tags: null, tags_remove: ['b'] }, '/tags'],
    [{ tags_add: ['b'], tags_remove: ['b'] }, '/tags_remove'],
  ])('refuse the contradiction in %j', async (body, pointer) => {
    const answer = await patch(await register(), body);
    expect([answer.status, (await jsonOf(answer)).errors]).toMatchObject([400, [{ pointer, code: 'contradiction' }]]);
  });
});
