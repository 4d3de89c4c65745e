import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import type { TestApi } from '#test/support/api/api.ts';
import { type SignedInMember, signedIn } from '#test/support/browser/dashboard.ts';
import {
  authorizeUrl,
  connect,
  listTools,
  newPkce,
  openAuthorize,
  redirectUri,
  refresh,
  requestOf,
  startOauthApi,
} from '#test/support/oauth/oauth-api.ts';

/** Responses of the sites, by address. A function fails or waits. */
const documents = new Map<string, () => Response | Promise<Response>>();
let fetched: string[] = [];

let api: TestApi;
let owner: SignedInMember;
beforeAll(async () => {
  api = await startOauthApi(
    {},
    {
      fetchDocument: async (url) => {
        fetched.push(String(url));
        const answer = documents.get(String(url));
        if (answer === undefined) throw new Error('no such site');
        return answer();
      },
    },
  );
  owner = await signedIn(api, 'owner', api.accountName);
});
afterAll(() => api.close());
beforeEach(() => {
  fetched = [];
});

let sites = 0;

/** A client whose document has these values. */
function site(more: Record<string, unknown> = {}, headers: Record<string, string> = {}): string {
  sites += 1;
  const id = `https://site-${sites}.example.com/client.json`;
  const body = { client_id: id, client_name: 'Documented app', redirect_uris: [redirectUri], ...more };
  documents.set(id, () => Response.json(body, { headers }));
  return id;
}

const opened = (id: string) => openAuthorize(authorizeUrl(api, id, newPkce()), owner);

it('connects a client that is known by the document at its id, and names the host that vouches for it', async () => {
  const id = site();
  const { body } = await owner.ask('/dashboard/api/app-requests/read', {
    body: { request: requestOf(await opened(id)) },
  });
  expect(body).toMatchObject({ name: 'Documented app', verified_host: new URL(id).host });
  const key = encodeTypeId('key', (await api.createKey()).id);
  const app = await connect(api, owner, key, id);
  expect((await listTools(api, app.accessToken)).status).toBe(200);
  const { body: apps } = await owner.ask(`/dashboard/api/api-keys/${key}/apps`);
  expect(apps.data).toMatchObject([{ name: 'Documented app', verified_host: new URL(id).host }]);
  expect(fetched).toEqual([id]);
});

it('connects a stored client by what is stored while others use up what is fetched of its host', async () => {
  const id = site({}, { 'cache-control': 'no-store' });
  await opened(id);
  const waiting = Promise.withResolvers<void>();
  const others = [1, 2, 3, 4].map((number) => {
    const other = new URL(`other-${number}.json`, id).href;
    documents.set(other, () => waiting.promise.then(() => new Response('', { status: 404 })));
    return opened(other);
  });
  await vi.waitFor(() => expect(fetched).toHaveLength(5));
  expect(requestOf(await opened(id))).toContain(encodeURIComponent(id));
  expect(await opened(new URL('new.json', id).href)).toBe('/connect#error=temporarily_unavailable');
  waiting.resolve();
  await Promise.all(others);
});

it('refreshes without the document, which may be unreachable by then', async () => {
  const id = site({}, { 'cache-control': 'no-store' });
  const app = await connect(api, owner, encodeTypeId('key', (await api.createKey()).id), id);
  documents.delete(id);
  fetched = [];
  expect((await refresh(api, app)).status).toBe(200);
  expect(fetched).toEqual([]);
  expect(await opened(id)).toBe('/connect#error=invalid_client');
});

it.each<[string, () => Response | Promise<Response>]>([
  [
    'is of another client',
    () => Response.json({ client_id: 'https://other.example.com/c', client_name: 'x', redirect_uris: [redirectUri] }),
  ],
  ['is too long', () => Response.json({ filler: 'a'.repeat(6000) })],
  [
    'has no end',
    () =>
      new Response(new ReadableStream({ pull: (sink) => sink.enqueue(new Uint8Array(1024)) }), {
        headers: { 'content-type': 'application/json' },
      }),
  ],
  ['is no JSON', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
  ['is broken', () => new Response('{', { headers: { 'content-type': 'application/json' } })],
  ['is missing', () => new Response('', { status: 404 })],
  ['redirects', () => Response.redirect('http://169.254.169.254/', 302)],
])('refuses a client whose document %s', async (_name, answer) => {
  const id = site();
  documents.set(id, answer);
  expect(await opened(id)).toBe('/connect#error=invalid_client');
});

it('refuses a client whose document can’t be stored, or names a dangerous redirect', async () => {
  expect(await opened(site({ client_name: 'a\u0000b' }))).toBe('/connect#error=invalid_client');
  expect(await opened(site({ redirect_uris: ['javascript:alert(1)'] }))).toBe('/connect#error=invalid_client');
  expect(await opened(site({ redirect_uris: ['http://app.example.com/cb'] }))).toBe('/connect#error=invalid_client');
  expect(await opened(site({ client_secret: 'x' }))).toBe('/connect#error=invalid_client');
});

it.each([
  'https://127.0.0.1/client.json',
  'https://10.0.0.1/client.json',
  'https://[::ffff:169.254.169.254]/client.json',
  'https://localhost/client.json',
  'https://user:pass@app.example.com/client.json',
  'https://app.example.com/../client.json',
  'https://app.example.com',
  'http://app.example.com/client.json',
])('fetches nothing for %s', async (id) => {
  expect(await opened(id)).toMatch(/^\/connect#error=invalid_client$/);
  expect(fetched).toEqual([]);
});
