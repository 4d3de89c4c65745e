import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath } from '#test/support/browser/browser.ts';
import { signedIn } from '#test/support/browser/dashboard.ts';
import { openPages, type Pages, signInOn } from '#test/support/browser/pages.ts';
import { workOnBulk } from '#test/support/browser/work-on-bulk.ts';
import { patienceMs, until } from '#test/support/until.ts';

describe.skipIf(browserPath === null)('the keys of the list and of a shipment', () => {
  let pages: Pages;
  let page: Page;
  let ask: Awaited<ReturnType<typeof signedIn>>['ask'];
  const ids: string[] = [];

  beforeAll(async () => {
    pages = await openPages();
    const owner = await signedIn(pages.api, 'owner', 'keys of the list');
    ask = owner.ask;
    for (const mbl of ['MAEU700000011', 'MAEU700000012', 'MAEU700000013']) {
      const body = { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl } };
      ids.push((await ask('/dashboard/api/v1/shipments', { body })).body.shipment_id);
    }
    const context = await pages.browser.newContext({
      viewport: { width: 1440, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    await page.goto(`${pages.api.url}/`);
    await signInOn(page, owner.email);
    await page.getByRole('row').nth(3).waitFor();
  });
  afterAll(() => pages?.close());

  const preview = () => page.getByRole('complementary', { name: 'Preview' });
  /** The note disappears after a while, which a busy machine may miss: each look is preceded by the key. */
  const copies = (note: RegExp) =>
    until(
      async () => {
        await page.keyboard.press('c');
        return page.getByRole('status').getByText(note).count();
      },
      (shown) => shown > 0,
    );
  const archived = async (id: string) => (await ask(`/dashboard/api/v1/shipments/${id}`)).body.archived_at;

  it.each([
    [
      'Sort',
      async () => {
        await page.getByRole('button', { name: /^Sort: / }).click();
        await page.getByRole('menuitemradio').first().press('Enter');
      },
    ],
    [
      'Mode',
      async () => {
        await page.getByRole('combobox', { name: 'Mode, no filter' }).click();
        await page.getByRole('listbox').waitFor();
        await page.mouse.click(900, 700);
      },
    ],
  ])('gives Space to the list after the menu “%s” closes', async (_name, useMenu) => {
    await useMenu();
    await page.getByRole('menu').or(page.getByRole('listbox')).waitFor({ state: 'detached' });
    if (await preview().isVisible()) await page.keyboard.press('Escape');
    await preview().waitFor({ state: 'detached' });
    const isInList = () => document.activeElement?.closest('[data-row]') !== null;
    await expect.poll(() => page.evaluate(isInList)).toBe(true);
    await page.keyboard.press('Space');
    await preview().waitFor();
    expect(await page.getByRole('menu').count()).toBe(0);
    await page.keyboard.press('Escape');
    await preview().waitFor({ state: 'detached' });
  });

  it('returns the focus to the button when Escape closes a menu', async () => {
    const sort = page.getByRole('button', { name: /^Sort: / });
    await sort.click();
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await expect.poll(() => sort.evaluate((node) => node === document.activeElement)).toBe(true);
    await page.locator('[data-list-focus]').focus();
  });

  it('copies the number of the active row, and of every selected one', async () => {
    await page.keyboard.press('j');
    await copies(/^Copied MAEU/);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^MAEU70000001\d$/);
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await copies(/^Copied 2 numbers/);
    expect((await page.evaluate(() => navigator.clipboard.readText())).split('\n')).toHaveLength(2);
    await page.keyboard.press('Escape');
  });

  it('tags, edits and archives the active row, and asks before it archives', async () => {
    await page.keyboard.press('t');
    await page.getByLabel('Tags to add, separated by commas').fill('urgent');
    await page.keyboard.press('Enter');
    await workOnBulk(pages.api, page, '1 shipment tagged.');
    await page.getByRole('status').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.locator('[data-list-focus]').focus();

    await page.keyboard.press('e');
    const dialog = page.getByRole('dialog', { name: 'Edit' });
    await expect.poll(() => dialog.getByLabel('Tags').inputValue()).toBe('urgent');
    // Letters are text in a field, and no key of the list.
    await dialog.getByLabel('Reference', { exact: true }).fill('');
    await dialog.getByLabel('Reference', { exact: true }).pressSequentially('area');
    expect(await page.getByRole('alertdialog').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });

    await page.locator('[data-list-focus]').focus();
    await page.keyboard.press('a');
    await page
      .getByRole('alertdialog', { name: 'Archive this shipment?' })
      .getByRole('button', { name: 'Cancel' })
      .click();
    for (const id of ids) expect(await archived(id)).toBeNull();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await page.locator('[data-list-focus]').focus();
    await page.keyboard.press('a');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Archive' }).click();
    await workOnBulk(pages.api, page, '1 shipment archived.');
    await page.getByRole('status').getByRole('button', { name: 'Close' }).click();
    expect((await Promise.all(ids.map(archived))).filter((at) => at !== null)).toHaveLength(1);
  });

  it('lists every key behind ?, and the frequent ones at the foot of the list', async () => {
    const footer = page.getByRole('list', { name: 'Keys' });
    for (const name of ['refresh', 'tag', 'archive', 'edit', 'copy'])
      await footer.getByText(name, { exact: true }).waitFor();
    await page.locator('[data-list-focus]').focus();
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    for (const line of ['Refresh the row or the selection', 'Tag it', 'Archive it, or restore it', 'Edit the row'])
      await help.getByText(line).waitFor();
    await page.keyboard.press('Escape');
  });

  it('has the same keys on a shipment', async () => {
    const states = await Promise.all(ids.map(archived));
    const id = ids[states.indexOf(null)] ?? '';
    await page.goto(`${pages.api.url}/shipments/${id}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
    await copies(/^Copied MAEU/);
    await page.keyboard.press('t');
    const dialog = page.getByRole('dialog', { name: 'Edit' });
    await expect.poll(() => dialog.getByLabel('Tags').evaluate((node) => node === document.activeElement)).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const [request] = await Promise.all([
      page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/refresh')),
      page.keyboard.press('r'),
    ]);
    expect(request.url()).toContain(id);
    await page.keyboard.press('a');
    await page.getByRole('alertdialog', { name: 'Archive this shipment?' }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('keeps the shell around an address without a page', async () => {
    await page.goto(`${pages.api.url}/nowhere/at/all`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('link', { name: 'Map', exact: true }).click();
    await page.waitForURL('**/map');
  });

  it('shows the whole name of a member where there is room', async () => {
    const name = 'Anneliese-Katharina von Hohenstaufen-Wittelsbach zu Sachsen';
    const invited = await ask('/dashboard/api/invites', { body: { email: 'long.name@example.test', role: 'member' } });
    expect(invited.status).toBe(201);
    const token = new URL(invited.body.link).hash.replace('#token=', '');
    const joining = { token, name, password: 'a password of tests' };
    expect((await ask('/dashboard/api/invite', { body: joining })).status).toBeLessThan(300);
    await page.goto(`${pages.api.url}/configuration/members`);
    const cell = page.getByRole('cell', { name, exact: true });
    await cell.waitFor();
    expect(await cell.evaluate((node) => node.scrollWidth <= node.clientWidth)).toBe(true);
  });
});
