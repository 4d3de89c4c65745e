import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Frame, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { viewDataKey, viewFiles } from '#shared/contract/mcp/view-files.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { browserPath, openBrowser } from '#test/support/browser/browser.ts';
import { expectBuiltDashboard } from '#test/support/browser/pages.ts';
import { scaled } from '#test/support/run-scale.ts';
import { patienceMs } from '#test/support/until.ts';
import { containerNumber, draw, voyage } from './drawn-shipments.ts';
import type { Showing } from './host/host-page.ts';
import { type McpHost, openMcpHost } from './host/open-mcp-host.ts';

const list = 'list_shipments_summary';
const details = 'get_shipment_details';
const hostile = '<img src=x onerror=alert(1)> [link](https://evil.test) ‮reversed';

let api: TestApi;
let host: McpHost;
let browser: Browser;
let page: Page;
/** Everything that the browser requests. */
let requested: { url: string; frame: Frame | null }[] = [];
let dialogs = 0;
let ocean = '';
let many = '';

beforeAll(async () => {
  if (browserPath === null) return;
  expectBuiltDashboard();
  api = await startTestApi({ PUBLIC_BASE_URL: 'https://track.example.test' });
  [host, browser] = await Promise.all([openMcpHost(api), openBrowser()]);
  const boxes = Array.from({ length: 40 }, (_, index) => containerNumber(index));
  many = await draw(api, { identifiers: { mbl: 'MAEU512384771' }, reference: 'ملصق مرجعي طويل للعميل' }, voyage(boxes));
  ocean = await draw(
    api,
    { identifiers: { mbl: 'MAEU512384770', container: boxes[0] }, reference: hostile },
    voyage(boxes.slice(0, 1)),
  );
  const rest = Array.from({ length: 24 }, (_, index) => ({ mbl: `MAEU9000000${String(index).padStart(2, '0')}` }));
  await Promise.all(rest.map((identifiers) => api.post('/v1/shipments', { ...plain, identifiers })));
  page = await browser.newPage({ viewport: { width: 760, height: 800 } });
  page.setDefaultTimeout(patienceMs);
  page.on('request', (request) => {
    const frame = request.isNavigationRequest() ? null : request.frame();
    requested.push({ url: request.url(), frame });
  });
  page.on('dialog', (dialog) => {
    dialogs += 1;
    return dialog.dismiss();
  });
  await page.goto(host.url);
});

beforeEach(() => {
  requested = [];
});

afterAll(async () => {
  await browser?.close();
  await host?.close();
  await api?.close();
});

const plain = { transport_mode: 'ocean', carrier: 'MAEU' };

/** Calls a tool as a host does, and returns the frame in which the view draws the result. */
async function show(showing: Showing): Promise<FrameLocator> {
  // The type of a result is too deep for the one of `evaluate`.
  await page.evaluate((given) => window.mcpHost.show(given as Showing), showing as unknown);
  return page.frameLocator('iframe').frameLocator('iframe');
}

const callsOf = () => page.evaluate(() => window.mcpHost.calls);

function viewFrame(): Frame {
  const frame = page.frames().at(-1);
  if (frame === undefined || frame === page.mainFrame()) throw new Error('no view is shown');
  return frame;
}

