import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePasswordReset } from '#shared/core/people/reset-password.ts';
import type { Seeded } from '#test/agents/portfolio/seed.ts';
import type { TestApi } from '#test/support/api/api.ts';
import { browserPath } from '#test/support/browser/browser.ts';
import { claimApi, signedIn } from '#test/support/browser/dashboard.ts';
import { openPages, type Pages, signInOn, violationsInBothThemes } from '#test/support/browser/pages.ts';
import { seedAccountOf } from '#test/support/browser/seeded-dashboard.ts';
import { seedWebhooks } from '#test/support/browser/seeded-webhooks.ts';
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

/** In `npm test`, every third screen is opened, and axe, which takes most of the time, judges every sixth. */
const isOpened = (index: number): boolean => scaled({ short: index % 3 === 0, full: true });
const isJudged = (index: number): boolean => scaled({ short: index % 6 === 0, full: true });

describe.skipIf(browserPath === null)('every screen', () => {
  let pages: Pages;
  let api: TestApi;
  let browser: Browser;
  let seeded: Seeded[];
  let paths: string[];
  const emails = { owner: '', viewer: '', operator: 'operator@example.test' };

  beforeAll(async () => {
    pages = await openPages({ SIMULATOR: 'on' });
    ({ api, browser } = pages);
    await claimApi(api, emails.operator);
    const owner = await signedIn(api, 'owner', account);
    emails.owner = owner.email;
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
      if (isJudged(index)) expect(await violationsInBothThemes(page), path).toEqual([]);
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
    for (const path of ['/?view=all', ...paths.filter((_, index) => isOpened(index + 1))]) {
      await open(page, path);
      if (path === '/?view=all') await page.keyboard.press('j').then(() => page.keyboard.press('x'));
      for (const button of await page.getByRole('button', { name: offered }).all())
        expect(await button.isDisabled(), `${path}: ${await button.textContent()}`).toBe(true);
      expect(faults, path).toEqual([]);
    }
    await close();
  });

  it('has no axe violations without a session, and resets a password', async () => {
    const context = await browser.newContext({ viewport: phone });
    const page = await context.newPage();
    const { email } = await signedIn(api, 'viewer', account);
    const token = await makePasswordReset(api.ctx.core, email, 'req_script');
    for (const path of [
      '/sign-in',
      '/claim#token=used',
      '/invite#token=used',
      '/reset#token=used',
      `/reset#token=${token}`,
    ]) {
      await page.goto('about:blank');
      await page.goto(api.url + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await violationsInBothThemes(page), path).toEqual([]);
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
    await open(page, '/');
    const today = page.getByRole('button', { name: /^Arriving today \d+$/ });
    const count = Number.parseInt(/\d+$/.exec((await today.textContent()) ?? '')?.[0] ?? '', 10);
    await today.click();
    // Shortly before midnight there may be none.
    await page.getByText(count === 0 ? 'No arrivals today' : `1–${count} of ${count}`, { exact: true }).waitFor();
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
    expect(await page.getByRole('button', { name: 'Previous shipment' }).isDisabled()).toBe(true);
    await close();
  });
});
