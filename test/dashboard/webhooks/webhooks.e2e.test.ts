import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Received, Receiver } from '#infra/tools/simulator/receiver/receiver-book.ts';
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
    await page.goto(`${api.url}/developers/webhooks`);
    await signInOn(page, 'owner@example.test');
    await page.getByText('No webhook endpoints yet').waitFor();
  });
  afterAll(async () => {
    await worker?.kill();
    await simulator?.kill();
    await pages?.close();
  });

  /** A receiver of the simulator: how it is configured, and what arrived at it. */
  const receiver = (name: 'healthy' | 'slow') => {
    const url = `${simulator.url}/receiver/${name}`;
    const configure = async (what: 'secrets' | 'behaviour', body: object) => {
      const headers = { 'content-type': 'application/json' };
      const { status } = await fetch(`${url}/${what}`, { method: 'POST', headers, body: JSON.stringify(body) });
      expect(status).toBe(204);
    };
    const latest = async () => {
      const { receivers } = (await (await fetch(`${simulator.url}/receiver`)).json()) as { receivers: Receiver[] };
      return receivers.find((one) => one.name === name)?.latest ?? [];
    };
    return { url, configure, answers: (behaviour: string) => configure('behaviour', { behaviour }), latest };
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

  it('creates an endpoint, shows why it fails once its receiver breaks, and replays missed changes', async () => {
    const { url, configure, answers, latest } = receiver('healthy');
    await page.getByRole('link', { name: 'New endpoint' }).first().click();
    await page.getByLabel('URL', { exact: true }).fill(url);
    await page.getByLabel('Description (optional)').fill('The receiver');
    await page.getByRole('button', { name: 'Create endpoint' }).click();

    // The secret is shown once, and leaving without it has to be confirmed.
    const secret = (await page.locator('[data-secret]').textContent()) ?? '';
    await configure('secrets', { secret });
    await page.getByRole('link', { name: 'Webhooks' }).first().click();
    await page.getByRole('button', { name: 'Stay' }).click();
    await page.getByText('I have stored the secret').click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { level: 1, name: 'The receiver' }).waitFor();
    expect(await page.content()).not.toContain(secret);

    await register();
    await row('Delivered').first().waitFor();

    await answers('refusing');
    await register();
    await page.getByText(/^Failing since/).waitFor();
    await row('HTTP 500').first().click();
    await page.getByText('The receiver responded with 500. Only a status of 200 to 299 is a success.').waitFor();
    await page.getByText('This receiver is set to refuse deliveries.').first().waitFor();
    await page.getByRole('heading', { name: 'Request body' }).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();

    await answers('healthy');
    const earlier = new Set((await latest()).map(({ id }) => id));
    await page.getByRole('button', { name: 'Replay…' }).click();
    // Everything again: by now, the first retry may have delivered what had failed.
    await page.getByText('Only undelivered changes').click();
    await page.getByRole('button', { name: 'Start replay' }).click();
    await page.getByText('Replay queued').waitFor();
    await page.getByText(/^[1-9]\d* deliveries queued/).waitFor();
    await page.getByText(/^Failing since/).waitFor({ state: 'detached' });
    await page.getByText('Enabled', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Waiting for a retry' }).click();
    await page.getByText('No matching deliveries').waitFor();

    // Everything that arrived was signed with the secret that was shown, and what the replay covers was sent again.
    const arrived = await until(latest, (received) => {
      const accepted = new Set(received.filter(({ status }) => status === 200).map(({ id }) => id));
      const isRepeated = (one: Received) => received.some(({ id, arrival }) => id === one.id && arrival > 1);
      // Changes after the replay are delivered once, earlier ones again.
      return received.every((one) => accepted.has(one.id) && (!earlier.has(one.id) || isRepeated(one)));
    });
    expect(arrived.map(({ fault }) => fault)).toEqual(arrived.map(() => null));
  });

  it('sends a test and shows the response, rotates the secret, and explains how to enable a disabled endpoint', async () => {
    const { url, configure, answers, latest } = receiver('slow');
    const { secret: key } = await api.createKey({ scopes: ['webhooks:manage'] });
    const created = await fetch(`${api.url}/v1/webhook-endpoints`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      // Shipments of the test before may still change.
      body: JSON.stringify({ url, types: ['shipment.created'] }),
    });
    const { webhook_endpoint_id: id, secret } = await created.json();
    await configure('secrets', { secret });
    await answers('gone');
    await page.goto(`${api.url}/developers/webhooks/${id}`);
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText(/^Test failed: HTTP 410/).waitFor();

    await page.getByRole('button', { name: 'More about this endpoint' }).click();
    await page.getByRole('menuitem', { name: 'Rotate secret…' }).click();
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByText('I have stored the secret').click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText(/the previous one also signs until/).waitFor();
    // The receiver still has the old secret only.
    await answers('healthy');
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText(/^Test delivered: HTTP 200/).waitFor();
    const newest = (await latest()).find(({ type }) => type === 'webhook.test');
    expect(newest).toMatchObject({ status: 200, fault: null });

    await answers('gone');
    await register();
    await page.getByText('The receiver responded with 410 Gone.').waitFor();
    await answers('healthy');
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByText('Enabled', { exact: true }).waitFor();
  });
});
