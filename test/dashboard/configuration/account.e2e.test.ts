import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath } from '#test/support/browser/browser.ts';
import { signedIn } from '#test/support/browser/dashboard.ts';
import { openPages, type Pages, signInOn } from '#test/support/browser/pages.ts';
import { patienceMs } from '#test/support/until.ts';

describe.skipIf(browserPath === null)('the account', () => {
  let pages: Pages;
  beforeAll(async () => {
    pages = await openPages();
  });
  afterAll(() => pages?.close());

  it('is renamed everywhere at once, and dates and times are those of the browser’s locale', async () => {
    const { api, browser } = pages;
    const owner = await signedIn(api, 'owner', 'to be renamed');
    const context = await browser.newContext({ locale: 'en-US', timezoneId: 'America/New_York' });
    const page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    await page.goto(`${api.url}/configuration/account`);
    await signInOn(page, owner.email);
    const name = page.getByLabel('Name', { exact: true });
    await expect.poll(() => name.inputValue()).toBe('to be renamed');
    await expect.poll(() => page.getByRole('button', { name: 'Rename', exact: true }).isDisabled()).toBe(true);
    await name.fill('Nordwind Logistik');
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    await page.getByText('Renamed.').waitFor();
    await page.getByRole('button', { name: /Nordwind Logistik/ }).waitFor();
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByText('renamed the account from “to be renamed” to “Nordwind Logistik”').waitFor();
    expect(await page.getByRole('main').textContent()).toMatch(/[A-Z][a-z]{2} \d{1,2} \d{1,2}:\d\d [AP]M/);
    await context.close();
  });

  it('can be renamed by owners only', async () => {
    const { api, browser } = pages;
    const member = await signedIn(api, 'member', 'not theirs to rename');
    const context = await browser.newContext();
    const page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    await page.goto(`${api.url}/configuration/account`);
    await signInOn(page, member.email);
    await page.getByText('Only owners can rename the account. Your role is member.').waitFor();
    await expect.poll(() => page.getByLabel('Name', { exact: true }).isDisabled()).toBe(true);
    await context.close();
  });
});