/** The violations that axe finds in the view. */
async function violations(): Promise<string[]> {
  const frame = viewFrame();
  await frame.evaluate(readFileSync('node_modules/axe-core/axe.min.js', 'utf8'));
  const found = (await frame.evaluate("axe.run({ resultTypes: ['violations'] })")) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** Pixels by which the view is wider than its frame. */
const overflow = () =>
  viewFrame().evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

describe.skipIf(browserPath === null)('a view in a host of the official package', () => {
  it.each(Object.values(viewFiles))('has at most 150 KB compressed: %s', (file) => {
    expect(gzipSync(readFileSync(join(api.ctx.settings.webAppFolder, file))).length).toBeLessThanOrEqual(150_000);
  });

  it('draws the list from its result alone, with counts and rows, and requests nothing', async () => {
    const view = await show({ tool: list, args: { limit: 20, carrier: ['MAEU'] } });
    await view.getByRole('heading', { name: 'Shipments' }).waitFor();
    await view.getByText('26 shipments', { exact: true }).first().waitFor();
    await view.getByText('Carrier: MAEU').waitFor();
    expect(await view.getByRole('button', { name: /^In transit/ }).innerText()).toContain('2');
    await expect.poll(() => view.getByRole('row').count()).toBe(21);
    expect(await callsOf()).toEqual([]);
    expect(requested.filter(({ frame }) => frame === viewFrame())).toEqual([]);
  });

  it('appends the next page, and filters by a status that is chosen', async () => {
    const view = await show({ tool: list, args: { limit: 20 } });
    await view.getByText('20 of 26').waitFor();
    await view.getByRole('button', { name: 'Show more' }).click();
    await view.getByRole('row').nth(26).waitFor();
    expect(await view.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    await view.getByRole('button', { name: /^In transit/ }).click();
    await view.locator('[aria-pressed=true]').waitFor();
    await expect.poll(() => view.getByRole('row').count()).toBe(3);
    // The counts stay those of the whole list.
    expect(await view.getByRole('button', { name: /^Pending/ }).innerText()).toContain('24');
    const calls = await callsOf();
    expect(calls.map(({ name }) => name)).toEqual([list, list]);
    expect(calls[0]?.arguments).toMatchObject({ limit: 20, cursor: expect.any(String) });
    expect(calls[1]?.arguments).toEqual({ limit: 20, status: ['in_transit'] });
    expect(requested.map(({ url }) => new URL(url).pathname)).toEqual(
      requested.map(({ url }) => (url.includes('/v1/mcp') ? '/v1/mcp' : '/')),
    );
  });

  it('opens a row by keyboard, and goes back', async () => {
    const view = await show({ tool: list, args: { query: 'MAEU512384770' } });
    const row = view.getByRole('button', { name: 'Open MAEU 512 384 770' });
    await row.focus();
    await page.keyboard.press('Enter');
    await view.getByRole('heading', { name: 'In transit' }).waitFor();
    expect((await callsOf()).at(-1)).toMatchObject({ name: details, arguments: { shipment_id: ocean } });
    await view.getByRole('button', { name: 'Back' }).click();
    await row.waitFor();
  });

  it('draws a shipment on first paint: status, map, stops, ETA history, container and events', async () => {
    const view = await show({ tool: details, args: { shipment_id: ocean } });
    await view.getByRole('heading', { name: 'In transit' }).waitFor();
    await view.getByRole('img', { name: /^Map of the route\. Shanghai, .*Singapore, .*Rotterdam/ }).waitFor();
    await view.getByRole('img', { name: /^The estimate changed 2 times/ }).waitFor();
    await expect.poll(() => view.getByRole('region', { name: 'Stops' }).getByRole('listitem').count()).toBe(3);
    expect(await view.getByRole('region', { name: 'Containers' }).innerText()).toContain('MSKU 100000 0');
    expect(await view.getByRole('region', { name: 'Events' }).innerText()).toContain('Departed');
    expect(await callsOf()).toEqual([]);
    expect(requested.filter(({ frame }) => frame === viewFrame())).toEqual([]);
  });

  it('reads the shipment again, and more of its events, when asked', async () => {
    const view = await show({ tool: details, args: { shipment_id: many } });
    await view.getByRole('button', { name: 'Refresh' }).click();
    await expect.poll(async () => (await callsOf()).length).toBe(1);
    await view.getByRole('button', { name: 'Show more events' }).click();
    await view.getByText(/^Shown: 100 of \d+ events\.$/).waitFor();
    await view.getByRole('button', { name: 'Show all 40 containers' }).click();
    await expect.poll(() => view.getByRole('region', { name: 'Containers' }).getByRole('listitem').count()).toBe(40);
    expect((await callsOf()).map(({ arguments: args }) => args)).toEqual([
      { shipment_id: many },
      { shipment_id: many, response_format: 'detailed' },
    ]);
  });

  it('opens the shipment in the dashboard through the host', async () => {
    const view = await show({ tool: details, args: { shipment_id: ocean } });
    await view.getByRole('button', { name: 'Open in Landfall' }).click();
    await expect
      .poll(() => page.evaluate(() => window.mcpHost.links))
      .toEqual([`https://track.example.test/shipments/${ocean}`]);
  });

  it('hides buttons for features that the host lacks', async () => {
    const view = await show({ tool: details, args: { shipment_id: ocean }, without: ['serverTools', 'openLinks'] });
    await view.getByRole('heading', { name: 'In transit' }).waitFor();
    expect(await view.getByRole('button').count()).toBe(0);
    const rows = await show({ tool: list, args: {}, without: ['serverTools', 'openLinks'] });
    await rows.getByText('20 of 26').waitFor();
    expect(await rows.getByRole('button').count()).toBe(0);
  });

  it('shows texts of strangers as plain text, whatever their direction', async () => {
    const view = await show({ tool: details, args: { shipment_id: ocean } });
    await view.getByRole('heading', { name: 'In transit' }).waitFor();
    const shown = await show({ tool: details, args: { identifier: 'x' }, result: await hostileRecord() });
    await shown.getByRole('heading', { name: 'In transit' }).waitFor();
    await shown.getByText('alert(2)').first().waitFor();
    await expectNoMarkup();
    const result = { content: [], structuredContent: hostileResult } as never;
    const plain = await show({ tool: details, args: { identifier: 'x' }, result });
    await plain.getByText('has only the text of the answer').waitFor();
    await expectNoMarkup();
  });

  async function expectNoMarkup() {
    expect(await viewFrame().evaluate(() => document.querySelectorAll('img, a, iframe, object, link').length)).toBe(0);
    expect(await viewFrame().evaluate(() => document.scripts.length)).toBe(1);
    expect(dialogs).toBe(0);
  }

  it('explains an error, a cancelled call, a result without data, and a refused call', async () => {
    const failed = await show({ tool: details, args: { identifier: 'MAEU799999999' } });
    await failed.getByRole('alert').getByText('No shipment has the number MAEU799999999').waitFor();
    const cancelled = await show({ tool: list, args: {}, result: 'cancelled' });
    await cancelled.getByText('The call was cancelled').waitFor();
    const nothing = await show({
      tool: list,
      args: {},
      result: { content: [{ type: 'text', text: 'Done.' }] } as never,
    });
    await nothing.getByText('The host passed no data to this view').waitFor();
    const refused = await show({ tool: list, args: { limit: 5 }, viewCalls: 'refused' });
    await refused.getByRole('button', { name: 'Refresh' }).click();
    await refused.getByRole('alert').getByText('The user refused the call').waitFor();
    // The earlier rows stay.
    await expect.poll(() => refused.getByRole('row').count()).toBe(6);
    const empty = await show({ tool: list, args: { query: 'nowhere to be found' } });
    await empty.getByRole('heading', { name: 'No shipments match' }).waitFor();
  });

  it('shows the text of a result when the host passes on only that', async () => {
    const { content } = await called(list, {});
    const view = await show({ tool: list, args: {}, result: { content } as never });
    await view.getByText('20 of 26').waitFor();
    await view.getByText('has only the text of the answer').waitFor();
    await expect.poll(() => view.getByRole('list', { name: 'Shipments' }).getByRole('button').count()).toBe(20);
    expect(await violations()).toEqual([]);
    const one = await called(details, { shipment_id: ocean });
    const text = await show({ tool: details, args: { shipment_id: ocean }, result: { content: one.content } as never });
    await text.getByText('has only the text of the answer').waitFor();
    await text.getByText('Singapore (SGSIN)').first().waitFor();
    expect(await violations()).toEqual([]);
    // A record of which the view can't draw a part.
    const { shipment, ...rest } = one._meta[viewDataKey];
    const broken = { ...one, _meta: { [viewDataKey]: { ...rest, shipment: { ...shipment, events: null } } } };
    const shown = await show({ tool: details, args: { shipment_id: ocean }, result: broken as never });
    await shown.getByText('has only the text of the answer').waitFor();
  });

  it('waits without data, and draws groups as bars', async () => {
    const waiting = await show({ tool: list, args: {}, result: 'never' });
    await waiting.getByRole('status', { name: 'Waiting for data' }).waitFor();
    const groups = { as_of: '2026-11-26T12:00Z', shipments: [], total: 5, counts_by_status: {}, groups: { MAEU: 3 } };
    const result = { content: [], structuredContent: { ...groups, groups_other: 2 } } as never;
    const view = await show({ tool: list, args: { group_by: 'carrier', limit: 0 }, result });
    const bars = view.getByRole('region', { name: 'Shipments by carrier' });
    await bars.waitFor();
    expect((await bars.getByRole('listitem').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))).toEqual([
      'Maersk 3',
      'Other 2',
    ]);
  });

  it('follows the theme of the host and its changes, and that of the system without one', async () => {
    const ground = () => viewFrame().evaluate(() => getComputedStyle(document.body).backgroundColor);
    const view = await show({ tool: list, args: {}, context: { theme: 'dark' } });
    await view.getByRole('heading', { name: 'Shipments' }).waitFor();
    await expect.poll(ground).toBe('rgb(16, 19, 21)');
    await page.evaluate(() => window.mcpHost.change({ theme: 'light' }));
    await expect.poll(ground).toBe('rgb(255, 255, 255)');
    await page.emulateMedia({ colorScheme: 'dark' });
    const unthemed = await show({ tool: list, args: {} });
    await unthemed.getByRole('heading', { name: 'Shipments' }).waitFor();
    await expect.poll(ground).toBe('rgb(16, 19, 21)');
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it.each(scaled({ short: [320], full: [320, 560, 1100] }))(
    'fits into %d px, reports its height, and axe finds nothing, light and dark',
    async (px) => {
      await page.setViewportSize({ width: Math.max(px, 400), height: 800 });
      const shown: Showing[] = [
        { tool: list, args: {} },
        { tool: details, args: { shipment_id: many, response_format: 'detailed' } },
        { tool: details, args: { shipment_id: ocean } },
      ];
      for (const [index, showing] of shown.entries()) {
        // Each in one theme: their parts are the same.
        const theme = (index + px) % 2 === 0 ? 'light' : 'dark';
        const view = await show({ ...showing, widthPx: px, context: { theme } });
        await view.getByRole('main').getByRole('button', { name: 'Refresh' }).waitFor();
        await expect.poll(overflow).toBeLessThanOrEqual(0);
        const height = () =>
          viewFrame().evaluate(() => Math.ceil(document.documentElement.getBoundingClientRect().height));
        await expect
          .poll(async () => (await page.evaluate(() => window.mcpHost.sizes.at(-1)?.height)) === (await height()))
          .toBe(true);
        expect(await violations(), `${showing.tool} at ${px} px, ${theme}`).toEqual([]);
      }
    },
  );

  it('moves nothing when the user prefers reduced motion', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const view = await show({ tool: details, args: { shipment_id: ocean } });
    await view.getByRole('heading', { name: 'In transit' }).waitFor();
    const running = () => viewFrame().evaluate(() => document.getAnimations().length);
    // A view at rest moves nothing. Animated as by a utility, all of its texts would.
    await viewFrame().evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(
        '@keyframes probe { to { opacity: 0.5 } } @layer utilities { p, h1, h2 { animation: probe 3600s } }',
      );
      document.adoptedStyleSheets.push(sheet);
    });
    await expect.poll(running).toBe(0);
    await page.emulateMedia({ reducedMotion: null });
    await expect.poll(running).toBeGreaterThan(0);
  });
});

