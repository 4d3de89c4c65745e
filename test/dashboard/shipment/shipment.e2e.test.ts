import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toShipmentId } from '#shared/contract/record/shipment-id.ts';
import { sequenceChanges } from '#shared/core/feed/sequence-changes.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { Place } from '#shared/domain/events/event.ts';
import type { Role } from '#shared/domain/members/role.ts';
import type { TestApi } from '#test/support/api/api.ts';
import { browserPath } from '#test/support/browser/browser.ts';
import { signedIn } from '#test/support/browser/dashboard.ts';
import { openPages, type Pages, signInOn, violationsInBothThemes } from '#test/support/browser/pages.ts';
import { found, refresh } from '#test/support/carriers/refreshed-shipment.ts';
import { oceanRegistration } from '#test/support/core-context.ts';
import { scaled } from '#test/support/run-scale.ts';
import { patienceMs } from '#test/support/until.ts';
import { layoutTests } from './layout-pages.ts';
import { parcelTests } from './parcel-pages.ts';

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
const busan = place('Busan', 'KRPUS', 35.1, 129);
const losAngeles = place('Los Angeles', 'USLAX', 33.7, -118.2);
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 16);
const departed = { code: 'departed' as const, local: day(-3), location: busan };
const expected = { code: 'arrived' as const, classifier: 'estimated' as const, local: day(9), location: losAngeles };

