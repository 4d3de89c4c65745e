import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Seeded } from '#infra/tools/desk/portfolio/seed.ts';
import { makePasswordReset } from '#shared/core/members/reset-password.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { keepPositions } from '#shared/store/positions/vehicle-positions.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { TestApi } from '#test/support/api/api.ts';
import { browserPath } from '#test/support/browser/browser.ts';
import { claimApi, signedIn } from '#test/support/browser/dashboard.ts';
import { openPages, type Pages, signInOn, violationsInBothThemes } from '#test/support/browser/pages.ts';
import { seedAccountOf } from '#test/support/browser/seeded-dashboard.ts';
import { seedWebhooks } from '#test/support/browser/seeded-webhooks.ts';
import { found, refresh } from '#test/support/carriers/refreshed-shipment.ts';
import { oceanRegistration, uniqueNumber } from '#test/support/core-context.ts';
import { scaled } from '#test/support/run-scale.ts';
import { patienceMs } from '#test/support/until.ts';

const account = 'Hanseatische Überseespedition Meyer & Söhne GmbH & Co. KG';
const sections = [
  'members',
  'keys?panel=new',
  'limits',
  'audit',
  'carriers?carrier=MSCU',
  'free-time',
  'shared-pages',
  'sessions',
  'about',
];
const phone = { width: 360, height: 780 };
const desk = { width: 1440, height: 900 };

/** In `npm test`, every fifth screen is opened, and axe, which takes most of the time, checks every tenth. */
const isOpened = (index: number): boolean => scaled({ short: index % 5 === 0, full: true });
const isChecked = (index: number): boolean => scaled({ short: index % 10 === 0, full: true });

const vehicle = { name: 'MAREN AURORA', imo: null, voyage: '240W', flight: null };

/** A shipment that left Shanghai a while ago and is expected in Rotterdam in a while, with coordinates. */
async function plantAtSea(api: TestApi, accountId: string): Promise<{ id: string }> {
  const scopes = ['shipments:read', 'shipments:write'] as const;
  const caller = { accountId, keyId: null, scopes, test: false, requestId: 'req_test', idempotency: null };
  const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 16);
  const port = { iata: null, timezone: null, facility: null };
  const from = { ...port, name: 'Shanghai', unlocode: 'CNSHA', country: 'CN', lat: 31.2, lng: 121.5 };
  const to = { ...port, name: 'Rotterdam', unlocode: 'NLRTM', country: 'NL', lat: 51.9, lng: 4.5 };
  const number = oceanRegistration({ identifiers: { mbl: uniqueNumber() } });
  const { shipment } = await registerShipment(api.ctx.core, caller, number);
  const departed = { code: 'departed', local: at(-10), location: from, legRole: 'pol', vehicle } as const;
  const expected = { code: 'arrived', local: at(20), location: to, legRole: 'pod', classifier: 'estimated' } as const;
  await refresh(api.ctx.core, { accountId, shipmentId: shipment.id }, found(departed, { ...expected, vehicle }));
  return { id: shipment.id };
}

type Finger = { x: number; y: number; id: number };

