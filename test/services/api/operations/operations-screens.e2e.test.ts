import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildOperationsServer } from '#services/api/operations/build-operations-server.ts';
import { hostCheck } from '#shared/domain/installation/allowed-host.ts';
import { timedTraceId } from '#shared/domain/installation/trace.ts';
import { newTraceId } from '#test/support/api/trace-parts.ts';
import { browserPath } from '#test/support/browser/browser.ts';
import { openPages, type Pages, violationsInBothThemes } from '#test/support/browser/pages.ts';
import { markup, type SeededOperations, seedOperations } from '#test/support/browser/seeded-operations.ts';
import { scaled } from '#test/support/run-scale.ts';
import { patienceMs } from '#test/support/until.ts';

const token = 'a-token-of-sixteen-and-more';
const phone = { width: 360, height: 780 };
const desk = { width: 1440, height: 900 };
/** Gzipped scripts and styles of a page before it loads any screen lazily. */
const maxFirstLoadBytes = { 'index.html': 250_000, 'operations.html': 160_000 };

describe.skipIf(browserPath === null)('the screens of the operations port', () => {
  let pages: Pages;
  let browser: Browser;
  let guarded: FastifyInstance;
  let open: FastifyInstance;
  let seeded: SeededOperations;
  let context: BrowserContext;
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    pages = await openPages();
    ({ browser } = pages);
    seeded = await seedOperations(pages.api);
    guarded = await listening(token);
    open = await listening(null);
  });
  afterAll(async () => {
    await Promise.all([guarded?.close(), open?.close()]);
    await pages?.close();
  });
  beforeEach(async () => {
    context = await browser.newContext({ viewport: desk });
    page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    faults = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    page.on('request', (request) => {
      const { origin } = new URL(request.url());
      if (![urlOf(guarded), urlOf(open)].includes(origin)) faults.push(`requested ${request.url()}`);
    });
  });
  afterEach(() => context.close());

  async function listening(given: string | null): Promise<FastifyInstance> {
    const server = buildOperationsServer(pages.api.ctx, {
      guard: { token: given, isAllowedHost: hostCheck([]) },
      readMetrics: () => null,
    });
    await server.listen({ host: '127.0.0.1', port: 0 });
    return server;
  }

  const urlOf = (server: FastifyInstance) => `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;

  it('opens with the token in the address, which then disappears, and shows nothing without it', async () => {
    // Not a page of its own: a browser would also request the icon of a page without one.
    const request = () => page.request.get(`${urlOf(guarded)}/operations`, { headers: { accept: 'text/html' } });
    const refused = await request();
    expect(refused.status()).toBe(401);
    expect(await refused.text()).toContain('Open /operations?token=…');
    await page.goto(`${urlOf(guarded)}/operations?token=${token}`);
    await page.getByText('Hapag-Lloyd is failing: 92% of its last 50 calls failed, most with HTTP 500.').waitFor();
    expect(page.url()).toBe(`${urlOf(guarded)}/operations`);
    await page.getByRole('navigation').getByRole('link', { name: 'Traces' }).click();
    await page.getByRole('link', { name: 'refresh-shipment', exact: true }).first().click();
    await page.getByRole('treeitem', { name: /^refresh-shipment/ }).waitFor();
    await page.reload();
    await page.getByRole('treeitem', { name: /^refresh-shipment/ }).waitFor();
    expect(faults).toEqual([]);
    await context.clearCookies();
    expect((await request()).status()).toBe(401);
  });

  it('shows all that is known: problems, numbers, each carrier, failures, errors with their traces, and queues', async () => {
    await page.goto(`${urlOf(open)}/operations`);
    const body = page.locator('#screen');
    await body.getByText('Maersk is slow: p95 8.2 s').waitFor();
    for (const text of [
      'Due, not claimed',
      'Registrations',
      'Oldest carrier delivery',
      'The queue is unavailable. Refreshes wait',
    ])
      await body.getByText(text).waitFor();
    expect(await body.getByText('ZIM is').count()).toBe(0);
    await body.getByRole('button', { name: 'Hapag-Lloyd' }).click();
    const facts = await body.locator('dl').filter({ hasText: 'Circuit' }).textContent();
    for (const [name, value] of [
      ['Connector', 'hapag-lloyd'],
      ['Circuit', 'closed'],
      ['Failed', '46 (92.0%)'],
      ['p50', '60 ms'],
      ['p95', '90 ms'],
      ['Usual p95', 'unknown'],
      ['Calls left', '9'],
    ])
      expect(facts).toContain(`${name}${value}`);
    expect(facts).toMatch(/Last error[^a-z]*[A-Z].*unavailable/);
    const failures = body.getByRole('region', { name: 'Failures by reason' }).getByRole('row');
    expect(await failures.nth(1).textContent()).toBe('Hapag-Lloydunavailable5001');
    const errors = body.getByRole('region', { name: 'Failed and slowest refreshes' });
    expect(await errors.getByRole('link', { name: 'unavailable, HTTP 500' }).getAttribute('href')).toBe(
      `/operations/traces/${seeded.traceId}`,
    );
    expect(await errors.getByTitle(`All traces of ${seeded.shipmentId}`).getAttribute('href')).toBe(
      `/operations/traces?shipment=${seeded.shipmentId}`,
    );
    await page
      .getByRole('status')
      .filter({ hasText: /^Live$/ })
      .waitFor();
    expect(faults).toEqual([]);
  });

  it('shows the details of a span as text, whatever a carrier put into them, and why a carrier was not called', async () => {
    await page.goto(`${urlOf(open)}/operations/traces/${seeded.traceId}`);
    await page.getByRole('treeitem', { name: `GET ${markup}` }).click();
    await expect.poll(() => page.locator('dd').filter({ hasText: markup }).count()).toBe(1);
    await page.getByRole('treeitem', { name: /^refresh-shipment/ }).click();
    expect(await page.getByRole('link', { name: seeded.registration }).getAttribute('href')).toBe(
      `/operations/traces/${seeded.registration}`,
    );
    expect(await page.getByRole('link', { name: seeded.shipmentId }).getAttribute('href')).toBe(
      `/operations/traces?shipment=${seeded.shipmentId}`,
    );
    await page
      .getByRole('treeitem', { name: /record-reading/ })
      .getByText('640 µs')
      .waitFor();
    await page.goto(`${urlOf(open)}/operations/traces/${seeded.pausedTraceId}`);
    await page.getByText(`not called: ${seeded.why}`).first().waitFor();
    await page.getByText('1 span in').waitFor();
    expect(faults).toEqual([]);
  });

  it('distinguishes a trace that was not kept from an unknown id', async () => {
    await page.goto(`${urlOf(open)}/operations/traces/${'f'.repeat(32)}`);
    await page.getByRole('heading', { name: 'Trace not found' }).waitFor();
    await page.goto(`${urlOf(open)}/operations/traces/${timedTraceId(newTraceId(), Date.now())}`);
    await page.getByRole('heading', { name: 'Trace not kept' }).waitFor();
    await page.getByText('TRACE_STORE_SHARE').waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: /^Live$/ })
      .waitFor();
  });

  it('keeps the filters of the traces in the address', async () => {
    const query = 'carrier=HLCU&failed=true&order=slowest&since_s=86400';
    await page.goto(`${urlOf(open)}/operations/traces?${query}&shipment=&outcome=`);
    await page.getByRole('link', { name: 'refresh-shipment', exact: true }).waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    expect(await page.getByLabel('Carrier code').inputValue()).toBe('HLCU');
    expect(await page.getByLabel('Since').inputValue()).toBe('86400');
    for (const name of ['Failed', 'Slowest first'])
      expect(await page.getByRole('button', { name }).getAttribute('aria-pressed')).toBe('true');
    await page.getByLabel('Outcome').selectOption('changed');
    await page.getByRole('heading', { name: 'No matching traces' }).waitFor();
    expect(new URL(page.url()).search).toBe(`?${query}&outcome=changed`);
    await page.goto(`${urlOf(open)}/operations/traces?since_s=0`);
    await page.getByRole('alert').filter({ hasText: 'since_s must be at least 1' }).waitFor();
  });

  it('shows that the state is unavailable, and why, and recovers', async () => {
    const isData = (url: URL) => url.pathname === '/operations';
    await page.route(isData, (route) =>
      route.request().isNavigationRequest()
        ? route.continue()
        : route.fulfill({ status: 401, contentType: 'text/plain', body: 'Token required.' }),
    );
    await page.goto(`${urlOf(open)}/operations`);
    await page.getByText('The state of this installation is unavailable.').waitFor();
    await page.getByText('Token required.').waitFor();
    await page.getByText('Disconnected. Retrying.').waitFor();
    await page.unroute(isData);
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('Hapag-Lloyd is failing').waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: /^Live$/ })
      .waitFor();
  });

  it.runIf(scaled({ short: false, full: true }))(
    'has no axe violations in light and dark themes, and fits a narrow phone',
    async () => {
      for (const path of ['/operations', '/operations/traces', `/operations/traces/${seeded.traceId}`]) {
        await page.goto(urlOf(open) + path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.locator('table, [role=tree]').first().waitFor();
        expect(await violationsInBothThemes(page), path).toEqual([]);
        await page.setViewportSize(phone);
        expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBe(phone.width);
        await page.setViewportSize(desk);
      }
      expect(faults).toEqual([]);
    },
  );

  it('keeps the first load of this page and of the dashboard within their budgets', () => {
    for (const [name, maxBytes] of Object.entries(maxFirstLoadBytes))
      expect(firstLoadBytes(pages.api.ctx.settings.webAppFolder, name), name).toBeLessThan(maxBytes);
  });
});

function firstLoadBytes(folder: string, page: string): number {
  const assets = new Map<string, number>();
  const visit = (name: string) => {
    if (assets.has(name)) return;
    const text = readFileSync(join(folder, 'assets', name));
    assets.set(name, gzipSync(text).length);
    if (!name.endsWith('.js')) return;
    for (const [, imported = ''] of String(text).matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g))
      visit(imported);
  };
  const html = readFileSync(join(folder, page), 'utf8');
  for (const [, name = ''] of html.matchAll(/\/assets\/([\w.-]+\.(?:js|css))/g)) visit(name);
  return [...assets.values()].reduce((sum, bytes) => sum + bytes, 0);
}
