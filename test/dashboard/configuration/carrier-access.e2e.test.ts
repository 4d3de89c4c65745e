import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSimulator } from '#infra/tools/simulator/server.ts';
import type { TestApi } from '#test/support/api/api.ts';
import { browserPath } from '#test/support/browser/browser.ts';
import { signedIn } from '#test/support/browser/dashboard.ts';
import { openPages, type Pages, signInOn, violationsInBothThemes } from '#test/support/browser/pages.ts';
import { simulatorAddresses, startAnsweringWorker } from '#test/support/carriers/answering-worker.ts';
import { scaled } from '#test/support/run-scale.ts';
import { patienceMs } from '#test/support/until.ts';

const isShort = scaled({ short: true, full: false });

const phone = { width: 390, height: 844 };
const desk = { width: 1440, height: 900 };

describe.skipIf(browserPath === null)('carrier access', () => {
  let pages: Pages;
  let api: TestApi;
  let browser: Browser;
  let simulator: ReturnType<typeof buildSimulator>;
  let worker: Awaited<ReturnType<typeof startAnsweringWorker>>;

  beforeAll(async () => {
    pages = await openPages();
    ({ api, browser } = pages);
    simulator = buildSimulator({ seed: 'access', now: Date.now, voyageS: 50, stateFile: null, control: false });
    const origin = await simulator.listen({ host: '127.0.0.1', port: 0 });
    const { CARRIER_ONE_RECORD_BASE_URL: _unset, ...addresses } = simulatorAddresses(origin);
    worker = await startAnsweringWorker(api.serviceUrl, addresses);
  });
  afterAll(async () => {
    await worker?.close();
    await simulator?.close();
    await pages?.close();
  });

  async function openAs(email: string, path: string): Promise<{ page: Page; context: BrowserContext }> {
    const context = await browser.newContext({ viewport: desk });
    const page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    await page.goto(api.url + path);
    await signInOn(page, email);
    return { page, context };
  }

  it('leads an owner from the portal to verified and saved credentials', async () => {
    const owner = await signedIn(api, 'owner', 'gets credentials');
    const { page, context } = await openAs(owner.email, '/configuration/carriers?carrier=dhl');

    const guide = page.getByRole('region', { name: 'How to get credentials' });
    expect(await guide.getByRole('link', { name: 'developer.dhl.com', exact: true }).first().getAttribute('href')).toBe(
      'https://developer.dhl.com',
    );
    await guide.getByText('Shipment Tracking - Unified').waitFor();
    const verify = page.getByRole('button', { name: 'Verify', exact: true });
    await expect.poll(() => verify.isDisabled()).toBe(true);

    await page.getByLabel('API key').fill('wrong');
    await verify.click();
    await page.getByText(/^Refused\. DHL refused the credentials/).waitFor();
    expect(await violationsInBothThemes(page)).toEqual([]);
    await page.setViewportSize(phone);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(phone.width);
    await page.setViewportSize(desk);

    // Another value makes the answer for the former one disappear.
    await page.getByLabel('API key').fill('fine');
    await page.getByText(/^Refused\./).waitFor({ state: 'detached' });
    await verify.click();
    await page.getByText(/^Accepted\. DHL accepted the credentials/).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Saved\./).waitFor();

    await page.getByRole('button', { name: 'Verify stored credentials' }).click();
    await page.getByText(/^Accepted\./).waitFor();
    await context.close();
  });

  it.skipIf(isShort)(
    'explains what the operator must do about a missing address, and that a carrier has no connector',
    async () => {
      const owner = await signedIn(api, 'owner', 'waits for an address');
      const { page, context } = await openAs(owner.email, '/configuration/carriers?carrier=QR');
      await page
        .getByText(/CARRIER_ONE_RECORD_BASE_URL/)
        .first()
        .waitFor();
      await page.getByLabel('Client ID').fill('fine');
      await page.getByLabel('Client secret').fill('fine');
      await page.getByRole('button', { name: 'Verify', exact: true }).click();
      await page.getByText(/^Wrong address\./).waitFor();

      await page.goto(`${api.url}/configuration/carriers?carrier=BNSF`);
      await page.getByText(/This release has no connector for BNSF Railway/).waitFor();
      expect(await page.getByRole('button', { name: 'Verify', exact: true }).count()).toBe(0);
      await context.close();
    },
  );

  it.skipIf(isShort)('offers a viewer no verification', async () => {
    const viewer = await signedIn(api, 'viewer', 'only looks');
    const { page, context } = await openAs(viewer.email, '/configuration/carriers?carrier=dhl');
    await expect.poll(() => page.getByRole('button', { name: 'Verify', exact: true }).isDisabled()).toBe(true);
    await context.close();
  });
});
