import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Receiver } from '#services/simulator/receiver/receiver-book.ts';
import type { TestApi } from '#test/support/api/api.ts';
import { browserPath } from '#test/support/browser/browser.ts';
import { claimApi } from '#test/support/browser/dashboard.ts';
import { openPages, type Pages, signInOn } from '#test/support/browser/pages.ts';
import { testCredentialKey, uniqueNumber } from '#test/support/core-context.ts';
import { type RunningService, startService } from '#test/support/processes.ts';
import { patienceMs, until } from '#test/support/until.ts';

/** Lets webhooks reach the simulator on this machine. */
const reachable = { WEBHOOK_ALLOW_HTTP: '1', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' };

describe.skipIf(browserPath === null)('webhooks in the dashboard', () => {
  let pages: Pages;
  let api: TestApi;
  let browser: Browser;
  let page: Page;
  let simulator: RunningService;
  let worker: RunningService;

  beforeAll(async () => {
    pages = await openPages({ SIMULATOR: 'on', REDIS_URL: '', ...reachable });
    ({ api, browser } = pages);
    simulator = await startService('simulator', { SIMULATOR_PORT: '0' });
    worker = await startService('worker', {
      DATABASE_URL: api.serviceUrl,
      SIMULATOR: 'on',
      SIMULATOR_URL: simulator.url,
      CREDENTIAL_KEYS: `v1:${testCredentialKey}`,
      WORKER_HEALTH_PORT: '0',
      ...reachable,
    });
    await claimApi(api);
    page = await browser.newPage();
    page.setDefaultTimeout(patienceMs);
  });
  afterAll(async () => {
    await worker?.kill();
    await simulator?.kill();
    await pages?.close();
  });

  const tell = (what: 'secrets' | 'behaviour', body: object) =>
    fetch(`${simulator.url}/receiver/healthy/${what}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const receiver = async () => {
    const { receivers } = (await (await fetch(`${simulator.url}/receiver`)).json()) as { receivers: Receiver[] };
    return receivers.find(({ name }) => name === 'healthy') as Receiver;
  };
  const register = async () => {
    const answer = await api.post('/v1/shipments', {
      transport_mode: 'ocean',
      carrier: 'MAEU',
      identifiers: { mbl: `MAEU${uniqueNumber()}` },
    });
    expect(answer.status).toBe(201);
  };
  const row = (text: string) => page.getByRole('row').filter({ hasText: text });

  it('creates an endpoint, shows why it fails once its receiver breaks, and replays what was missed', async () => {
    await page.goto(`${api.url}/developers/webhooks`);
    await signInOn(page, 'owner@example.test');
    await page.getByText('No webhook endpoints yet').waitFor();
    await page.getByRole('link', { name: 'New endpoint' }).first().click();
    await page.getByLabel('URL', { exact: true }).fill(`${simulator.url}/receiver/healthy`);
    await page.getByLabel('Description (optional)').fill('The receiver');
    await page.getByRole('button', { name: 'Create endpoint' }).click();

    // The secret is shown once, and leaving without it has to be confirmed.
    const secret = (await page.locator('[data-secret]').textContent()) ?? '';
    await tell('secrets', { secret });
    await page.getByRole('link', { name: 'Webhooks' }).first().click();
    await page.getByRole('button', { name: 'Stay' }).click();
    await page.getByText('I have stored the secret').click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { level: 1, name: 'The receiver' }).waitFor();
    expect(await page.content()).not.toContain(secret);

    await register();
    await row('Delivered').first().waitFor();

    await tell('behaviour', { behaviour: 'refusing' });
    await register();
    await page.getByText(/^Failing since/).waitFor();
    await row('HTTP 500').first().click();
    await page.getByText('The receiver answered 500. Only a status of 200 to 299 is a success.').waitFor();
    await page.getByText('This receiver is set to refuse deliveries.').first().waitFor();
    await page.getByText('Request body').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();

    await tell('behaviour', { behaviour: 'healthy' });
    await page.getByRole('button', { name: 'Replay…' }).click();
    await page.getByRole('button', { name: 'Start replay' }).click();
    await page.getByText('Replay queued').waitFor();
    await page.getByText(/^Failing since/).waitFor({ state: 'detached' });
    await page.getByText('Enabled', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Waiting for a retry' }).click();
    await page.getByText('No matching deliveries').waitFor();

    // Everything that arrived was signed with the secret that was shown, and each failure was sent again.
    const { latest } = await until(receiver, ({ latest }) => {
      const accepted = new Set(latest.filter(({ status }) => status === 200).map(({ id }) => id));
      return latest.every(({ id }) => accepted.has(id));
    });
    expect(latest.map(({ fault }) => fault)).toEqual(latest.map(() => null));
  });

  it('sends a test and shows what came back, rotates the secret, and says how to enable what was disabled', async () => {
    await tell('behaviour', { behaviour: 'gone' });
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText(/^Test failed: HTTP 410/).waitFor();
    await tell('behaviour', { behaviour: 'healthy' });
    await register();
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText(/^Test delivered: HTTP 200/).waitFor();

    await page.getByRole('button', { name: 'More about this endpoint' }).click();
    await page.getByRole('menuitem', { name: 'Rotate secret…' }).click();
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByText('I have stored the secret').click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText(/the previous one also signs until/).waitFor();
    // The receiver still has the old secret only.
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText(/^Test delivered: HTTP 200/).waitFor();
    expect((await receiver()).latest[0]).toMatchObject({ type: 'webhook.test', fault: null });

    await tell('behaviour', { behaviour: 'gone' });
    await register();
    await page.getByText('The receiver responded with 410 Gone.').waitFor();
    await tell('behaviour', { behaviour: 'healthy' });
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByText('Enabled', { exact: true }).waitFor();
  });
});