/** On a phone, where a tap chooses a circle, one finger scrolls the page, and two zoom the map. */
async function moveByTouch(opened: Page): Promise<void> {
  const context = await opened
    .context()
    .browser()
    ?.newContext({
      storageState: await opened.context().storageState(),
      viewport: { width: 390, height: 500 },
      hasTouch: true,
      isMobile: true,
    });
  if (context === undefined) throw new Error('the browser is closed');
  const page = await context.newPage();
  page.setDefaultTimeout(patienceMs);
  await page.goto(new URL('/map', opened.url()).href);
  const ship = page.getByRole('button', { name: /^MAREN AURORA, seen/ });
  await ship.tap();
  await page.waitForURL(/at=/);
  const devtools = await context.newCDPSession(page);
  const touch = async (fingers: readonly Finger[][]) => {
    for (const [step, touchPoints] of fingers.entries())
      await devtools.send('Input.dispatchTouchEvent', { type: step === 0 ? 'touchStart' : 'touchMove', touchPoints });
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  };
  await touch([0, 40, 80, 120].map((up) => [{ x: 195, y: 330 - up, id: 0 }]));
  await expect.poll(() => page.evaluate(`document.querySelector('main').scrollTop`)).toBeGreaterThan(0);
  expect(page.url()).not.toContain('zoom=');
  const wide = (by: number) => [
    { x: 195 - by, y: 260, id: 0 },
    { x: 195 + by, y: 260, id: 1 },
  ];
  await touch([30, 50, 70, 90].map(wide));
  await page.waitForURL(/zoom=/);
  expect(await page.evaluate('visualViewport.scale')).toBe(1);
  await context.close();
}

async function boxOf(locator: Locator): Promise<{ x: number; y: number; width: number }> {
  await locator.waitFor();
  const box = await locator.boundingBox();
  if (box === null) throw new Error('it is not visible');
  return box;
}

