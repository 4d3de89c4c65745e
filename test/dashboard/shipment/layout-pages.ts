import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { violationsInBothThemes } from '#test/support/browser/pages.ts';
import { eventOf, legOf, noTimes, placeAt, timeAt } from './shipment-parts.ts';

type World = { page: Page; open: () => Promise<unknown> };

const carrier = 'Mediterranean Shipping Company';
const containersCount = 500;
const rows = 'CNSHA 31 121, CNNGB 30 122, SGSIN 1 104, LKCMB 7 80, MAPTM 36 -6, ESALG 36 -5, NLRTM 52 4'.split(', ');
const ports = rows.map((row) => {
  const [code = '', lat, lng] = row.split(' ');
  return placeAt(code, Number(lat), Number(lng), `Port of ${code}`);
});

/** Tests of the layout of a shipment's page. They use the installation of that page's tests. */
export function layoutTests(worldOf: () => World): void {
  it('shows both ends of a voyage, whole carriers and unbroken numbers, in one order, at both widths', async () => {
    const { page, open } = worldOf();
    let count = 7;
    await changeRecord(page, (record) => ({ ...record, ...voyageOf(count, record) }));
    await page.route('**/refreshes*', async (route) => {
      const [newest] = (await (await route.fetch()).json()).data;
      const data = [120_004, 21_313, 31].map((duration_ms, index) => ({
        ...newest,
        duration_ms,
        trace_id: `${index}`,
      }));
      await route.fulfill({ json: { data } });
    });
    await open();
    const stops = page.getByRole('region', { name: 'Stops' });
    const planned = page.getByText(`${carrier}, plan`).filter({ visible: true });
    for (count of [7, 4, 2]) {
      if (count < 7) await page.reload();
      await expect.poll(() => stops.getByRole('listitem').count()).toBe(count);
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await outside(page), `${count} stops at ${width} px`).toEqual([]);
        for (const end of [0, count - 1]) {
          const { x = -1, width: size = width } = (await stops.getByRole('heading').nth(end).boundingBox()) ?? {};
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x + size).toBeLessThanOrEqual(width);
        }
        if (count < 7) continue;
        await expect.poll(() => planned.count()).toBe(1);
        expect(await planned.evaluate(cutPixels)).toBeLessThanOrEqual(0);
        expect(await brokenDurations(page)).toEqual(['120,004 ms', '21,313 ms', '31 ms']);
        await expect.poll(() => page.getByText('first estimate', { exact: true }).count()).toBe(1);
        expect(await misplacedTexts(page)).toEqual([]);
      }
    }
    const names = ['Status', `Arrives in ${ports[1]?.name}`, 'Route', 'Stops', 'Timeline', 'Containers', 'Tracking'];
    const tops = await Promise.all(
      names.map(async (name) => (await page.getByRole('region', { name, exact: true }).boundingBox())?.y ?? -1),
    );
    expect(tops).toEqual(tops.toSorted((left, right) => left - right));

    const lines = page.getByRole('region', { name: 'Timeline' }).locator('ol > li > button').filter({ visible: true });
    const folded = await lines.count();
    await page.getByRole('button', { name: 'Show earlier events' }).press('Enter');
    await expect.poll(() => lines.count()).toBeGreaterThan(folded);
    const first = await lines.nth(folded).innerText();
    await expect.poll(() => page.locator(':focus').allInnerTexts()).toEqual([first]);
  });

  it('finds one of 500 containers by a part of its number, with the keyboard alone', async () => {
    const { page, open } = worldOf();
    await changeRecord(page, (record) => ({ ...record, containers: containersOf(record) }));
    await open();
    await page.getByRole('combobox', { name: 'One container' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Find a container' }).waitFor();
    await page.keyboard.type('1000 349');
    await expect.poll(() => page.getByRole('listbox').getByRole('option').allInnerTexts()).toEqual(['MSKU 100034 9']);
    expect(await violationsInBothThemes(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL(/container=MSKU1000349/);
    await page.getByRole('combobox', { name: 'One container, MSKU 100034 9' }).waitFor();

    const containers = page.getByRole('region', { name: 'Containers' });
    await containers.getByRole('searchbox', { name: 'Find a container' }).fill('0499');
    await expect.poll(() => containers.getByRole('listitem').count()).toBe(1);
    await containers.getByText('MSKU 100049 9').waitFor();
    await containers.getByText('1 container', { exact: true }).waitFor();
  });
}

/** Changes what the API answers about one shipment. */
async function changeRecord(page: Page, change: (record: WireShipment) => WireShipment): Promise<void> {
  await page.route(/\/v1\/shipments\/shp_[0-9a-z]+$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill(response.status() === 200 ? { response, json: change(await response.json()) } : { response });
  });
}

function containersOf({ containers }: WireShipment): WireShipment['containers'] {
  return Array.from({ length: containersCount }, (_, index) => ({
    ...(containers[0] as WireShipment['containers'][number]),
    number: `MSKU${1_000_000 + index}`,
  }));
}

/** A voyage by way of this many ports, whose last arrival was moved twice since the first estimate. */
function voyageOf(count: number, record: WireShipment): Partial<WireShipment> {
  const inDays = (days: number) => timeAt(new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 16));
  const all = ports.slice(0, count);
  const legs = all.slice(1).map((to, index) => {
    const leg = legOf(index + 1, all[index] ?? null, to);
    const at = (days: number) => ({ planned: inDays(days - 1), estimated: inDays(days), actual: null });
    const [departure, arrival] = [at(5 * index - 4), at(5 * index + 1)];
    return { ...leg, departure: index === 0 ? { ...departure, actual: inDays(-4) } : departure, arrival };
  });
  const [first, last] = [inDays(8), inDays(8.1)];
  const arrival = { ...noTimes, estimated: last, promised: first, delay_hours: 2, delay_basis: 'first_estimated' };
  const history = [first, inDays(8.4), last].map((eta, index) => ({
    eta,
    kind: 'arrival',
    seen_at: inDays(index * 0.1 - 1).at,
    source: 'carrier',
  }));
  return {
    carrier_name: carrier,
    legs,
    origin: all[0] ?? null,
    destination: ports[1] ?? null,
    arrival: { ...arrival, original_estimated: first, eta_source: 'carrier' },
    eta: { time: last, kind: 'arrival', source: 'carrier' },
    eta_history: history,
    events: [
      eventOf({ code: 'discharged', classifier: 'planned', local: inDays(9).local }),
      ...record.events,
      ...Array.from({ length: 20 }, (_, index) =>
        eventOf({ code: 'gate_in_full', local: inDays(-1000 - index).local }),
      ),
    ],
  };
}

/** By how much the text of an element is wider than the element. */
function cutPixels(element: unknown): number {
  const { scrollWidth, clientWidth } = element as { scrollWidth: number; clientWidth: number };
  return scrollWidth - clientWidth;
}

/** Elements that make the page scroll sideways. */
function outside(page: Page): Promise<string[]> {
  return page.evaluate(`[document.documentElement, document.querySelector('main'), ...document.querySelectorAll('section')]
    .filter((one) => one !== null && one.scrollWidth > one.clientWidth + 1)
    .map((one) => one.tagName + ' ' + one.ariaLabel)`);
}

/** The durations of refreshes, each by its lines; throws unless they end at one edge. */
function brokenDurations(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const lines = [...document.querySelectorAll('td')].filter((cell) => / ms$/.test(cell.innerText)).map((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return { text: cell.innerText, rects: [...range.getClientRects()] };
    });
    const edges = lines.flatMap(({ rects }) => rects.map(({ right }) => right));
    if (Math.max(...edges) - Math.min(...edges) > 1) throw new Error('right edges: ' + edges);
    return lines.map(({ text, rects }) => rects.length === 1 ? text : text + ' in ' + rects.length + ' lines');
  })()`);
}

/** Texts of the chart of the estimate that leave it or cover each other. */
function misplacedTexts(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const chart = document.querySelector('svg[aria-label^="The estimate changed"]');
    const frame = chart.getBoundingClientRect();
    const boxes = [...chart.querySelectorAll('text')].map((one) => ({ text: one.textContent, box: one.getBBox(), of: one.getBoundingClientRect() }));
    const meet = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y + 3 < b.y + b.height - 3 && b.y + 3 < a.y + a.height - 3;
    return boxes.filter(({ box, of }, index) =>
      of.left < frame.left - 1 || of.right > frame.right + 1 || of.top < frame.top - 1 || of.bottom > frame.bottom + 1 ||
      boxes.some((other, at) => at !== index && meet(box, other.box))).map(({ text }) => text);
  })()`);
}
