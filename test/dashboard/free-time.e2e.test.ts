import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toShipmentId } from '#shared/contract/record/shipment-id.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { assessDueFreeTime, markReplacedFreeTimeTerms } from '#shared/core/tracking/assess-due-free-time.ts';
import type { Place } from '#shared/domain/events/event.ts';
import type { TestApi } from '#test/support/api/api.ts';
import { browserPath } from '#test/support/browser/browser.ts';
import { type SignedInMember, signedIn } from '#test/support/browser/dashboard.ts';
import { openPages, type Pages, signInOn, violationsInBothThemes } from '#test/support/browser/pages.ts';
import { found, refresh } from '#test/support/carriers/refreshed-shipment.ts';
import { oceanRegistration } from '#test/support/core-context.ts';
import { scaled } from '#test/support/run-scale.ts';
import { patienceMs } from '#test/support/until.ts';

const losAngeles: Place = {
  name: 'Los Angeles',
  unlocode: 'USLAX',
  iata: null,
  country: 'US',
  lat: 33.7,
  lng: -118.2,
  timezone: 'America/Los_Angeles',
  facility: null,
};
const dayMs = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * dayMs).toISOString();
const ahead = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
const phone = { width: 390, height: 844 };
const desk = { width: 1440, height: 900 };
const container = 'CSQU3054383';

