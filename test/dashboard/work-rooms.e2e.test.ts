import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readImportRows } from '#shared/contract/imports/import-row-body.ts';
import { runImports } from '#shared/core/imports/run-imports.ts';
import type { FetchResult } from '#shared/domain/record/shipment.ts';
import { openTraceStore } from '#shared/store/open-trace-store.ts';
import { insertSpans } from '#shared/store/system/insert-spans.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { TestApi } from '#test/support/api/api.ts';
import { newTraceId, tracePart, traceSpan } from '#test/support/api/trace-parts.ts';
import { browserPath } from '#test/support/browser/browser.ts';
import { claimApi, signedIn } from '#test/support/browser/dashboard.ts';
import { openPages, type Pages, signInOn, violationsInBothThemes } from '#test/support/browser/pages.ts';
import { carrierDown, refresh } from '#test/support/carriers/refreshed-shipment.ts';
import { uniqueNumber } from '#test/support/core-context.ts';
import { scaled } from '#test/support/run-scale.ts';
import { patienceMs } from '#test/support/until.ts';

describe.skipIf(browserPath === null)('adding, failures, carriers and operations', () => {
  let pages: Pages;
  let api: TestApi;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  const operator = { email: 'operator@example.test' };

  beforeAll(async () => {
    pages = await openPages();
    ({ api, browser } = pages);
    await claimApi(api, operator.email);
  });
  afterAll(() => pages?.close());
  beforeEach(async () => {
    context = await browser.newContext();
    page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
  });
  afterEach(() => context.close());

  /** Opens a page and signs in on the way. */
  const openAs = async ({ email }: { email: string }, path: string) => {
    await page.goto(api.url + path);
    await signInOn(page, email);
    await page.getByLabel('Email').waitFor({ state: 'detached' });
  };
  const countOf = async (accountId: string): Promise<number> => {
    const { rows } = await withSystem(api.ctx.core.store, (tx) =>
      tx.query<{ n: string }>('select count(*) as n from landfall.shipments where account_id = $1', [accountId]),
    );
    return Number(rows[0]?.n);
  };

  describe('adding', () => {
    it('recognizes numbers in an email, and registers each once on a double click', async () => {
      const member = await signedIn(api, 'member', 'adding');
      const known = `MAEU${uniqueNumber()}`;
      await openAs(member, `/add?number=${known}`);
      await page.getByRole('button', { name: 'Track 1 shipment' }).waitFor();
      await page
        .getByRole('textbox', { name: 'Numbers' })
        .fill(`Please track B/L ${known},\n020-0800 2050\nX-${uniqueNumber().slice(-6)} urgent\n${known}`);
      await page.getByText('2 ready · 1 incomplete · 1 duplicate').waitFor();
      const unknown = page.getByRole('row').filter({ hasText: 'Choose a mode.' });
      await unknown.getByLabel(/^Mode/).selectOption('road');
      await page.getByLabel(/^Carrier of X-/).selectOption({ label: 'Saia' });
      await page.getByLabel('Tags for all (optional)').fill('spring');
      await page.getByRole('button', { name: 'Track 3 shipments' }).dblclick();
      await page.getByText('3 registered').waitFor();
      expect(await countOf(member.accountId)).toBe(3);
      await page.getByRole('link', { name: 'Open' }).first().click();
      await page.waitForURL('**/shipments/shp_*');
    });

    it('retries a lost response with the same idempotency key, and registers nothing twice', async () => {
      const member = await signedIn(api, 'member', 'lost-answers');
      const keys: (string | null)[] = [];
      await page.route('**/v1/shipments/batch', async (route) => {
        keys.push(await route.request().headerValue('idempotency-key'));
        if (keys.length > 1) return route.continue();
        await route.fetch();
        return route.abort();
      });
      await openAs(member, '/add');
      await page.getByRole('textbox', { name: 'Numbers' }).fill(`MAEU${uniqueNumber()}\nMAEU${uniqueNumber()}`);
      await page.getByRole('button', { name: 'Track 2 shipments' }).click();
      await page.getByRole('alert').getByRole('button', { name: 'Retry' }).click();
      await page.getByText('2 registered').waitFor();
      expect(await countOf(member.accountId)).toBe(2);
      expect(keys).toEqual([expect.any(String), keys[0]]);
    });

    it('maps a file, checks it with a dry run, imports it, and returns failed rows as a file', async () => {
      const member = await signedIn(api, 'member', 'files');
      const rows = [
        `Maersk;MAEU${uniqueNumber()};rot`,
        `Maersk;MAEU${uniqueNumber()};"blau; hell"`,
        'Nobody;MAEU1;gelb',
      ];
      const file = {
        name: 'shipments.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(`Reederei;Nummer;Farbe (für uns)\r\n${rows.join('\r\n')}\r\n`, 'latin1'),
      };
      const registerAll = async () => {
        while ((await runImports(api.ctx.core, readImportRows, { signal: new AbortController().signal })) > 0);
      };
      await openAs(member, '/add?from=file');
      await page.locator('input[type=file]').setInputFiles(file);
      await page.getByText('windows-1252, semicolons').waitFor();
      await page.getByLabel('Default mode').selectOption('ocean');
      await page.getByLabel('Field for Nummer').selectOption('mbl');

      await page.getByRole('button', { name: 'Check', exact: true }).click();
      await page.getByText(/^Checked/).waitFor();
      await registerAll();
      await page.getByText('would be registered').waitFor();
      expect(await countOf(member.accountId)).toBe(0);

      await page.getByRole('button', { name: 'Import 2 rows' }).click();
      await page.waitForURL('**import=imp_*');
      await registerAll();
      await page.getByRole('heading', { name: 'Import complete' }).waitFor();
      expect(await countOf(member.accountId)).toBe(2);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download failed rows' }).click(),
      ]);
      expect(readFileSync(await download.path(), 'utf8')).toContain('Nobody');
    });
  });

  describe('failures', () => {
    const failing = async (
      accountName: string,
      results: readonly FetchResult[] = [carrierDown, carrierDown, carrierDown],
    ) => {
      const member = await signedIn(api, 'member', accountName);
      const answer = await member.ask('/dashboard/api/v1/shipments', {
        body: {
          transport_mode: 'ocean',
          carrier: 'MAEU',
          identifiers: { mbl: uniqueNumber() },
          reference: 'PO-7741',
          tags: ['spring'],
        },
      });
      expect(answer.status).toBe(201);
      const { rows } = await withSystem(api.ctx.core.store, (tx) =>
        tx.query<{ id: string }>('select id from landfall.shipments where account_id = $1', [member.accountId]),
      );
      const subject = { accountId: member.accountId, shipmentId: rows[0]?.id ?? '' };
      for (const result of results) await refresh(api.ctx.core, subject, result);
      return { ...member, shipmentId: answer.body.shipment_id as string };
    };

    it('are grouped by reason, with one button for each group', async () => {
      await openAs(await failing('failing'), '/failures');
      const group = page.getByRole('region', { name: 'Carrier unavailable' });
      await group.getByRole('row').filter({ hasText: 'PO-7741' }).waitFor();
      await group.getByRole('button', { name: 'Refresh now', exact: true }).click();
      await group
        .getByRole('status')
        .filter({ hasText: /1 refresh requested|1 skipped/ })
        .waitFor();
    });

    it('have their number corrected, and keep reference and tags', async () => {
      const rejected = { ...carrierDown, httpStatus: 400, reason: 'invalid_identifier', permanent: true } as const;
      const member = await failing('mistyped', [rejected]);
      await openAs(member, '/failures');
      const group = page.getByRole('region', { name: 'Number rejected by the carrier' });
      await group.getByRole('checkbox', { name: /^Select all/ }).click();
      const bar = group.getByRole('toolbar');
      await bar.getByText('1 selected').waitFor();
      await bar.getByRole('button', { name: 'Archive' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
      await bar.getByRole('button', { name: 'Clear' }).click();
      await bar.waitFor({ state: 'detached' });

      await group.getByRole('button', { name: /^Correct number: / }).click();
      const dialog = page.getByRole('dialog', { name: 'Correct numbers' });
      const field = dialog.getByLabel('Bill of lading');
      await field.fill('');
      await dialog.getByText('Enter the right number.').waitFor();
      await field.fill('MAEU123456784');
      await dialog.getByRole('button', { name: 'Save and resume tracking' }).click();
      await page.getByRole('heading', { name: 'No failures' }).waitFor();
      expect((await member.ask(`/dashboard/api/v1/shipments/${member.shipmentId}`)).body).toMatchObject({
        identifiers: { mbl: 'MAEU123456784' },
        reference: 'PO-7741',
        tags: ['spring'],
        tracking: { state: 'queued' },
      });
    });

    it('lead to the credentials of the carrier', async () => {
      const missing = { ...carrierDown, httpStatus: null, reason: 'credentials_missing' } as const;
      await openAs(await failing('without credentials', [missing]), '/failures');
      const group = page.getByRole('region', { name: 'Credentials missing' });
      await group.getByRole('link', { name: 'Set credentials: Maersk' }).waitFor();
      await group.getByRole('link', { name: 'Set credentials', exact: true }).click();
      await page.waitForURL('**/configuration/carriers?carrier=MAEU');
      await page.getByRole('complementary', { name: 'Maersk' }).waitFor();
    });

    it('are empty when everything is tracked on schedule', async () => {
      await openAs(await signedIn(api, 'member', 'quiet'), '/failures');
      await page.getByRole('heading', { name: 'No failures' }).waitFor();
    });

    it('have no actions for viewers', async () => {
      await failing('viewed');
      await openAs(await signedIn(api, 'viewer', 'viewed'), '/failures');
      await page.getByRole('region', { name: 'Carrier unavailable' }).waitFor();
      expect(await page.getByRole('button', { name: 'Refresh now' }).count()).toBe(0);
      await page.goto(`${api.url}/add`);
      await page.getByRole('textbox', { name: 'Numbers' }).fill(`MAEU${uniqueNumber()}`);
      await page.getByText('You have view-only access to this account.').waitFor();
      await expect.poll(() => page.getByRole('button', { name: /^Track/ }).isDisabled()).toBe(true);
    });
  });

  it('finds a carrier by name and lists its identifiers', async () => {
    await openAs(await signedIn(api, 'viewer', 'carriers'), '/carriers');
    await page.getByLabel('Search carriers by name or code').fill('maer');
    await page.getByRole('button', { name: /Maersk/ }).click();
    const panel = page.getByRole('complementary', { name: 'Maersk' });
    await panel.getByText('Ocean identifiers').waitFor();
    await page.waitForURL('**carrier=MAEU*');
    await page.keyboard.press('Escape');
  });

  describe('operations', () => {
    it('an operator reads the cause of all problems first', async () => {
      await openAs(operator, '/operations');
      await page.getByText('This installation has problems.').waitFor();
      await page.getByText('No worker is running').waitFor();
    });

    it('other users get links to their own data', async () => {
      await openAs(await signedIn(api, 'owner', 'not operators'), '/operations');
      await page.getByRole('heading', { name: 'Operators only' }).waitFor();
    });

    it('moves, folds and opens spans of a trace by keyboard', async () => {
      const traceId = newTraceId();
      const root = traceSpan(traceId, { name: 'refresh-shipment', durationUs: 90_000 });
      const ask = traceSpan(traceId, {
        name: 'ask',
        parentSpanId: root.spanId,
        startedAtUs: root.startedAtUs + 1000,
        durationUs: 80_000,
      });
      const attributes = { 'http.request.method': 'GET', 'server.address': 'api.line.example' };
      const call = traceSpan(traceId, {
        name: 'GET',
        kind: 'client',
        parentSpanId: ask.spanId,
        startedAtUs: root.startedAtUs + 2000,
        attributes,
      });
      const traces = openTraceStore({ databaseUrl: api.serviceUrl, timeoutMs: patienceMs, onError: () => undefined });
      await insertSpans(traces, [tracePart({ traceId, spans: [root, ask, call] })]);
      await traces.close();
      await openAs(operator, '/operations/traces');
      await page.getByRole('link', { name: 'refresh-shipment' }).first().click();
      await page.getByRole('treeitem', { name: /^refresh-shipment/ }).focus();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await page.getByText('http.request.method').waitFor();
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowLeft');
      await page.getByRole('treeitem', { name: /^GET/ }).waitFor({ state: 'detached' });
      await page.keyboard.press('ArrowRight');
      await page.getByRole('treeitem', { name: /^GET/ }).waitFor();
    });
  });

  it.runIf(scaled({ short: false, full: true }))('has no axe violations on these pages', async () => {
    await openAs(operator, '/carriers');
    const screens: readonly (readonly [string, string])[] = [
      ['/add?number=MSKU1234560', 'Track shipments'],
      ['/operations', 'Operations'],
      ['/operations/traces', 'Traces'],
    ];
    for (const [path, heading] of screens) {
      await page.goto(api.url + path);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      expect(await violationsInBothThemes(page), path).toEqual([]);
    }
  });
});
