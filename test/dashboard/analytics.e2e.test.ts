import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { followAnalytics } from '#shared/core/analytics/follow-feed.ts';
import { measureTrackingHealth } from '#shared/core/analytics/measure-tracking.ts';
import { sequenceChanges } from '#shared/core/feed/sequence-changes.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import type { Place } from '#shared/domain/events/event.ts';
import type { TestApi } from '#test/support/api/api.ts';
import { browserPath } from '#test/support/browser/browser.ts';
import { type SignedInMember, signedIn } from '#test/support/browser/dashboard.ts';
import { openPages, type Pages, signInOn, violationsInBothThemes } from '#test/support/browser/pages.ts';
import { found, refresh } from '#test/support/carriers/refreshed-shipment.ts';
import { oceanRegistration, uniqueNumber } from '#test/support/core-context.ts';
import { patienceMs } from '#test/support/until.ts';

const dayMs = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 16);
const phone = { width: 390, height: 844 };
const desk = { width: 1440, height: 900 };

function port(unlocode: string): Place {
  const rest = { iata: null, lat: null, lng: null, timezone: null, facility: null };
  return { ...rest, name: unlocode, unlocode, country: unlocode.slice(0, 2) };
}

/** Days ago: a departure, a promised arrival and an arrival. Null: unknown. */
type Voyage = { carrier: string; to: string; left: number | null; promised: number | null; came: number | null };

const voyages: Voyage[] = [
  { carrier: 'MAEU', to: 'NLRTM', left: 45, promised: 15, came: 15 },
  { carrier: 'MAEU', to: 'NLRTM', left: 50, promised: 21, came: 17 },
  { carrier: 'MAEU', to: 'USLAX', left: 40, promised: 20, came: 20 },
  { carrier: 'HLCU', to: 'NLRTM', left: 44, promised: 12, came: 9 },
  { carrier: 'HLCU', to: 'NLRTM', left: null, promised: 8, came: 8 },
  { carrier: 'HLCU', to: 'USLAX', left: 30, promised: null, came: 5 },
  { carrier: 'CMDU', to: 'USLAX', left: 12, promised: 1, came: null },
];

describe.skipIf(browserPath === null)('analytics', () => {
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
    context = await browser.newContext({ viewport: desk });
    page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
  });
  afterEach(() => context.close());

  const seed = async ({ accountId }: SignedInMember) => {
    const { core } = api.ctx;
    const scopes = ['shipments:read', 'shipments:write'] as const;
    const caller = { accountId, keyId: null, scopes, test: false, requestId: 'req_test', idempotency: null };
    for (const { carrier, to, left, promised, came } of voyages) {
      const registration = oceanRegistration({ carrier, identifiers: { mbl: `${carrier}${uniqueNumber()}` } });
      const { shipment } = await registerShipment(core, caller, registration);
      const [from, goal] = [port('CNSHA'), port(to)];
      const events = [
        { code: 'gate_in_full', local: ago(60), location: from } as const,
        ...(left === null ? [] : [{ code: 'departed', local: ago(left), location: from } as const]),
        ...(promised === null
          ? []
          : [{ code: 'arrived', classifier: 'planned', local: ago(promised), location: goal } as const]),
        ...(came === null ? [] : [{ code: 'arrived', local: ago(came), location: goal } as const]),
      ];
      await refresh(core, { accountId, shipmentId: shipment.id }, found(...events));
    }
    while ((await sequenceChanges(core)) !== 0);
    while (await followAnalytics(core, { countAfterMs: 0 }));
    await measureTrackingHealth(core, { olderThanMs: 0 });
  };

  it('shows what arrived on time, opens the list behind each number, narrows, and saves a file', async () => {
    const member = await signedIn(api, 'viewer', 'Analytics');
    await page.goto(`${api.url}/sign-in?to=${encodeURIComponent('/analytics')}`);
    await signInOn(page, member.email);
    await page.getByText('Nothing has been counted yet').waitFor();
    await seed(member);

    await page.reload();
    await page.getByText('6 arrivals, 1 without a promised time, 1 without a known departure.').waitFor();
    const table = (name: string) => page.getByRole('table', { name, exact: true });
    const line = (name: string, row: RegExp) => table(name).getByRole('row', { name: row });
    await expect.poll(() => line('By carrier', /Hapag/).textContent()).toContain('50%');
    await expect.poll(() => line('By lane', /NLRTM/).textContent()).toMatch(/CNSHA → NLRTM4/);
    await expect.poll(() => line('Late arrivals by cause', /No cause stated/).textContent()).toContain('100%');
    await expect.poll(() => line('Tracking by carrier', /All carriers/).textContent()).toContain('7');
    expect(await violationsInBothThemes(page)).toEqual([]);
    await page.setViewportSize(phone);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(phone.width);
    await page.setViewportSize(desk);

    // By keyboard: the number of late arrivals is a link to exactly these.
    const late = page.getByRole('link', { name: '2 late arrivals', exact: true });
    await late.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/on_time=late/);
    const rows = page.getByRole('row').filter({ hasText: /MAEU|HLCU|Maersk|Hapag/ });
    await expect.poll(() => rows.count()).toBe(2);
    expect(new URL(page.url()).searchParams.get('on_time')).toBe('late');
    await page.goBack();

    await page.getByRole('button', { name: 'Maersk', exact: true }).click();
    await page.getByText('3 arrivals.').waitFor();
    await page.getByLabel('Period').selectOption('30');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    await page.getByRole('menuitem', { name: 'By lane, ports' }).click();
    const lines = readFileSync(await (await download).path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines.map((one) => one.split(',').slice(0, 1).join())).toEqual(['key', 'CNSHA-NLRTM', 'CNSHA-USLAX']);
    await page.getByLabel('Period').selectOption('custom');
    await page.getByLabel('First day').fill('2020-01-01');
    await page.getByLabel('Last day').fill('2020-01-31');
    await page.getByRole('heading', { name: 'No arrivals in this period' }).waitFor();
  });
});