describe.skipIf(browserPath === null)('every screen', () => {
  let pages: Pages;
  let api: TestApi;
  let browser: Browser;
  let accountId: string;
  let seeded: Seeded[];
  let paths: string[];
  const emails = { owner: '', viewer: '', operator: 'operator@example.test' };

  beforeAll(async () => {
    pages = await openPages({ SIMULATOR: 'on' });
    ({ api, browser } = pages);
    await claimApi(api, emails.operator);
    const owner = await signedIn(api, 'owner', account);
    emails.owner = owner.email;
    accountId = owner.accountId;
    emails.viewer = (await signedIn(api, 'viewer', account)).email;
    seeded = await seedAccountOf(api, owner);
    const { failing, disabled, delivery } = await seedWebhooks(api, owner);
    const late = idOf('late-rotterdam');
    paths = [
      '/',
      `/?peek=${late}`,
      '/?q=nothing%20has%20this',
      '/?view=free_time',
      `/shipments/${late}`,
      `/shipments/${idOf('wrong-number')}`,
      '/shipments/shp_00000000000000000000000000',
      '/add',
      '/add?from=file',
      '/failures',
      '/map',
      '/analytics',
      '/carriers?carrier=MAEU',
      '/operations',
      '/developers',
      '/developers/webhooks',
      `/developers/webhooks/${failing}?delivery=${delivery}`,
      `/developers/webhooks/${failing}/edit`,
      `/developers/webhooks/${disabled}`,
      ...sections.map((section) => `/configuration/${section}`),
      '/calendar',
      '/calendar?by=week&carrier=MAEU',
    ];
  });
  afterAll(() => pages?.close());

  const idOf = (name: string) => seeded.find((one) => one.name === name)?.id ?? '';

  /** A page with a session, and the errors on it. */
  async function openAs(email: string) {
    const context: BrowserContext = await browser.newContext({ viewport: desk });
    const page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    await page.goto(`${api.url}/sign-in`);
    await signInOn(page, email);
    await page.getByLabel('Email').waitFor({ state: 'detached' });
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('404')) faults.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(api.url) && !/^(data|blob):/.test(request.url()))
        faults.push(`requested ${request.url()}`);
    });
    page.on('response', (response) => {
      if ([401, 403].includes(response.status()) || response.status() >= 500)
        faults.push(`${response.status()} ${response.url()}`);
    });
    return { page, faults, close: () => context.close() };
  }

  async function open(page: Page, path: string): Promise<void> {
    await page.goto(api.url + path);
    // Not by its role: an open dialog hides the page from screen readers.
    await page.locator('h1').first().waitFor({ state: 'attached' });
    await expect.poll(() => page.locator('[role=status][aria-label^=Loading]').count()).toBe(0);
  }

  it('has no axe violations in both themes, fits a narrow phone, and sends no foreign requests', async () => {
    const { page, faults, close } = await openAs(emails.owner);
    for (const [index, path] of [...paths, '/nowhere/at/all'].entries()) {
      if (!isOpened(index)) continue;
      await open(page, path);
      if (isChecked(index)) expect(await violationsInBothThemes(page), path).toEqual([]);
      // The long account name must not widen the page.
      await page.setViewportSize(phone);
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBe(phone.width);
      await page.setViewportSize(desk);
      expect(faults, path).toEqual([]);
    }
    await close();
  });

  it('offers viewers no forbidden action, and sends no forbidden request', async () => {
    const { page, faults, close } = await openAs(emails.viewer);
    const offered =
      /^(Refresh now|Edit|Correct numbers|New key|Invite|Archive|Resume|Resume tracking|Refresh|Tag|Track \d.*|Set credentials|New endpoint|Send test|Create endpoint|Save changes|Enable|Add row|Import CSV|Set last free day)$/;
    for (const path of ['/?view=all', ...paths.filter((_, index) => isChecked(index + 1))]) {
      await open(page, path);
      if (path === '/?view=all') await page.keyboard.press('j').then(() => page.keyboard.press('x'));
      const enabled = page.getByRole('button', { name: offered, disabled: false });
      await expect.poll(() => enabled.allTextContents(), { message: path }).toEqual([]);
      expect(faults, path).toEqual([]);
    }
    await close();
  });

  it('has no axe violations without a session, and resets a password', async () => {
    const context = await browser.newContext({ viewport: phone });
    const page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    const { email } = await signedIn(api, 'viewer', account);
    const token = await makePasswordReset(api.ctx.core, email, 'req_script');
    const signedOut = [
      '/sign-in',
      '/claim#token=used',
      '/invite#token=used',
      '/reset#token=used',
      `/reset#token=${token}`,
    ];
    for (const [index, path] of signedOut.entries()) {
      await page.goto('about:blank');
      await page.goto(api.url + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      if (isChecked(index)) expect(await violationsInBothThemes(page), path).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBe(phone.width);
    }
    await page
      .getByLabel(/password/i)
      .first()
      .fill('a new and long password');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${api.url}/`);
    await page.goto('about:blank');
    await page.goto(`${api.url}/reset#token=${token}`);
    await page.getByRole('heading', { name: 'Invalid reset link' }).waitFor();
    await context.close();
  });

  it('opens lists with exactly the counted rows from the map and from today', async () => {
    const { page, close } = await openAs(emails.owner);
    for (const label of ['arriving within 7 days', 'late by a day or more']) {
      await open(page, '/map');
      const summary = page.getByRole('link', { name: new RegExp(`^[\\d,]+ .*${label}`) });
      const count = Number.parseInt((await summary.textContent()) ?? '', 10);
      expect(count).toBeGreaterThan(0);
      await summary.click();
      await page.getByText(`1–${count} of ${count}`, { exact: true }).waitFor();
    }
    for (const name of ['expected', 'late']) {
      await open(page, '/calendar');
      const number = page.getByRole('table').getByRole('link', { name: new RegExp(`^[\\d,]+ +${name}\\b`) });
      const count = Number.parseInt((await number.last().textContent()) ?? '', 10);
      await number.last().focus();
      await page.keyboard.press('Enter');
      await page.getByText(`1–${count} of ${count}`, { exact: true }).waitFor();
    }
    await open(page, '/');
    const today = page.getByRole('button', { name: /^Arriving today \d+$/ });
    const count = Number.parseInt(/\d+$/.exec((await today.textContent()) ?? '')?.[0] ?? '', 10);
    await today.click();
    // Shortly before midnight there may be none.
    await page.getByText(count === 0 ? 'No arrivals today' : `1–${count} of ${count}`, { exact: true }).waitFor();
    await close();
  });

  it('zooms and moves the map, opens the same view from its address, and estimates until a position is known', async () => {
    const { page, close } = await openAs(emails.owner);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const { id } = await plantAtSea(api, accountId);
    const asked = new Set<string>();
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/dashboard/api/map') asked.add(searchParams.get('view') ?? '');
    });
    await open(page, '/map');
    const estimated = page.getByRole('button', { name: /^At sea, Shanghai to Rotterdam: 1 shipment\. Estimated from/ });
    const whole = await boxOf(estimated);
    await estimated.hover();
    expect(asked.size).toBe(1);
    await estimated.evaluate((mark) => {
      const { x, y, width, height } = mark.getBoundingClientRect();
      const at = { bubbles: true, cancelable: true, clientX: x + width / 2, clientY: y + height / 2 };
      for (let tick = 0; tick < 6; tick++) mark.dispatchEvent(new WheelEvent('wheel', { ...at, deltaY: -80 }));
    });
    await page.waitForURL(/zoom=/);
    // Once, at the end of the wheel's ticks.
    await expect.poll(() => asked.size).toBe(2);
    // The wheel zooms towards the pointer.
    for (const part of ['x', 'width'] as const)
      await expect.poll(async () => (await boxOf(estimated))[part]).toBeCloseTo(whole[part], -1);
    const zoomed = await boxOf(estimated);
    const before = page.url();
    await page.getByRole('region', { name: 'World map' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForURL((url) => url.href !== before && url.href.includes('zoom='));
    await expect.poll(async () => (await boxOf(estimated)).x).toBeCloseTo(zoomed.x - 120, -1);
    const moved = await boxOf(estimated);
    await open(page, new URL(page.url()).href.slice(api.url.length));
    await expect.poll(async () => (await boxOf(estimated)).x).toBeCloseTo(moved.x, -1);
    await estimated.click();
    await page.getByText('Estimated from departure and ETA, on the drawn line. No position reported.').waitFor();

    await page.route('**/dashboard/api/map?*', (route) => route.fulfill({ status: 400, json: {} }));
    await Promise.all([page.waitForResponse(/\/dashboard\/api\/map\?/), page.keyboard.press('-')]);
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    // The screen stays drawn.
    expect(await estimated.isVisible()).toBe(true);
    await page.unroute('**/dashboard/api/map?*');

    const seen = { shipmentId: id, lat: 12.4, lng: 48.6, at: new Date().toISOString(), source: 'client:ais', vehicle };
    await withAccount(api.ctx.core.store, accountId, (tx) => keepPositions(tx, accountId, [seen]));
    await page.reload();
    await page.getByRole('region', { name: 'World map' }).waitFor();
    await page.keyboard.press('0');
    await page.waitForURL((url) => !url.href.includes('zoom='));
    await page.getByRole('button', { name: /^MAREN AURORA, seen (just now|\d+ min ago): 1 shipment$/ }).waitFor();
    expect(await estimated.count()).toBe(0);
    if (scaled({ short: false, full: true })) await moveByTouch(page);
    await close();
  });

  it('keeps the list order when a shipment is opened from it', async () => {
    const { page, close } = await openAs(emails.owner);
    await open(page, '/?view=all');
    await page.locator('[data-row]').nth(2).waitFor();
    for (const key of ['j', 'j', 'Enter']) await page.keyboard.press(key);
    await page.getByText(/^2 of \d+\+?$/).waitFor();
    const second = page.url();
    expect(await page.getByRole('link', { name: 'Shipments', exact: true }).first().getAttribute('aria-current')).toBe(
      'page',
    );
    await page.getByRole('button', { name: 'Next shipment' }).click();
    await page.getByText(/^3 of \d+\+?$/).waitFor();
    await page.keyboard.press('k');
    await page.waitForURL(second);
    await page.getByRole('button', { name: 'Previous shipment' }).click();
    await page.getByText(/^1 of \d+\+?$/).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Previous shipment' }).isDisabled()).toBe(true);
    await close();
  });
});
