import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSequencer } from '#services/worker/jobs/sequence-changes.ts';
import { repeat } from '#shared/async/repeat.ts';
import { sleep } from '#shared/async/sleep.ts';
import type { TestApi } from '#test/support/api/api.ts';
import { type FaultProxy, openFaultProxy } from '#test/support/api/fault-proxy.ts';
import { browserPath } from '#test/support/browser/browser.ts';
import { type SignedInMember, signedIn } from '#test/support/browser/dashboard.ts';
import { openPages, type Pages, signInOn } from '#test/support/browser/pages.ts';
import { scaled } from '#test/support/run-scale.ts';
import { patienceMs, until } from '#test/support/until.ts';

const cutMs = scaled({ short: 500, full: 60_000 });

describe.skipIf(browserPath === null)('the live list', () => {
  const ending = new AbortController();
  let pages: Pages;
  let api: TestApi;
  let browser: Browser;
  let proxy: FaultProxy;
  let positioning: Promise<void>;

  beforeAll(async () => {
    pages = await openPages();
    ({ api, browser } = pages);
    proxy = await openFaultProxy(api.url);
    const { signal } = ending;
    positioning = repeat(createSequencer(api.ctx.core, { signal }), {
      everyMs: 100,
      signal,
      onError: (error) => {
        throw error;
      },
    });
  });
  afterAll(async () => {
    ending.abort();
    await positioning;
    await proxy?.close();
    await pages?.close();
  });

  it('moves a row in every tab by the stream, without asking for pages', async () => {
    const member = await signedIn(api, 'member', 'two tabs');
    const id = await register(member, 'MAEU910000001', 'PO-before');
    const { context, tab: first } = await openTab(member, api.url);
    const second = await context.newPage();
    second.setDefaultTimeout(patienceMs);
    const asked: string[] = [];
    for (const tab of [first, second])
      tab.on('request', (request) => {
        if (/\/v1\/(events\?|shipments\?)/.test(request.url())) asked.push(request.url());
      });
    await second.goto(`${api.url}/?view=all`);
    await second.getByText('PO-before').first().waitFor();
    let changes = 0;
    const askedFor = async (): Promise<string[]> => {
      changes += 1;
      await streams(2);
      asked.splice(0);
      await change(member, id, `PO-after-${changes}`);
      await Promise.all([first, second].map((tab) => tab.getByText(`PO-after-${changes}`).first().waitFor()));
      return asked;
    };
    // A tab whose stream takes more than 5 s to open reads pages until then.
    await until(askedFor, (urls) => urls.length === 0);
    await context.close();
    await streams(0);
  });

  it('misses no change while the stream is cut', async () => {
    const member = await signedIn(api, 'member', 'a cut');
    const ids = [await register(member, 'MAEU910000002', 'PO-one'), await register(member, 'MAEU910000003', 'PO-two')];
    const { context, tab } = await openTab(member, new URL(proxy.url).origin);
    await tab.getByText('PO-two').first().waitFor();
    await streams(1);
    await proxy.cut();
    await streams(0);
    for (const id of ids) await change(member, id, `PO-${id.slice(-6)}`);
    await sleep(cutMs);
    await proxy.restore();
    // As when the network is back. Otherwise the page tries again within half a minute.
    await tab.evaluate(() => window.dispatchEvent(new Event('online')));
    for (const id of ids)
      await tab
        .getByText(`PO-${id.slice(-6)}`)
        .first()
        .waitFor();
    await streams(1);
    await context.close();
    await streams(0);
  });

  it('opens the sign-in page when the session ends in another tab', async () => {
    const member = await signedIn(api, 'member', 'signs out');
    await register(member, 'MAEU910000006', 'PO-left');
    const { context, tab } = await openTab(member, api.url);
    await streams(1);
    // Only the stream can notice: no query of the page is answered.
    await tab.route('**/dashboard/api/overview*', () => undefined);
    await context.request.post(`${api.url}/dashboard/api/auth/sign-out`, { headers: { origin: api.url } });
    await tab.waitForURL('**/sign-in?**');
    await context.close();
    await streams(0);
  });

  it.skipIf(scaled({ short: true, full: false }))('reads pages where a proxy withholds the stream', async () => {
    const member = await signedIn(api, 'member', 'withheld');
    const id = await register(member, 'MAEU910000005', 'PO-early');
    const { context, tab } = await openTab(member, api.url, async (page) => {
      // Never answered, like by a proxy that collects the whole response first.
      await page.route('**/v1/events/stream*', () => undefined);
    });
    await tab.getByText('PO-early').first().waitFor();
    await change(member, id, 'PO-late');
    await tab.getByText('PO-late').first().waitFor();
    await context.close();
  });

  async function openTab(
    member: SignedInMember,
    origin: string,
    prepare: (page: Page) => Promise<void> = async () => undefined,
  ): Promise<{ context: BrowserContext; tab: Page }> {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const tab = await context.newPage();
    tab.setDefaultTimeout(patienceMs);
    await prepare(tab);
    await tab.goto(`${origin}/?view=all`);
    await signInOn(tab, member.email);
    await tab.locator('[data-row]').first().waitFor();
    return { context, tab };
  }

  async function register(member: SignedInMember, mbl: string, reference: string): Promise<string> {
    const answer = await member.ask('/dashboard/api/v1/shipments', {
      body: { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl }, reference },
    });
    expect(answer.status).toBe(201);
    return answer.body.shipment_id;
  }

  async function change(member: SignedInMember, id: string, reference: string): Promise<void> {
    const answer = await member.ask(`/dashboard/api/v1/shipments/${id}`, { method: 'PATCH', body: { reference } });
    expect(answer.status).toBe(200);
  }

  async function streams(count: number): Promise<void> {
    await until(
      async () => api.ctx.streams.count(),
      (open) => open === count,
    );
  }
});
