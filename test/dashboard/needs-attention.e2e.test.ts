import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withSystem } from '#shared/store/with-account.ts';
import type { TestApi } from '#test/support/api/api.ts';
import { browserPath } from '#test/support/browser/browser.ts';
import { type SignedInMember, signedIn } from '#test/support/browser/dashboard.ts';
import { openPages, type Pages, signInOn } from '#test/support/browser/pages.ts';
import { uniqueNumber } from '#test/support/core-context.ts';
import { patienceMs, until } from '#test/support/until.ts';

/** Degraded shipments, more than two pages of the failures. */
const degraded = 45;

describe.skipIf(browserPath === null)('the texts of the screens', () => {
  let pages: Pages;
  let api: TestApi;
  let browser: Browser;
  let member: SignedInMember;

  beforeAll(async () => {
    pages = await openPages();
    ({ api, browser } = pages);
    member = await signedIn(api, 'member', 'attention');
    for (let n = 0; n < degraded + 4; n += 1)
      await member.ask('/dashboard/api/v1/shipments', {
        body: { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: uniqueNumber() } },
      });
    await withSystem(api.ctx.core.store, async (tx) => {
      const { rows } = await tx.query<{ id: string }>(
        'select id from landfall.shipments where account_id = $1 order by id',
        [member.accountId],
      );
      const [failed, waiting, young, held, ...others] = rows.map(({ id }) => id);
      const track = (ids: unknown, what: string) =>
        tx.query(`update landfall.polling set ${what} where shipment_id = any($1)`, [ids]);
      await track([failed], `state = 'failed', reason = 'invalid_identifier'`);
      await track([waiting], `state = 'awaiting_carrier', reason = 'credentials_missing'`);
      await track([young], `state = 'awaiting_carrier', reason = 'carrier_not_found_yet'`);
      await tx.query('update landfall.shipments set has_exception = true where id = $1', [held]);
      // No worker runs here.
      await track([held], `lease_until = null, next_refresh_at = now() - interval '330 s'`);
      await track(others, `state = 'degraded', reason = 'carrier_unreachable', last_succeeded_at = now()`);
    });
  });
  afterAll(() => pages?.close());

  /** A signed-in page at `path`. With a clock, time stands still until the test moves it. */
  async function openAt(path: string, hasClock = false): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    if (hasClock) {
      await page.clock.install();
      // The feed is read by pages, because a stream does not follow the clock of the test.
      await page.route('**/dashboard/api/v1/events/stream*', (route) =>
        route.fulfill({ status: 404, contentType: 'application/problem+json', body: '{"status":404}' }),
      );
    }
    await page.goto(api.url + path);
    await signInOn(page, member.email);
    await page.getByLabel('Email').waitFor({ state: 'detached' });
    return page;
  }

  it('shows one number of shipments that need attention in the list, the failures, the rail and the palette', async () => {
    const page = await openAt('/?view=needs');
    // The held one, the failed one, and the one without credentials.
    await page.getByRole('button', { name: 'Needs attention 3', exact: true }).waitFor();
    await page.getByText('1–3 of 3', { exact: true }).waitFor();
    await page.getByText('Shipments are due, but no refresh has completed for 5 min.').waitFor();
    await page.keyboard.press('/');
    await page.getByRole('option', { name: /Needs attention.*3/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Failures, 2 need attention' }).click();
    await page.getByRole('status', { name: 'Refreshes stopped' }).waitFor();
    await page.getByRole('button', { name: 'Needs attention 2', exact: true }).click();
    const groups = page.getByRole('region').filter({ has: page.getByRole('table') });
    await expect.poll(() => groups.count()).toBe(2);
    await page.context().close();
  });

  it('counts all failures, also those of a group that are not loaded', async () => {
    const page = await openAt('/failures');
    await page.getByRole('button', { name: `All ${degraded + 3}`, exact: true }).waitFor();
    const group = page.getByRole('region', { name: 'Carrier unavailable' });
    await group.getByRole('heading', { name: new RegExp(`^Carrier unavailable ${degraded}`) }).waitFor();
    await group.getByText(`20 of ${degraded} shown`, { exact: true }).waitFor();
    await group.getByRole('button', { name: 'Refresh now (20)', exact: true }).waitFor();
    await group.getByRole('button', { name: 'Load more' }).click();
    await group.getByText(`40 of ${degraded} shown`, { exact: true }).waitFor();
    await page.context().close();
  });

  it('shows Landfall as unreachable when it hangs, and as up to date when it answers again', async () => {
    const page = await openAt('/', true);
    /** Lets time pass until a status says it: what the page awaits does not follow its clock. */
    const status = (text: RegExp, stepMs: number) =>
      until(
        async () => {
          await page.clock.runFor(stepMs);
          return page.getByRole('status').filter({ hasText: text }).count();
        },
        (shown) => shown > 0,
      );
    await status(/^Up to date/, 4000);
    const hung: (() => void)[] = [];
    let isHung = true;
    await page.route('**/dashboard/api/v1/events?*', async (route) => {
      if (!isHung) return route.continue();
      await new Promise<void>((resolve) => hung.push(resolve));
      await route.abort().catch(() => undefined);
    });
    await until(
      () => page.clock.runFor(4000).then(() => hung.length),
      (count) => count > 0,
    );
    await page.clock.runFor(40_000);
    await status(/^Landfall is unreachable since/, 10);
    isHung = false;
    for (const release of hung) release();
    await status(/^Up to date/, 10_000);
    await page.context().close();
  });
});
