import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { playTestJourney } from '#services/worker/carriers/test/play-test-journey.ts';
import { toShipmentId } from '#shared/contract/record/shipment-id.ts';
import { sequenceChanges } from '#shared/core/feed/sequence-changes.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import type { TestNumber } from '#shared/domain/test-journeys/test-journeys.ts';
import type { TestApi } from '#test/support/api/api.ts';
import { signedIn } from '#test/support/browser/dashboard.ts';
import { signInOn, violationsInBothThemes } from '#test/support/browser/pages.ts';
import { startAnsweringWorker } from '#test/support/carriers/answering-worker.ts';
import { refresh } from '#test/support/carriers/refreshed-shipment.ts';
import { oceanRegistration } from '#test/support/core-context.ts';

type World = { api: TestApi; page: Page };

/** Tests of the pages of parcels. They use the installation of the shipment page's tests. */
export function parcelTests(worldOf: () => World): void {
  it('shows windows, attempts, pieces, pickup points, returns and receivers in sentences', async () => {
    const { page } = worldOf();
    const { open, text } = await openAccount(worldOf());

    await open('TEST-WINDOW', 2);
    await fact(page, 'Delivery')
      .getByText(/^(Today|Tomorrow).*\d\d:\d\d/)
      .waitFor();
    expect(await text('Delivery')).toMatch(/Late: promised for .*\d\d:\d\d.*\.\s+Moved twice, from .*, then .*\./);
    await page.getByText('Test Standard').first().waitFor();
    await page.getByRole('img', { name: /^Map of the route\. Köln.*; Hannover, .*; Hamburg/ }).waitFor();

    await open('TEST-LOCKER', 1);
    await page.getByText(/^In a locker, to be collected by \d+ \w+( \d+)? \d\d:\d\d\.$/).waitFor();
    expect(await text('Pickup point')).toMatch(/Parcel locker\s+Test Locker 117\s+12 Station Square, Hamburg/);
    expect(await text('Collection')).toMatch(/By \d+ \w+/);

    await open('TEST-RETURN', 1);
    expect(await text('Delivery')).toMatch(/Not delivered\s+Attempts\s+1 failed\s.*: Refused by the addressee/);
    expect(await text('Return')).toMatch(/(On its way back|Returned) to Köln.*\s+Reason\s+Refused by the recipient/);

    await open('TEST-MULTI-PIECE', 3);
    expect(await text('Pieces')).toMatch(/Lost, .*In a locker, to be collected, .*Refused by the addressee, /s);
    await page.getByText(/1 of 3 pieces is .*lost or undeliverable|1 is lost or undeliverable/).waitFor();
    await page.getByRole('button', { name: /Delivery attempted/ }).waitFor();
    await page.getByRole('button', { name: /^TSTP [\d ]+1$/ }).click();
    await expect.poll(() => page.getByRole('button', { name: /Delivery attempted/ }).count()).toBe(0);
    await page.getByRole('button', { name: /Lost · piece …\d{4}/ }).waitFor();
    expect(await page.locator('main').innerText()).not.toMatch(/\b[a-z]+_[a-z]/);
    expect(await violationsInBothThemes(page)).toEqual([]);
  });

  it('fetches a proof of delivery on request, and explains why there is none', async () => {
    const { api, page } = worldOf();
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/proof/')) asked.push(request.url());
    });
    const { open, text } = await openAccount(worldOf());
    await open('TEST-POD', 0);
    expect(await text('Delivered')).toMatch(/Received by\s+J\. Miller\s+Left at\s+Reception\s+Proof\s+Signature/);
    expect(asked).toEqual([]);
    const worker = await startAnsweringWorker(api.serviceUrl, {});
    await page.getByRole('button', { name: 'Show Signature' }).click();
    const picture = page.getByRole('img', { name: 'Signature, proof of delivery' });
    await picture.waitFor();
    await expect
      .poll(() => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
      .toBeGreaterThan(0);
    await worker.close();
    expect(asked).toHaveLength(1);
    const detail = 'UPS did not supply the document: the carrier returned a server error (503).';
    await page.route('**/proof/photo', (route) =>
      route.fulfill({
        status: 502,
        contentType: 'application/problem+json',
        json: { code: 'proof_unavailable', detail },
      }),
    );
    await page.getByRole('button', { name: 'Show Photo' }).click();
    await page.getByText(detail).waitFor();
    expect(await violationsInBothThemes(page)).toEqual([]);
  });

  it('moves the window of a parcel without a reload, as it was before, and in the list of late parcels', async () => {
    const { api, page } = worldOf();
    const { open, play, text } = await openAccount(worldOf());
    const windowing = await open('TEST-WINDOW', 0);
    expect(await text('Delivery')).toMatch(/On time\./);
    const before = new Date().toISOString();
    await play(windowing, 1);
    while ((await sequenceChanges(api.ctx.core)) !== 0);
    await page.getByText(/^Late: promised for/).waitFor();
    await page.goto(`${page.url()}?as_of=${before}`);
    await page.getByText(/^As it was known on/).waitFor();
    expect(await text('Delivery')).toMatch(/On time\./);
    await page.getByRole('link', { name: 'Current record' }).click();
    await page.getByText(/^Late: promised for/).waitFor();
    await open('TEST-DELAYED', 0);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${api.url}/?view=late`);
    const delayed = page.locator('[data-row]', { hasText: 'TEST-DELAYED' });
    await delayed.getByText('+3 d').waitFor();
    const moved = page.locator('[data-row]', { hasText: 'TEST-WINDOW' });
    await moved.getByText(/^(Today|Tomorrow).*\d\d:\d\d/).waitFor();
    await page.getByRole('columnheader', { name: 'Delivery' }).waitFor();
  });
}

type Playing = { number: TestNumber; shipmentId: string; createdAt: string };

/** Signs in as a member who sees the test shipments of a new account. */
async function openAccount({ api, page }: World) {
  const member = await signedIn(api, 'member', `Parcels ${Math.random()}`);
  const caller = {
    accountId: member.accountId,
    keyId: null,
    scopes: ['shipments:read' as const, 'shipments:write' as const],
    test: true,
    requestId: 'req_test',
    idempotency: null,
  };
  const { core } = api.ctx;
  let isSignedIn = false;

  /** Returns the reading of a test shipment after this many advances. */
  async function play({ number, shipmentId, createdAt }: Playing, testSteps: number): Promise<void> {
    const subject = {
      shipmentId,
      transportMode: 'parcel',
      identifiers: { tracking_number: number },
      createdAt,
    } as const;
    await refresh(core, { accountId: member.accountId, shipmentId }, playTestJourney({ ...subject, testSteps }));
  }

  /** Registers a test parcel and opens its page. */
  async function open(number: TestNumber, steps: number): Promise<Playing> {
    const registration = { transportMode: 'parcel', carrier: 'ups', identifiers: { tracking_number: number } } as const;
    const { shipment } = await registerShipment(core, caller, oceanRegistration(registration));
    const playing = { number, shipmentId: shipment.id, createdAt: shipment.createdAt };
    for (let step = 0; step <= steps; step += 1) await play(playing, step);
    const path = `/shipments/${toShipmentId(shipment.id)}`;
    if (isSignedIn) await page.goto(api.url + path);
    else {
      await page.addInitScript(`localStorage.setItem('landfall.account', '${member.account} test')`);
      await page.goto(`${api.url}/sign-in?to=${encodeURIComponent(path)}`);
      await signInOn(page, member.email);
      isSignedIn = true;
    }
    await page.getByRole('heading', { level: 1, name: number }).waitFor();
    return playing;
  }

  return { open, play, text: (title: string) => fact(page, title).innerText() };
}

function fact(page: Page, title: string) {
  return page.getByRole('region', { name: title, exact: true });
}
