import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeClaimToken } from '#shared/core/members/claim-installation.ts';
import type { Json, TestApi } from '#test/support/api/api.ts';
import { browserPath } from '#test/support/browser/browser.ts';
import { password } from '#test/support/browser/dashboard.ts';
import { openPages, type Pages } from '#test/support/browser/pages.ts';
import { testCredentialKey } from '#test/support/core-context.ts';
import { type RunningService, startService } from '#test/support/processes.ts';
import { patienceMs } from '#test/support/until.ts';

const run = promisify(execFile);
const number = 'MAEU512384770';

/** The first day with a new installation: claim link, key, shipment, delivery. */
describe.skipIf(browserPath === null)('the first day', () => {
  let pages: Pages;
  let api: TestApi;
  let simulator: RunningService;
  let worker: RunningService | null = null;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    pages = await openPages({ SIMULATOR: 'on', REDIS_URL: '' });
    ({ api, browser } = pages);
    simulator = await startService('simulator', { SIMULATOR_PORT: '0', SIMULATOR_VOYAGE_S: '4' }, ['--control']);
    page = await browser.newPage();
    page.setDefaultTimeout(patienceMs);
  });
  afterAll(async () => {
    await worker?.kill();
    await simulator?.kill();
    await pages?.close();
  });

  const origins: string[] = [];

  it('leads from the claim link to a delivered shipment and a revoked key', async () => {
    page.on('request', (request) => origins.push(new URL(request.url()).origin));

    await page.goto(`${api.url}/claim#token=${await makeClaimToken(api.ctx.core)}`);
    await page.getByLabel('Your name').fill('Olga Owner');
    await page.getByLabel('Email').fill('olga@example.test');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Claim and sign in' }).click();
    await page.getByRole('button', { name: 'Olga Owner, user menu' }).waitFor();

    const first = await makeKey('ERP connector');
    expect(await curl(first, '/v1/shipments')).toMatchObject({ status: 200 });

    await page.goto(`${api.url}/add`);
    await page.getByRole('textbox', { name: 'Numbers' }).fill(number);
    await page.getByRole('button', { name: 'Track 1 shipment' }).click();
    await page.getByText('Registered', { exact: true }).first().waitFor();

    await page.getByRole('link', { name: 'Shipments', exact: true }).first().click();
    const row = page.getByRole('row').filter({ hasText: '512' });
    await row.getByText('Pending').waitFor();
    // Without a reload, the row shows what a worker brings. A busy machine may miss the first of it.
    worker = await startService('worker', {
      DATABASE_URL: api.serviceUrl,
      SIMULATOR: 'on',
      SIMULATOR_URL: simulator.url,
      CREDENTIAL_KEYS: `v1:${testCredentialKey}`,
      CADENCE_SCALE: '0.00001',
      WORKER_HEALTH_PORT: '0',
    });
    await row.getByText(/^(In transit|Arrived|Available for pickup|Out for delivery|Delivered)$/).waitFor();

    await row.getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    await page.getByRole('region', { name: 'Status' }).getByRole('heading', { name: 'Delivered' }).waitFor();
    await agreesWithTheApi(first);

    await page.goto(`${api.url}/configuration/keys`);
    await page.getByRole('link', { name: /ERP connector/ }).click();
    await page.getByRole('button', { name: 'Rotate key' }).click();
    await page.getByText('Key created').waitFor();
    const second = await storeSecret();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('Requests fail with revoked_api_key.').waitFor();
    await expect.poll(() => curl(second, '/v1/me')).toMatchObject({ status: 401, body: { code: 'revoked_api_key' } });

    expect([...new Set(origins)]).toEqual([api.url]);
  });

  async function makeKey(name: string): Promise<string> {
    await page.goto(`${api.url}/configuration/keys?panel=new`);
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('Key created').waitFor();
    return storeSecret();
  }

  async function storeSecret(): Promise<string> {
    const secret = ((await page.getByRole('region', { name: 'Secret' }).locator('code').textContent()) ?? '').trim();
    await page.getByRole('checkbox', { name: 'I have stored the secret' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Key created').waitFor({ state: 'detached' });
    return secret;
  }

  async function curl(secret: string, path: string): Promise<{ status: number; body: Json }> {
    const { stdout } = await run('curl', [
      '-sS',
      '-w',
      '\n%{http_code}',
      '-H',
      `Authorization: Bearer ${secret}`,
      api.url + path,
    ]);
    const at = stdout.lastIndexOf('\n');
    return { status: Number(stdout.slice(at)), body: JSON.parse(stdout.slice(0, at)) };
  }

  /** The page shows the same ports and events as the API. */
  async function agreesWithTheApi(secret: string): Promise<void> {
    const id = new URL(page.url()).pathname.split('/').at(-1);
    const { body: record } = await curl(secret, `/v1/shipments/${id}`);
    const { body: events } = await curl(secret, `/v1/shipments/${id}/events?limit=100`);
    expect(record.status).toBe('delivered');
    const map = page.getByRole('img', { name: record.origin.name }).first();
    expect(await map.getAttribute('aria-label')).toContain(record.destination.name);
    await page.getByText(`${events.data.length} events`).first().waitFor();
    expect(events.data.length).toBeGreaterThan(5);
  }
});
