import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Mail } from '#infra/tools/simulator/mail/mail-book.ts';
import type { TestApi } from '#test/support/api/api.ts';
import { browserPath } from '#test/support/browser/browser.ts';
import { claimApi, signedIn } from '#test/support/browser/dashboard.ts';
import { openPages, type Pages, signInOn, violationsInBothThemes } from '#test/support/browser/pages.ts';
import { testCredentialKey } from '#test/support/core-context.ts';
import { type RunningService, startService } from '#test/support/processes.ts';
import { patienceMs, until } from '#test/support/until.ts';

const number = 'MAEU512384770';
const owner = 'owner@example.test';
const textsOf = (mails: readonly Mail[]) => mails.map(({ text }) => text).join('\n');

describe.skipIf(browserPath === null)('alerts in the dashboard', () => {
  let pages: Pages;
  let api: TestApi;
  let browser: Browser;
  let page: Page;
  let simulator: RunningService;
  let worker: RunningService | null = null;
  let workerEnv: Record<string, string>;

  beforeAll(async () => {
    simulator = await startService('simulator', {
      SIMULATOR_PORT: '0',
      SIMULATOR_SMTP_PORT: '0',
      SIMULATOR_VOYAGE_S: '20',
    });
    const { smtp_url: smtpUrl } = (await (await fetch(`${simulator.url}/inbox`)).json()) as { smtp_url: string };
    pages = await openPages({ SIMULATOR: 'off', REDIS_URL: '', SMTP_URL: smtpUrl });
    ({ api, browser } = pages);
    workerEnv = {
      DATABASE_URL: api.serviceUrl,
      SIMULATOR: 'on',
      SIMULATOR_URL: simulator.url,
      SMTP_URL: smtpUrl,
      PUBLIC_BASE_URL: api.url,
      CREDENTIAL_KEYS: `v1:${testCredentialKey}`,
      CADENCE_SCALE: '0.00001',
      WORKER_HEALTH_PORT: '0',
    };
    await claimApi(api);
    page = await browser.newPage();
    page.setDefaultTimeout(patienceMs);
    await page.goto(`${api.url}/sign-in`);
    await signInOn(page, owner);
    await page.getByRole('button', { name: /user menu/ }).waitFor();
  });
  afterAll(async () => {
    await worker?.kill();
    await simulator?.kill();
    await pages?.close();
  });

  const mails = async (): Promise<Mail[]> =>
    ((await (await fetch(`${simulator.url}/inbox`)).json()) as { mails: Mail[] }).mails;

  it('leads from a saved view to a mail, its shipment, a note and a colleague, and stops mails with one click', async () => {
    await page.goto(`${api.url}/?view=all&status=delivered`);
    await page.getByRole('button', { name: 'Saved views' }).first().click();
    await page.getByLabel('View name').fill('Delivered ones');
    await page.getByText('Share with the account').click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Saved views, Delivered ones' }).first().click();
    await page.getByRole('button', { name: 'Alert me about Delivered ones' }).click();
    await page.getByRole('dialog', { name: 'Alert me: Delivered ones' }).waitFor();
    await page.getByRole('button', { name: 'Create alert' }).click();
    await page.getByRole('dialog', { name: 'Alert me: Delivered ones' }).waitFor({ state: 'detached' });

    const registered = await api.post('/v1/shipments', {
      transport_mode: 'ocean',
      carrier: 'MAEU',
      identifiers: { mbl: number },
    });
    expect(registered.status).toBe(201);
    worker = await startService('worker', workerEnv);
    const [mail] = await until(mails, (found) => found.length > 0);
    expect(mail).toMatchObject({ to: [owner], arrival: 1 });
    expect(mail?.text).toContain('Entered “Delivered ones”');

    // The inbox of the demonstration shows it, and its link opens the shipment.
    await page.goto(`${simulator.url}/inbox`);
    await page.getByRole('link', { name: mail?.subject ?? '' }).click();
    const body = page.frameLocator('iframe');
    const [opened] = await Promise.all([
      page.context().waitForEvent('page', { timeout: patienceMs }),
      body.getByRole('link', { name: /MAEU/ }).click(),
    ]);
    opened.setDefaultTimeout(patienceMs);
    await opened.getByRole('heading', { name: 'Timeline' }).waitFor();
    expect(new URL(opened.url()).pathname).toMatch(/^\/shipments\/shp_/);
    await opened.getByRole('button', { name: 'Alert me' }).click();
    await opened.getByRole('dialog', { name: /Alert me/ }).waitFor();

    await opened.getByRole('button', { name: 'Close' }).click();
    await opened.getByRole('dialog', { name: /Alert me/ }).waitFor({ state: 'detached' });

    // A note that mentions a colleague by keyboard, and the shipment assigned to them.
    const colleague = await signedIn(api, 'member', 'default');
    await opened.reload();
    const field = opened.getByRole('textbox', { name: 'Add a note' });
    await field.pressSequentially('Look at this, @a mem');
    await opened.getByRole('listbox', { name: 'Members' }).getByRole('option', { name: 'A member' }).waitFor();
    await field.press('Enter');
    await field.pressSequentially('<b>please</b>');
    await field.press('Control+Enter');
    const thread = opened.getByRole('list', { name: 'Notes' });
    await thread.getByText('<b>please</b>').waitFor();
    expect(await thread.getByRole('listitem').innerText()).toContain('@A member');
    await opened.getByRole('combobox', { name: 'Assignee' }).selectOption({ label: 'A member' });
    const reported = await until(
      async () => (await mails()).filter(({ to }) => to.includes(colleague.email)),
      (found) => ['mentioned you', 'assigned this shipment to you'].every((words) => textsOf(found).includes(words)),
    );
    expect(textsOf(reported)).toContain('“Look at this, @A member <b>please</b>”');
    expect(reported.some(({ html }) => html.includes('<b>please'))).toBe(false);
    expect(await violationsInBothThemes(opened)).toEqual([]);

    // The link of the mail leads the colleague to the note. The answer appears where the shipment is open.
    const other = await browser.newContext();
    const theirs = await other.newPage();
    theirs.setDefaultTimeout(patienceMs);
    const toNote = /\S+\/shipments\/\S+#note_\S+/.exec(textsOf(reported))?.[0] ?? '';
    await theirs.goto(`${api.url}/sign-in`);
    await signInOn(theirs, colleague.email);
    await theirs.getByRole('button', { name: /user menu/ }).waitFor();
    await theirs.goto(toNote);
    await theirs.locator('[aria-current=true]').getByText('<b>please</b>').waitFor();
    const answer = theirs.getByRole('textbox', { name: 'Add a note' });
    await answer.fill('Done, @Olga Owner');
    await theirs.getByRole('button', { name: 'Add note' }).click();
    await theirs.getByRole('list', { name: 'Notes' }).getByText('Done,').waitFor();
    // A hidden page pauses its stream, and continues without a gap.
    await opened.bringToFront();
    await thread.getByText('Done,').waitFor();
    await theirs.goto(`${api.url}/?view=mine&status=delivered`);
    await theirs.getByRole('row', { name: /MAEU/ }).waitFor();
    await until(mails, (found) =>
      textsOf(found.filter(({ to }) => to.includes(owner))).includes('A member mentioned you'),
    );
    await other.close();

    // The mail is read in a context without a session.
    const stranger = await browser.newContext({ javaScriptEnabled: false });
    const reader = await stranger.newPage();
    reader.setDefaultTimeout(patienceMs);
    const link = /Stop these mails: (\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
    await reader.goto(link);
    await reader.getByRole('button', { name: 'Stop mails from this alert' }).click();
    await reader.getByText('You get no more mails from these alerts.').waitFor();
    await page.goto(`${api.url}/alerts`);
    await page.getByText('Unsubscribed').waitFor();

    // A mail program posts to the address by RFC 8058.
    const header = mail?.headers.find(({ name }) => name === 'list-unsubscribe')?.value ?? '';
    const oneClick = await fetch(header.replace(/^<|>$/g, ''), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
    expect(oneClick.status).toBe(200);
    expect((await fetch(`${link.slice(0, -4)}AAAA`, { method: 'POST' })).status).toBe(404);
    await stranger.close();
  });
});