describe.skipIf(browserPath === null)('the shipment page and the map', () => {
  let pages: Pages;
  let api: TestApi;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    pages = await openPages();
    ({ api, browser } = pages);
  });
  afterAll(() => pages?.close());
  beforeEach(async () => {
    context = await browser.newContext({ timezoneId: 'UTC' });
    page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
  });
  afterEach(() => context.close());

  /** Signs in and opens a shipment at sea. */
  async function openShipment(role: Role) {
    const member = await signedIn(api, role, `Shipments of a ${role} ${Math.random()}`);
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
    await refresh(api.ctx.core, subject, found(departed, expected));
    const path = `/shipments/${toShipmentId(shipment.id)}`;
    await page.goto(`${api.url}/sign-in?to=${encodeURIComponent(path)}`);
    await signInOn(page, member.email);
    await page.getByRole('heading', { name: 'In transit' }).waitFor();
    return { subject, path };
  }

  it('shows the status and its reason, opens events by keyboard, and updates without a reload', async () => {
    const { subject } = await openShipment('member');
    await page.getByText(/Maersk reported that the shipment departed Busan on/).waitFor();
    await page.getByRole('img', { name: /^Map of the route\. Busan, left .*; Los Angeles, expected/ }).waitFor();

    const row = page.getByRole('button', { name: /Departed sets the status/ });
    await row.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => row.getAttribute('aria-expanded')).toBe('true');
    await page.getByText('Data from Maersk').waitFor();
    await page.locator('dd', { hasText: /^departed$/ }).waitFor();

    await refresh(api.ctx.core, subject, found(departed, { ...expected, classifier: 'actual', local: day(-1) }));
    while ((await sequenceChanges(api.ctx.core)) !== 0);
    await page.getByRole('heading', { name: 'Arrived', exact: true }).waitFor();
    await page.getByText(/Maersk reported that the shipment arrived in Los Angeles on/).waitFor();
  });

  it('shows the newest refresh where the bars have no room for all', async () => {
    await page.route('**/refreshes*', async (route) => {
      const answer = await route.fetch();
      const [newest] = (await answer.json()).data;
      const run = { ...newest, outcome: 'unchanged', count: 40 };
      await route.fulfill({ json: { data: [{ ...newest, outcome: 'error', reason: 'carrier_unreachable' }, run] } });
    });
    await page.setViewportSize({ width: 390, height: 900 });
    await openShipment('member');
    const bars = page.locator('div[aria-hidden="true"].overflow-hidden').filter({ has: page.locator('.bg-red') });
    await bars.waitFor();
    const [strip, newest, oldest] = await Promise.all([
      bars.boundingBox(),
      bars.locator('span').last().boundingBox(),
      bars.locator('span').first().boundingBox(),
    ]);
    if (strip === null || newest === null || oldest === null) return expect.fail('the bars are not shown');
    expect(oldest.x).toBeLessThan(strip.x);
    expect(newest.x + newest.width).toBeLessThanOrEqual(strip.x + strip.width + 0.5);
  });

  it('shows the unreadable parts of the last response, the reasons and the original data', async () => {
    const { subject } = await openShipment('viewer');
    const result = found(departed, expected);
    if (result.outcome !== 'found') throw new Error('not found');
    const unreadable = [
      { raw: { eventType: 'TRANSPORT', vessel: 'Ever Given' }, reason: 'eventDateTime is missing' },
      { raw: 7, reason: 'the event is not an object' },
    ];
    await refresh(api.ctx.core, subject, { ...result, reading: { ...result.reading, unreadable } });
    // The page looks every 15 s for refreshes that changed nothing.
    await page.reload();
    await page
      .getByText(/2 events of the last response could not be read: eventDateTime is missing; the event/)
      .waitFor();
    await page.getByText('Original data').click();
    await page.getByText(/"vessel"/).waitFor();
    await refresh(api.ctx.core, subject, { ...result, reading: { ...result.reading, events: [], unreadable } });
    await page.reload();
    await page.getByText(/Maersk responded, but nothing could be read\./).waitFor();
  });

  it('requests a refresh once, and confirms before stopping', async () => {
    await openShipment('member');
    await page.getByRole('button', { name: 'Refresh now' }).click();
    await page.getByRole('button', { name: 'Refreshing…' }).waitFor();

    await page.getByRole('button', { name: 'More about this shipment' }).click();
    await page.getByRole('menuitem', { name: 'Stop tracking…' }).click();
    await page.getByText('Stops polling Maersk. The record stays').waitFor();
    await page.getByRole('button', { name: 'Stop tracking', exact: true }).click();
    await page.getByText('Resume tracking to poll the carrier again.').waitFor();
  });

  it('downloads all data of the shipment, also for a viewer, and reports a failure', async () => {
    const { path } = await openShipment('viewer');
    const shipmentId = path.slice(path.lastIndexOf('/') + 1);
    const choose = async () => {
      await page.getByRole('button', { name: 'More about this shipment' }).click();
      await page.getByRole('menuitem', { name: 'Download everything' }).click();
    };
    const [download] = await Promise.all([page.waitForEvent('download'), choose()]);
    expect(download.suggestedFilename()).toBe(`${shipmentId}.ndjson`);
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ part: 'record', data: { shipment_id: shipmentId } });
    expect(lines.at(-1)).toEqual({ part: 'end', data: { lines: lines.length - 1 } });

    await page.route('**/bundle', (route) => route.abort());
    await choose();
    await page.getByText('Download failed. Try again.').waitFor();
    await page.unroute('**/bundle');
  });

  it('stores edits', async () => {
    const { path } = await openShipment('member');
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('textbox', { name: 'Reference', exact: true }).fill('PO-7742');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.goto(api.url + path);
    await page.getByText('PO-7742').first().waitFor();
  });

  it('disables actions for viewers', async () => {
    await openShipment('viewer');
    await expect.poll(() => page.getByRole('button', { name: 'Refresh now' }).isDisabled()).toBe(true);
    await expect.poll(() => page.getByRole('button', { name: 'Edit', exact: true }).isDisabled()).toBe(true);
  });

  layoutTests(() => ({ page, open: () => openShipment('member') }));
  parcelTests(() => ({ api, page }));

  it.runIf(scaled({ short: false, full: true }))(
    'has no axe violations on the shipment, the map and a missing shipment',
    async () => {
      const { path } = await openShipment('member');
      await page.getByRole('button', { name: /Departed sets the status/ }).click();
      await page.locator('dd', { hasText: /^departed$/ }).waitFor();
      expect(await violationsInBothThemes(page)).toEqual([]);

      await page.goto(`${api.url}/map`);
      const circle = page.getByRole('button', { name: /^At sea, Busan to Los Angeles: 1 shipment/ });
      await circle.click();
      expect(await circle.getAttribute('aria-pressed')).toBe('true');
      await page.getByRole('heading', { name: 'At sea, Busan to Los Angeles' }).waitFor();
      await page
        .getByRole('complementary', { name: 'Shipments' })
        .getByRole('link', { name: /PO-7741/ })
        .waitFor();
      expect(await violationsInBothThemes(page)).toEqual([]);

      await page.goto(`${api.url}${path.slice(0, -1)}${path.endsWith('0') ? '1' : '0'}`);
      await page.getByRole('heading', { name: 'No shipment with this ID' }).waitFor();
      expect(await violationsInBothThemes(page)).toEqual([]);
    },
  );
});