describe.skipIf(browserPath === null)('free time and pushed events', () => {
  let pages: Pages;
  let api: TestApi;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let accounts = 0;

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

  const newAccount = () => {
    accounts += 1;
    return `Free time ${accounts}`;
  };
  const openAs = async ({ email }: { email: string }, path: string) => {
    await page.goto(`${api.url}/sign-in?to=${encodeURIComponent(path)}`);
    await signInOn(page, email);
    await page.getByLabel('Email').waitFor({ state: 'detached' });
  };
  /** A shipment whose container was discharged in Los Angeles ten days ago. */
  const discharged = async ({ accountId }: SignedInMember) => {
    const { shipment } = await registerShipment(
      api.ctx.core,
      {
        accountId,
        keyId: null,
        scopes: ['shipments:read', 'shipments:write'],
        test: false,
        requestId: 'req_test',
        idempotency: null,
      },
      oceanRegistration({ reference: 'PO-7741' }),
    );
    const event = { code: 'discharged', local: ago(10).slice(0, 16), location: losAngeles, legRole: 'pod' } as const;
    await refresh(api.ctx.core, { accountId, shipmentId: shipment.id }, found(event));
    return `/shipments/${toShipmentId(shipment.id)}`;
  };
  /** Everything that a worker does after terms were replaced. */
  const assess = async () => {
    while (await markReplacedFreeTimeTerms(api.ctx.core));
    while ((await assessDueFreeTime(api.ctx.core)) > 0);
  };
  /** Axe takes most of the time: in `npm test`, it evaluates the states with the most on them. */
  const evaluate = async ({ isQuick }: { isQuick: boolean }) => {
    if (isQuick || scaled({ short: false, full: true })) expect(await violationsInBothThemes(page)).toEqual([]);
  };
  const fitsPhone = async () => {
    await page.setViewportSize(phone);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(phone.width);
    await page.setViewportSize(desk);
  };
  const panel = () => page.getByRole('complementary').filter({ hasText: 'Applies to' });

  it('shows a bad row at its cell, previews terms, saves them, and lists the container that costs', async () => {
    const member = await signedIn(api, 'member', newAccount());
    await discharged(member);
    await openAs(member, '/?view=free_time');
    await page.getByText(/^1 shipment can’t be assessed and is not in this list/).waitFor();
    await page.getByRole('link', { name: 'Show it' }).click();
    await page.locator('[data-row]', { hasText: 'PO-7741' }).getByText('Unknown', { exact: true }).waitFor();
    await evaluate({ isQuick: false });

    await page.getByRole('link', { name: 'Free-time terms' }).click();
    await page.getByRole('heading', { name: 'No free-time terms yet' }).waitFor();
    await page.getByRole('button', { name: 'Add row' }).first().click();
    await panel().getByLabel('Carrier').fill('maersk');
    await page.getByRole('option', { name: /MAEU/ }).first().click();
    await panel().getByLabel('Place (UN/LOCODE)').fill('USQQQ');
    // Escape closes the suggestions and leaves the panel open.
    await page.keyboard.press('Escape');
    await panel().getByLabel('Free days').fill('4');
    await panel().getByRole('button', { name: 'Add rates' }).click();
    await panel().getByLabel('Step 1: amount a day').fill('120');
    await panel().getByLabel('Currency').fill('USD');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('1 row has a mistake. Nothing is saved until it is corrected.').waitFor();
    const bad = page.getByRole('row', { name: /USQQQ/ }).getByRole('cell').filter({ hasText: 'USQQQ' });
    await expect.poll(() => bad.innerText()).toMatch(/USQQQ\s+\S+/);
    const place = panel().getByLabel('Place (UN/LOCODE)');
    await expect.poll(() => place.getAttribute('aria-invalid')).toBe('true');
    await evaluate({ isQuick: true });

    await panel().getByLabel('Place (UN/LOCODE)').fill('USLAX');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Preview the effect' }).click();
    const preview = page.getByRole('dialog', { name: 'Preview the effect' });
    await preview.getByText('1 container has a clock that changes.').waitFor();
    await expect.poll(() => preview.getByRole('row', { name: /^Unknown/ }).innerText()).toMatch(/1\s+0\s+−1/);
    await expect.poll(() => preview.getByRole('row', { name: /^Over/ }).innerText()).toMatch(/0\s+1\s+\+1/);
    await preview.getByText(/Over, .*, USD \d+/).waitFor();
    await evaluate({ isQuick: false });
    await preview.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. Shipments are assessed again within a minute.').waitFor();
    await fitsPhone();
    await assess();

    await page.goto(`${api.url}/?view=free_time`);
    await page.getByText('Every running clock can be assessed.').waitFor();
    const row = page.locator('[data-row]', { hasText: 'PO-7741' });
    await expect.poll(() => row.innerText()).toMatch(/Over[\s\S]*−\d d[\s\S]*USD \d+/);
    expect(await row.innerText()).toContain(container);
    await page.getByRole('button', { name: /^Free time at risk 1$/ }).waitFor();
    await fitsPhone();
  });

  it('exports terms as a file, imports it, and warns before leaving with unsaved changes', async () => {
    const member = await signedIn(api, 'member', newAccount());
    await openAs(member, '/configuration/free-time');
    const file = (text: string) => ({ name: 'terms.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    const input = page.locator('input[type=file]');
    await input.setInputFiles(file('kind,free_days\nstorage,5\n'));
    await page.getByText(/Line 2: kind must be/).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await input.setInputFiles(file('kind;free_days;carrier;rates;currency\ndemurrage;5;MAEU;"1:85;6:140";EUR\n'));
    await page.getByText('EUR 85 a day, 140 from day 6').waitFor();
    await page.getByText('1 added, not saved').waitFor();

    await page.getByRole('link', { name: 'Shipments', exact: true }).first().click();
    await page.getByText('The changes to your free-time terms are not saved.').waitFor();
    await page.getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/^Saved\./).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(readFileSync(await download.path(), 'utf8').split('\r\n')[1]).toMatch(/^demurrage,MAEU,.*,1:85;6:140,EUR/);
  });

  it('reports that another member saved first, and overwrites nothing unasked', async () => {
    const member = await signedIn(api, 'member', newAccount());
    const put = (free_days: number) =>
      member.ask('/dashboard/api/v1/free-time-terms', {
        method: 'PUT',
        body: { terms: [{ kind: 'demurrage', free_days }] },
      });
    expect((await put(5)).status).toBe(200);
    await openAs(member, '/configuration/free-time');
    await page.getByRole('button', { name: 'Open Demurrage' }).click();
    await panel().getByLabel('Free days').fill('7');
    expect((await put(9)).status).toBe(200);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Someone else saved other terms since you opened this page.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    await evaluate({ isQuick: false });
    await page.getByRole('button', { name: 'Load theirs' }).click();
    await page.getByRole('button', { name: 'Discard', exact: true }).last().click();
    await page.getByText('9 calendar days from the day after discharge').waitFor();
  });

  it('only shows the terms to viewers', async () => {
    const account = newAccount();
    const member = await signedIn(api, 'member', account);
    const body = { terms: [{ kind: 'demurrage', free_days: 5 }] };
    await member.ask('/dashboard/api/v1/free-time-terms', { method: 'PUT', body });
    await openAs(await signedIn(api, 'viewer', account), '/configuration/free-time');
    await page.getByText('Members and owners can change the terms. Your role is viewer.').waitFor();
    await page.getByRole('button', { name: 'Open Demurrage' }).click();
    await expect.poll(() => panel().getByLabel('Free days').isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: /^(Import CSV|Delete|Duplicate|Save)$/ }).count()).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: 'Add row' }).isDisabled()).toBe(true);
  });

  it('sets a last free day by hand, removes it again, and explains the state of a clock', async () => {
    const member = await signedIn(api, 'member', newAccount());
    await openAs(member, await discharged(member));
    const clock = page.getByRole('region', { name: `Demurrage of ${container}` });
    await clock.getByText(/No row of your terms matches, and no last free day has been reported\./).waitFor();
    await clock.getByRole('button', { name: 'Set last free day' }).click();
    await clock.getByLabel('Last free day, demurrage').fill(ahead(9));
    await clock.getByRole('button', { name: 'Save' }).click();
    await clock.getByText(', set by hand').waitFor();
    await clock.getByText(/^running$/).waitFor();
    await evaluate({ isQuick: false });
    await fitsPhone();
    await clock.getByRole('button', { name: 'Remove the day' }).click();
    // The state, the day and the cost are unknown.
    await expect.poll(() => clock.getByText(/^unknown$/).count()).toBe(3);
  });

  it('shows a shipment without polling and the source that pushed its events, and voids one', async () => {
    const member = await signedIn(api, 'member', newAccount());
    const registered = await member.ask('/dashboard/api/v1/shipments', {
      body: {
        transport_mode: 'rail',
        carrier: 'UPRR',
        identifiers: { container: 'MSKU1234565' },
        tracking: { mode: 'pushed', stale_after_hours: 6 },
      },
    });
    expect(registered.status, JSON.stringify(registered.body)).toBe(201);
    const id = registered.body.shipment_id as string;
    await openAs(member, `/shipments/${id}`);
    await page.getByText(/^Waiting\./).waitFor();
    await page
      .getByText(/No event received yet\. Landfall doesn't poll Union Pacific.*: events are pushed\./)
      .waitFor();
    expect(await page.getByRole('button', { name: 'Refresh now' }).count()).toBe(0);

    const events = [
      {
        source_name: 'acme-rail',
        code: 'rail_departed',
        time: { at: ago(0.1) },
        location: { unlocode: 'USCHI' },
        container: 'MSKU1234565',
        holds: [{ type: 'customs', status: 'active', detail: 'X-ray exam' }],
      },
    ];
    const pushed = await member.ask(`/dashboard/api/v1/shipments/${id}/events`, { body: { events } });
    expect(pushed.status, JSON.stringify(pushed.body)).toBe(200);
    await page.reload();
    await page.getByText(/Stale without another one by/).waitFor();
    await page.getByText('6 h after the last event').waitFor();
    await page.getByText('Customs hold: X-ray exam', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: /Rail departed/ }).click();
    await page.getByRole('heading', { name: 'Pushed by acme-rail' }).waitFor();
    await evaluate({ isQuick: true });
    await fitsPhone();
    await page.getByRole('button', { name: 'Void this event' }).click();
    await page.getByText(/pushed by acme-rail, no longer counts/).waitFor();
    await page.getByRole('button', { name: 'Void', exact: true }).click();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await expect.poll(() => page.getByRole('button', { name: /Rail departed/ }).count()).toBe(0);
  });

  it('registers a number of a carrier without a connector to get its events pushed', async () => {
    const member = await signedIn(api, 'member', newAccount());
    await openAs(member, '/add');
    await page.getByRole('textbox', { name: 'Numbers' }).fill('QX-774100');
    await page.getByLabel(/^Mode of/).selectOption('rail');
    await page.getByLabel(/^Kind of/).selectOption('waybill');
    await page.getByLabel(/^Carrier of/).selectOption({ label: 'Union Pacific' });
    await page.getByText(/^Events are pushed: Landfall has no connector for Union Pacific/).waitFor();
    await page.getByRole('button', { name: 'Track 1 shipment' }).click();
    await page.getByText('1 registered').waitFor();
    await page.getByRole('link', { name: 'Open', exact: true }).click();
    await page.getByText(/Landfall doesn't poll Union Pacific.*: events are pushed\./).waitFor();
  });
});
