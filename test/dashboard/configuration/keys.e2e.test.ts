import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeClaimToken } from '#shared/core/members/claim-installation.ts';
import { decodeTypeId } from '#shared/domain/type-id.ts';
import { deleteMember } from '#shared/store/auth/members.ts';
import { withAuth } from '#shared/store/with-account.ts';
import type { TestApi } from '#test/support/api/api.ts';
import { browserPath } from '#test/support/browser/browser.ts';
import { password, signedIn } from '#test/support/browser/dashboard.ts';
import { forgetSession, openPages, type Pages, signInOn } from '#test/support/browser/pages.ts';
import { patienceMs, until } from '#test/support/until.ts';

/** Waits for the status: processes cache keys for a second. */
async function expectAnswer(api: TestApi, secret: string, status: number): Promise<void> {
  const ask = () => fetch(`${api.url}/v1/shipments?limit=1`, { headers: { authorization: `Bearer ${secret}` } });
  await expect.poll(async () => (await ask()).status).toBe(status);
}

describe.skipIf(browserPath === null)('sign-in, invitations and keys', () => {
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
    context = await browser.newContext();
    page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
  });
  afterEach(() => context.close());

  async function signInAt(path: string, email: string): Promise<void> {
    await page.goto(api.url + path);
    await signInOn(page, email);
  }

  async function storeSecret(): Promise<string> {
    const secret = ((await page.getByRole('region', { name: 'Secret' }).locator('code').textContent()) ?? '').trim();
    await page.getByRole('checkbox', { name: 'I have stored the secret' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Key created').waitFor({ state: 'detached' });
    return secret;
  }

  it('claims the installation, and creates, rotates and revokes a key', async () => {
    const token = await makeClaimToken(api.ctx.core);
    await page.goto(`${api.url}/claim#token=${token}`);
    await page.getByLabel('Your name').fill('Olga Owner');
    expect(page.url()).toBe(`${api.url}/claim`);
    await page.getByLabel('Email').fill('olga@example.test');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Claim and sign in' }).click();
    await page.getByRole('button', { name: 'Olga Owner, user menu' }).waitFor();

    // Signing in returns to the requested page.
    await forgetSession(page);
    await signInAt('/configuration/keys?panel=new', 'olga@example.test');
    await page.waitForURL('**/configuration/keys?panel=new');

    await page.getByLabel('Name').fill('ERP connector');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('Key created').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true);
    // The secret is shown only once, so leaving has to be confirmed.
    await page.getByRole('link', { name: 'Map', exact: true }).click();
    await page.getByRole('button', { name: 'Stay' }).click();
    const first = await storeSecret();
    await expectAnswer(api, first, 200);

    await page.getByLabel('Old key').selectOption('expires in 1 hour');
    await page.getByRole('button', { name: 'Rotate key' }).click();
    await page.getByText('Key created').waitFor();
    const second = await storeSecret();
    expect(second).not.toBe(first);
    await expectAnswer(api, first, 200);
    await expectAnswer(api, second, 200);

    // An undone revocation sends no request. The time for it stands still, however busy the machine is.
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.getByRole('button', { name: 'Revoke key' }).click();
    const revocations: string[] = [];
    page.on('request', (request) => request.method() === 'DELETE' && revocations.push(request.url()));
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByRole('button', { name: 'Undo' }).first().waitFor();
    await expectAnswer(api, second, 200);
    await page.clock.resume();
    await page.getByText('Requests fail with revoked_api_key.').waitFor();
    expect(revocations).toHaveLength(1);
    await expectAnswer(api, second, 401);
    await expectAnswer(api, first, 200);
  });

  it('sets up assistants with the key filled in, which no request but its creation carries', async () => {
    const address = api.ctx.core.settings.publicBaseUrl;
    const owner = await signedIn(api, 'owner', 'assistants');
    await signInAt('/configuration/keys?panel=new', owner.email);
    await page.getByLabel('Name').fill('assistant');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('Key created').waitFor();
    const secret = ((await page.getByRole('region', { name: 'Secret' }).locator('code').textContent()) ?? '').trim();
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.url()} ${JSON.stringify(request.headers())}`));
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.type());
      void dialog.dismiss();
    });
    const setup = page.getByRole('region', { name: 'Connect an assistant' });
    const choose = (client: string) => setup.getByRole('button', { name: client, exact: true }).click();
    const code = async () => (await setup.locator('pre').allTextContents()).join('\n');
    await expect
      .poll(code)
      .toContain(`claude mcp add --transport http --scope user landfall ${address}/v1/mcp --header`);
    for (const client of ['Claude Code', 'Claude Desktop', 'claude.ai', 'Cursor', 'VS Code', 'Other clients']) {
      await choose(client);
      await expect.poll(code, { message: client }).toContain(secret);
    }
    await choose('Cursor');
    const cursor = setup.getByRole('link', { name: 'Add to Cursor' });
    const config = new URL((await cursor.getAttribute('href')) ?? '').searchParams.get('config') ?? '';
    expect(JSON.parse(Buffer.from(config, 'base64').toString())).toEqual({
      url: `${address}/v1/mcp`,
      headers: { Authorization: `Bearer ${secret}` },
    });
    // The page has an unstored secret, and still opens another program without a question.
    await cursor.click();
    await choose('VS Code');
    await setup.getByRole('link', { name: 'Add to VS Code' }).click();
    await choose('Claude Desktop');
    await expect.poll(() => setup.getByRole('link').last().getAttribute('href')).toBe('/docs/landfall.mcpb');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      setup.getByRole('link', { name: 'Download landfall.mcpb' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('landfall.mcpb');
    expect(dialogs).toEqual([]);
    // The browser reports the links to other programs as requests too; only those of HTTP reach a server.
    const toServers = sent.filter((request) => /^https?:/.test(request));
    expect(toServers.length).toBeGreaterThan(0);
    expect(toServers.filter((request) => request.includes(secret))).toEqual([]);
    await expectAnswer(api, secret, 200);
  });

  it('redirects to sign-in and back when the session ends', async () => {
    const owner = await signedIn(api, 'owner', 'ended sessions');
    await signInAt('/configuration/limits', owner.email);
    await page.getByRole('heading', { name: 'Limits', level: 1 }).waitFor();
    await context.clearCookies();
    // Unless a request of the page itself is answered first.
    void page
      .getByRole('link', { name: 'Members' })
      .click()
      .catch(() => undefined);
    await page.waitForURL('**/sign-in?to=%2Fconfiguration%2F*');
  });

  it('explains to a user without an account how to join one', async () => {
    const owner = await signedIn(api, 'owner', 'left alone');
    await withAuth(api.ctx.core.store, (tx) =>
      deleteMember(tx, owner.accountId, decodeTypeId('user', owner.userId) ?? ''),
    );
    await signInAt('/sign-in', owner.email);
    await page.getByRole('heading', { name: 'No account' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('shows no form for an invalid claim link', async () => {
    await page.goto(`${api.url}/claim#token=${'x'.repeat(32)}`);
    await page.getByRole('heading', { name: 'Invalid claim link' }).waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
  });

  it('adds a member by invitation, who cannot see keys', async () => {
    const owner = await signedIn(api, 'owner', 'invitations');
    await signInAt('/configuration/members?panel=invite', owner.email);
    await page.getByRole('heading', { name: 'Invite to invitations' }).waitFor();
    await page.getByLabel('Email').fill('new.member@example.test');
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = ((await page.getByRole('region', { name: 'Link' }).locator('code').textContent()) ?? '').trim();

    await forgetSession(page);
    await page.goto(`${api.url}${new URL(link).pathname}${new URL(link).hash}`);
    await page.getByLabel('Your name').fill('Mia Member');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Join invitations' }).click();
    await page.getByRole('button', { name: 'Mia Member, user menu' }).waitFor();
    await page.goto(`${api.url}/configuration/keys`);
    await page.getByText('Only owners can view, create and revoke API keys. Your role is member.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'New key' }).isDisabled()).toBe(true);
  });

  it('removes a member with the keys that the member created, in one dialog', async () => {
    const owner = await signedIn(api, 'owner', 'leaving');
    const leaver = await signedIn(api, 'owner', 'leaving');
    const newKey = async (name: string) =>
      (await leaver.ask('/dashboard/api/v1/api-keys', { body: { name, scopes: ['shipments:read'] } })).body.secret;
    const secrets = [await newKey('night import'), await newKey('laptop')];
    await signInAt('/configuration/members', owner.email);
    const row = page.getByRole('row').filter({ hasText: leaver.email });
    await row.getByRole('button', { name: 'Remove A owner' }).click();
    const dialog = page.getByRole('alertdialog');
    const keys = dialog.getByRole('list', { name: 'API keys' }).getByRole('listitem');
    await keys.first().waitFor();
    const shown = await keys.allTextContents();
    expect(shown.map((text) => text.slice(0, 6))).toEqual(['laptop', 'night ']);
    await expect.poll(() => dialog.getByRole('checkbox').isChecked()).toBe(true);
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'detached' });
    for (const key of secrets)
      await until(
        async () => (await fetch(`${api.url}/v1/me`, { headers: { authorization: `Bearer ${key}` } })).status,
        (status) => status === 401,
      );
  });

  it('keeps the label of an invitation within its button, however long the name of the account is', async () => {
    const account = 'Hanseatische Überseespedition Meyer & Söhne GmbH & Co. KG';
    const owner = await signedIn(api, 'owner', account);
    const invited = await owner.ask('/dashboard/api/invites', { body: { email: 'x@example.test', role: 'member' } });
    const { pathname, hash } = new URL(invited.body.link);
    await page.goto(`${api.url}${pathname}${hash}`);
    const label = page.getByRole('button', { name: `Join ${account}` });
    await label.waitFor();
    const [inner, outer] = [await label.locator('span').boundingBox(), await label.boundingBox()];
    expect(inner?.x).toBeGreaterThan(outer?.x ?? 0);
    expect((inner?.x ?? 0) + (inner?.width ?? 0)).toBeLessThan((outer?.x ?? 0) + (outer?.width ?? 0));
  });

  it('lets a user of another account join by invitation with the password that they have', async () => {
    const owner = await signedIn(api, 'owner', 'joined by invitation');
    const guest = await signedIn(api, 'viewer', 'the account before');
    await signInAt('/configuration/members?panel=invite', owner.email);
    await page.getByRole('heading', { name: 'Invite to joined by invitation' }).waitFor();
    await page.getByLabel('Email').fill(guest.email);
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = ((await page.getByRole('region', { name: 'Link' }).locator('code').textContent()) ?? '').trim();

    await forgetSession(page);
    await page.goto(`${api.url}${new URL(link).pathname}${new URL(link).hash}`);
    await page.getByRole('button', { name: 'I already sign in with this email address' }).click();
    await page.getByLabel('Your password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Join joined by invitation' }).click();
    await page.getByRole('button', { name: 'A viewer, user menu' }).waitFor();
    expect((await guest.ask('/dashboard/api/session')).body.accounts).toHaveLength(2);
  });

  it('does not reveal whether the email or the password is wrong', async () => {
    await signInAt('/sign-in', 'nobody@example.test');
    await page.getByRole('alert').getByText('Incorrect email or password.').waitFor();
  });
});