/** The server's result of a call. */
async function called(name: string, args: Record<string, unknown>): Promise<Json> {
  const params = { name, arguments: args };
  return (await jsonOf(await api.post('/v1/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }))).result;
}

/** A record with the texts that no release returns. */
async function hostileRecord(): Promise<never> {
  const result = await called(details, { shipment_id: ocean });
  const { shipment } = result._meta[viewDataKey];
  Object.assign(shipment, { reference: tag, carrier_name: tag, tags: [tag], metadata: { [tag]: tag } });
  for (const event of shipment.events) Object.assign(event, { description: tag, carrier_description: tag });
  for (const place of [shipment.origin, shipment.destination]) Object.assign(place, { name: tag, facility: tag });
  for (const container of shipment.containers) Object.assign(container, { status: tag, seals: [tag] });
  return result as never;
}

const tag = '<script>alert(2)</script><a href="javascript:alert(3)">x</a>';
/** A result that no release returns, with markup in every text that a view shows. */
const hostileResult = {
  shipment_id: 'shp_01h455vb4pex5vsknk084sn02q',
  status: 'arrived',
  status_since: '2026-11-01T10:00Z',
  transport_mode: tag,
  carrier: tag,
  identifiers: { [tag]: tag },
  reference: tag,
  origin: `${tag} (CNSHA)`,
  destination: tag,
  current_location: tag,
  exceptions: [{ code: tag, since: '2026-11-01T10:00Z', message: tag }],
  containers: [{ number: tag, status: tag, holds: [tag], clocks: [{ kind: tag, state: tag, cost: tag }] }],
  pieces: [{ tracking_number: tag, status: tag }],
  pickup_point: { kind: tag, name: tag, address: tag, hours: tag },
  delivery: { received_by: tag, left_at: tag, proof: [tag] },
  events: [{ at: '2026-11-01T10:00Z', code: 'exception', place: tag, description: tag }],
  tracking: { state: tag, freshness: tag },
  stale_because: tag,
  events_count: 'many',
  legs: 'none',
};
