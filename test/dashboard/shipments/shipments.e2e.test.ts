import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Locator, Page, Route } from 'playwright-core';
import readXlsx from 'read-excel-file/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api/api.ts';
import { browserPath } from '#test/support/browser/browser.ts';
import { type SignedInMember, signedIn } from '#test/support/browser/dashboard.ts';
import { openPages, type Pages, signInOn, violationsInBothThemes } from '#test/support/browser/pages.ts';
import { workOnBulk } from '#test/support/browser/work-on-bulk.ts';
import { scaled } from '#test/support/run-scale.ts';
import { seedShipments } from '#test/support/seed-shipments.ts';
import { patienceMs } from '#test/support/until.ts';

describe.skipIf(browserPath === null)('the shipment list', () => {
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
    context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
  });
  afterEach(() => context.close());

  async function openAs(member: SignedInMember, path: string): Promise<void> {
    await page.goto(api.url + path);
    await signInOn(page, member.email);
    await page.getByRole('button', { name: 'Search or paste a number' }).first().waitFor();
  }

  async function register(member: SignedInMember, mbl: string, reference: string): Promise<string> {
    const answer = await member.ask('/dashboard/api/v1/shipments', {
      body: { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl }, reference, metadata: { buyer: 'Acme' } },
    });
    expect(answer.status).toBe(201);
    return answer.body.shipment_id;
  }

  const rows = () => page.locator('[data-row]');

  const worked = (result: string) => workOnBulk(api, page, result);

  it('moves, previews, selects and opens by keyboard', async () => {
    const member = await signedIn(api, 'member', 'keyboard');
    for (const [index, mbl] of ['MAEU111111111', 'MAEU222222222', 'MAEU333333333'].entries())
      await register(member, mbl, `PO-${index}`);
    await openAs(member, '/?view=all&sort=created_at');
    await rows().nth(2).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Space');
    const preview = page.getByRole('complementary', { name: 'Preview' });
    await preview.getByText('MAEU 222 222 222').waitFor();
    expect(page.url()).toContain('peek=shp_');
    await page.keyboard.press('Escape');
    await preview.waitFor({ state: 'detached' });
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('X');
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/shipments/shp_*');
    await page.getByText('PO-2').first().waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.waitForURL(`${api.url}/`);
  });

  it('opens a pasted number from any page, and offers to track an unknown one', async () => {
    const member = await signedIn(api, 'member', 'palette');
    const id = await register(member, 'MAEU444444444', 'PO-44');
    await openAs(member, '/developers');
    await page.keyboard.press('/');
    const input = page.getByRole('combobox', { name: 'Search or paste a number' });
    await input.fill('maeu 444-444 444');
    await input.press('Enter');
    await page.waitForURL(`**/shipments/${id}`);
    await page.keyboard.press('Control+k');
    await input.fill('MAEU 555 555 555');
    await page.getByRole('option', { name: 'Track MAEU 555 555 555' }).waitFor();
    await input.press('Enter');
    await page.waitForURL('**/add?number=MAEU*');
  });

  it('tags several shipments, archives them, undoes it, and saves a view', async () => {
    const member = await signedIn(api, 'member', 'bulk');
    const ids = [await register(member, 'MAEU666666666', 'PO-6'), await register(member, 'MAEU777777777', 'PO-7')];
    await openAs(member, '/?view=all');
    await rows().nth(1).waitFor();
    await page.getByRole('checkbox', { name: 'Select all 2' }).click();
    await page.getByRole('toolbar').getByRole('button', { name: 'Tag' }).click();
    await page.getByLabel('Tags to add, separated by commas').fill('spring, acme');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await worked('2 shipments tagged.');
    for (const id of ids)
      expect((await member.ask(`/dashboard/api/v1/shipments/${id}`)).body.tags).toEqual(['spring', 'acme']);

    await page.getByRole('toolbar').getByRole('button', { name: 'Archive' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Archive' }).click();
    await page
      .getByText('2 shipments archived.')
      .or(page.getByText(/^Archiving/))
      .waitFor();
    // The page may be closed at the same time.
    await page.reload();
    await worked('2 shipments archived.');
    await page.getByRole('button', { name: 'Undo' }).click();
    await worked('2 shipments restored.');
    expect((await member.ask(`/dashboard/api/v1/shipments/${ids[0]}`)).body.archived_at).toBeNull();

    await page.goto(`${api.url}/?view=all`);
    await rows().nth(1).waitFor();
    await page.getByRole('button', { name: 'Columns' }).press('Enter');
    await page.getByRole('menuitemcheckbox', { name: 'Metadata' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('gridcell', { name: 'buyer: Acme' }).nth(1).waitFor();
    await page.goto(`${api.url}/?view=all&tag=spring`);
    await rows().nth(1).waitFor();
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByLabel('View name').fill('Spring campaign');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Remove Tag spring' }).click();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search or paste a number' }).fill('spring');
    await page.getByRole('option', { name: 'Spring campaign' }).click();
    await page.waitForURL('**/?view=all&tag=spring');
  });

  it('selects the whole list on request, and exports all of it', async () => {
    const member = await signedIn(api, 'member', 'all of them');
    await seedShipments({ databaseUrl: api.databaseUrl, accountId: member.accountId, count: 230 });
    await openAs(member, '/?view=all');
    await rows().nth(1).waitFor();
    await page.getByRole('checkbox', { name: 'Select the 100 loaded' }).click();
    await page.getByText('100 loaded shipments selected').waitFor();
    await page.getByRole('button', { name: 'Select all 230' }).click();
    await page.getByText('All 230 selected').waitFor();
    // The other rows were not loaded for it.
    await page.getByText('1–100 of 230').waitFor();
    const save = async (choose: (dialog: Locator) => Promise<void>) => {
      await page.getByRole('button', { name: 'Export' }).click();
      const dialog = page.getByRole('dialog', { name: 'Export' });
      await choose(dialog);
      const saving = dialog.getByRole('button', { name: 'Export' });
      const [download] = await Promise.all([page.waitForEvent('download'), saving.click()]);
      return download;
    };
    const download = await save((dialog) => dialog.getByText('JSON lines').click());
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\n');
    expect(new Set(lines.map((line) => JSON.parse(line).shipment_id)).size).toBe(230);
    expect(lines).toHaveLength(230);
    const csv = readFileSync(await (await save((dialog) => dialog.getByText('CSV').click())).path());
    expect(csv.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    const workbook = await save(async (dialog) => {
      await dialog.getByText('Excel', { exact: true }).click();
      await dialog.getByRole('button', { name: 'None' }).click();
      await dialog.getByText('Choose at least one column.').waitFor();
      await dialog.getByRole('checkbox', { name: 'Reference', exact: true }).click();
      await dialog.getByRole('checkbox', { name: 'Status', exact: true }).click();
    });
    expect(workbook.suggestedFilename()).toMatch(/^shipments-.*\.xlsx$/);
    const [{ data: sheet } = { data: [] }] = await readXlsx(readFileSync(await workbook.path()));
    expect(sheet[0]).toEqual(['shipment_id', 'reference', 'status']);
    expect(new Set(sheet.slice(1).map(([id]) => id)).size).toBe(230);

    await page.getByRole('toolbar').getByRole('button', { name: 'Archive' }).click();
    await page.getByRole('heading', { name: 'Archive 230 shipments?' }).waitFor();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Archive' }).click();
    await worked('230 shipments archived.');
  });

  it('keeps the page and pasted numbers while Landfall does not answer and after the session has ended', async () => {
    const member = await signedIn(api, 'member', 'outage');
    const firstScript = async (route: Route) => {
      // Before any script has run, the page shows its frame.
      await page.getByRole('status', { name: 'Loading Landfall' }).waitFor();
      await route.continue();
    };
    await page.route('**/assets/index-*.js', firstScript, { times: 1 });
    await openAs(member, '/add');
    await page.getByLabel('Numbers', { exact: true }).fill('MAEU263944107');
    await page.getByRole('button', { name: 'Track 1 shipment' }).waitFor();
    let isDown = true;
    await context.route('**/*', (route) => (isDown ? route.abort('connectionrefused') : route.continue()));
    await page.getByRole('link', { name: 'Carriers' }).click();
    await page.getByText('This screen opens as soon as Landfall answers.').waitFor();
    isDown = false;
    await page.getByRole('heading', { name: 'Carriers' }).waitFor();

    await page.goBack();
    await page.getByRole('button', { name: 'Track 1 shipment' }).waitFor();
    await context.clearCookies();
    await page.getByRole('button', { name: 'Track 1 shipment' }).click();
    await page.getByText('Your session has ended.').waitFor();
    await signInOn(page, member.email);
    await page.getByRole('button', { name: 'Track 1 shipment' }).waitFor();
  });

  it('shows first steps for an empty account, without actions for viewers', async () => {
    const viewer = await signedIn(api, 'viewer', 'empty');
    await openAs(viewer, '/');
    await page.getByRole('heading', { name: 'No shipments yet' }).waitFor();
    expect(await page.getByRole('main').getByRole('link', { name: 'Track' }).count()).toBe(0);
    expect(await violationsInBothThemes(page)).toEqual([]);
  });

  it.runIf(scaled({ short: false, full: true }))(
    'has no axe violations in list, preview, palette and on a phone',
    async () => {
      const member = await signedIn(api, 'member', 'axe');
      await register(member, 'MAEU888888888', 'PO-8');
      await register(member, 'MAEU999999999', 'شركة النور');
      await openAs(member, '/');
      await rows().nth(1).waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('Space');
      await page.getByRole('complementary', { name: 'Preview' }).getByText('Tracking', { exact: true }).waitFor();
      await page.keyboard.press('x');
      expect(await violationsInBothThemes(page)).toEqual([]);
      await page.keyboard.press('Control+k');
      await page.getByRole('option').first().waitFor();
      expect(await violationsInBothThemes(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.setViewportSize({ width: 360, height: 740 });
      await page.getByRole('button', { name: 'More', exact: true }).waitFor();
      expect(await violationsInBothThemes(page)).toEqual([]);
    },
  );
});
