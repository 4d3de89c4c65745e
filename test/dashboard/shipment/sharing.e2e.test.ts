import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toShipmentId } from '#shared/contract/record/shipment-id.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { Place } from '#shared/domain/events/event.ts';
import type { TestApi } from '#test/support/api/api.ts';
import { browserPath } from '#test/support/browser/browser.ts';
import { signedIn } from '#test/support/browser/dashboard.ts';
import { openPages, type Pages, signInOn, violationsInBothThemes } from '#test/support/browser/pages.ts';
import { found, refresh } from '#test/support/carriers/refreshed-shipment.ts';
import { oceanRegistration } from '#test/support/core-context.ts';
import { patienceMs } from '#test/support/until.ts';

const place = (name: string, unlocode: string, lat: number, lng: number): Place => ({
  name,
  unlocode,
  iata: null,
  country: unlocode.slice(0, 2),
  lat,
  lng,
  timezone: 'UTC',
  facility: null,
});
const jeddah = place('ميناء جدة', 'SAJED', 21.5, 39.2);
const rotterdam = place('Rotterdam', 'NLRTM', 51.95, 4.13);
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 16);

describe.skipIf(browserPath === null)('sharing a shipment', () => {
  let pages: Pages;
  let api: TestApi;
  let browser: Browser;

  beforeAll(async () => {
    pages = await openPages();
    ({ api, browser } = pages);
  });
  afterAll(() => pages?.close());

  async function openShipment(): Promise<Page> {
    const member = await signedIn(api, 'owner', 'Sharing');
    const caller: Caller = {
      accountId: member.accountId,
      keyId: null,
      scopes: ['shipments:read', 'shipments:write'],
      test: false,
      requestId: 'req_test',
      idempotency: null,
    };
    const { shipment } = await registerShipment(api.ctx.core, caller, oceanRegistration({ reference: 'PO-7741' }));
    const subject = { accountId: member.accountId, shipmentId: shipment.id };
    const expectedIn = (days: number) =>
      found(
        { code: 'loaded', local: day(-4), location: jeddah },
        { code: 'departed', local: day(-3), location: jeddah },
        { code: 'arrived', classifier: 'estimated', local: day(days), location: rotterdam },
      );
    await refresh(api.ctx.core, subject, expectedIn(9));
    await refresh(api.ctx.core, subject, expectedIn(11));
    const page = await browser.newPage();
    page.setDefaultTimeout(patienceMs);
    const path = `/shipments/${toShipmentId(shipment.id)}`;
    await page.goto(`${api.url}/sign-in?to=${encodeURIComponent(path)}`);
    await signInOn(page, member.email);
    await page.getByRole('heading', { name: 'In transit' }).waitFor();
    return page;
  }

  it('makes a page that anyone reads in their language without script, until it is revoked', async () => {
    const page = await openShipment();
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByText('Carrier', { exact: true }).last().click();
    await page.getByLabel('Label (optional)').fill('For the consignee');
    await page.getByRole('button', { name: 'Create link' }).click();
    const shown = await page.locator('code[data-secret]').textContent();
    const address = `${api.url}${new URL(shown ?? '').pathname}`;

    const reader = await browser.newContext({ javaScriptEnabled: false, locale: 'de-DE' });
    const shared = await reader.newPage();
    shared.setDefaultTimeout(patienceMs);
    await shared.goto(address);
    await shared.getByRole('heading', { name: 'Unterwegs' }).waitFor();
    await expect.poll(() => shared.getByText('Maersk', { exact: true }).count()).toBe(1);
    expect(await shared.getByText('PO-7741').count()).toBe(0);
    await shared.getByRole('link', { name: 'English' }).click();
    await shared.getByRole('heading', { name: 'In transit' }).waitFor();
    await expect.poll(() => shared.getByText('2 days later than first announced').count()).toBe(1);
    await shared.locator('bdi', { hasText: 'ميناء جدة' }).first().waitFor();

    const evaluate = await browser.newPage();
    evaluate.setDefaultTimeout(patienceMs);
    const requests: string[] = [];
    evaluate.on('request', (request) => requests.push(request.url()));
    await evaluate.goto(`${address}?lang=en`);
    expect(await violationsInBothThemes(evaluate)).toEqual([]);
    await evaluate.setViewportSize({ width: 360, height: 780 });
    expect(await evaluate.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expect(requests.filter((url) => url !== `${address}?lang=en` && !url.endsWith('/landfall.svg'))).toEqual([]);

    await page.getByRole('listitem').filter({ hasText: 'For the consignee' }).getByRole('button').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText(/^Revoked/).waitFor();
    const gone = await shared.goto(address);
    expect(gone?.status()).toBe(404);
    await shared.getByRole('heading', { name: 'Dieser Link funktioniert nicht' }).waitFor();
    await reader.close();
  });
});
