import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import pg from 'pg';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api/api.ts';
import { browserPath } from '#test/support/browser/browser.ts';
import { type SignedInMember, signedIn } from '#test/support/browser/dashboard.ts';
import { openPages, type Pages, signInOn, violationsInBothThemes } from '#test/support/browser/pages.ts';
import { freePort, registerClient, startOauthApi } from '#test/support/oauth/oauth-api.ts';
import { memoryProvider, openCallback } from '#test/support/oauth/sdk-provider.ts';
import { patienceMs } from '#test/support/until.ts';

const about = { name: 'landfall-test', version: '1' };
const desk = { width: 1440, height: 900 };

describe.skipIf(browserPath === null)('connecting an app', () => {
  let pages: Pages;
  let api: TestApi;
  let owner: SignedInMember;
  let context: BrowserContext;
  let page: Page;
  let callback: Awaited<ReturnType<typeof openCallback>>;
  let database: pg.Client;

  beforeAll(async () => {
    pages = await openPages({}, startOauthApi);
    ({ api } = pages);
    owner = await signedIn(api, 'owner', 'default');
    context = await pages.browser.newContext({ viewport: desk });
    page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    callback = await openCallback();
    database = new pg.Client({ connectionString: api.databaseUrl });
    await database.connect();
  });
  afterAll(async () => {
    await database?.end();
    await callback?.close();
    await pages?.close();
  });

  /** Answers the open request for access, and waits until the browser shows the app's page: until then it navigates. */
  async function answerConsent(button: 'Connect' | 'Deny'): Promise<URL> {
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.waitForURL(({ href }) => href.startsWith(callback.url));
    return callback.next();
  }

  const endpoint = () => new URL(`${api.url}/v1/mcp/oauth`);

  it('leads the SDK’s client, version 2, from the first request to a call, a refresh and the end', async () => {
    const provider = memoryProvider(callback.url);
    const transport = () => new ModernTransport(endpoint(), { authProvider: provider });
    const first = transport();
    await expect(new ModernClient(about).connect(first)).rejects.toThrow();
    expect(provider.stored.client.client_id).toMatch(/^[A-Za-z]{32}$/);

    await page.goto(provider.stored.opened[0]?.href ?? '');
    await signInOn(page, owner.email);
    await page.getByRole('heading', { name: 'Connect an app' }).waitFor();
    await page.getByText('Harbour assistant asks to read the shipments').waitFor();
    await page.getByText(new URL(callback.url).host).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Connect', exact: true }).isDisabled()).toBe(true);
    await page.getByLabel('API key').selectOption('new');
    await page.getByRole('button', { name: 'Create a key that reads shipments' }).click();
    expect(await violationsInBothThemes(page)).toEqual([]);
    const returned = await answerConsent('Connect');
    expect(returned.searchParams.get('iss')).toBe(endpoint().href);

    await first.finishAuth(returned.searchParams);
    const client = new ModernClient(about);
    await client.connect(transport());
    const asked = () => client.callTool({ name: 'list_shipments_summary', arguments: {} });
    expect((await asked()).structuredContent).toMatchObject({ shipments: [], total: 0 });

    const before = provider.stored.tokens.access_token;
    await database.query('update landfall.api_keys set expires_at = now() where parent_id is not null');
    const tokenOfCall = async () => {
      expect((await asked()).structuredContent).toMatchObject({ total: 0 });
      return provider.stored.tokens.access_token;
    };
    // An API remembers a token for less than a second.
    await expect.poll(tokenOfCall, { timeout: patienceMs }).not.toBe(before);

    await page.goto(`${api.url}/configuration/keys`);
    await page.getByRole('link', { name: 'Harbour assistant (connected app)' }).click();
    const apps = page.getByRole('region', { name: 'Connected apps' });
    await apps.getByText('connected by A owner').waitFor();
    expect(await violationsInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Disconnect Harbour assistant' }).click();
    await apps.getByText('None.').waitFor();
    const isRefused = () =>
      asked().then(
        () => false,
        () => true,
      );
    await expect.poll(isRefused, { timeout: patienceMs }).toBe(true);
    await client.close();
  });

  it('leads the SDK’s client, version 1, to a call with a key that exists', async () => {
    await api.createKey();
    const provider = memoryProvider(callback.url);
    const transport = () => new LegacyTransport(endpoint(), { authProvider: provider });
    const first = transport();
    await expect(new LegacyClient(about).connect(first as never)).rejects.toThrow('Unauthorized');
    await page.goto(provider.stored.opened[0]?.href ?? '');
    await page.getByLabel('API key').selectOption({ index: 1 });
    await first.finishAuth((await answerConsent('Connect')).searchParams.get('code') ?? '');
    expect(provider.stored.tokens.refresh_token).toMatch(/./);
    const client = new LegacyClient(about);
    await client.connect(transport() as never);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      'list_shipments_summary',
      'get_shipment_details',
    ]);
    await client.close();
  });

  it('lets a client notice a response of another issuer', async () => {
    const provider = memoryProvider(callback.url);
    const transport = new ModernTransport(endpoint(), { authProvider: provider });
    await expect(new ModernClient(about).connect(transport)).rejects.toThrow();
    const mixedUp = new URLSearchParams({ code: 'a-code', iss: 'https://other.example' });
    await expect(transport.finishAuth(mixedUp)).rejects.toThrow(/issuer/i);
    await expect(transport.finishAuth(new URLSearchParams({ code: 'a-code' }))).rejects.toThrow(/issuer|iss/i);
  });

  it('goes back to the app without a code when it is denied', async () => {
    const provider = memoryProvider(callback.url);
    await expect(
      new ModernClient(about).connect(new ModernTransport(endpoint(), { authProvider: provider })),
    ).rejects.toThrow();
    await page.goto(provider.stored.opened[0]?.href ?? '');
    const { searchParams } = await answerConsent('Deny');
    expect([searchParams.get('error'), searchParams.get('code')]).toEqual(['access_denied', null]);
  });

  it('shows a stranger’s name as text, in a page that no other frames', async () => {
    const client_name = '<script>document.title="taken"</script><b>Bank</b>';
    const id = await registerClient(api, { client_name });
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: id,
      redirect_uri: 'http://127.0.0.1:4321/callback',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    });
    const response = await page.goto(`${api.url}/oauth2/authorize?${query}`);
    await page.getByText(client_name).first().waitFor();
    expect(await page.title()).not.toBe('taken');
    expect(response?.headers()['content-security-policy']).toContain("frame-ancestors 'none'");
    await page.goto(`${api.url}/oauth2/authorize?${query}&redirect_uri=https://evil.example`);
    await page.getByRole('heading', { name: 'Can’t connect' }).waitFor();
    expect(new URL(page.url()).origin).toBe(api.url);
  });

  it('passes the conformance suite for authorization servers', async () => {
    const port = await freePort();
    const client = await registerClient(api, { redirect_uris: [`http://127.0.0.1:${port}/callback`] });
    const program = fileURLToPath(
      new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
    );
    const child = spawn(process.execPath, [
      program,
      'authorization',
      ...['--url', endpoint().href, '--client-id', client, '--resource', endpoint().href, '--port', String(port)],
      ...['--spec-version', '2026-07-28'],
    ]);
    let written = '';
    const opened = new Promise<string>((resolve) => {
      child.stdout.on('data', (chunk) => {
        written += String(chunk);
        const url = /http:\/\/\S+\/oauth2\/authorize\?\S+/.exec(written)?.[0];
        if (url !== undefined && written.includes('Waiting up to')) resolve(url);
      });
    });
    const ended = once(child, 'close');
    await page.goto(await opened);
    await page.getByLabel('API key').selectOption({ index: 1 });
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    const [code] = await ended;
    expect(code, written).toBe(0);
    expect(written).toContain('authorization-server-metadata-endpoint: 2 passed, 0 failed');
    expect(written).toContain('authorization-code-grant: 1 passed, 0 failed');
  });
});
