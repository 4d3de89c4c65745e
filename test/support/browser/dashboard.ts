import { makeClaimToken } from '#shared/core/members/claim-installation.ts';
import type { Role } from '#shared/domain/members/role.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { ensureOrganization, insertMember } from '#shared/store/auth/members.ts';
import { insertUser } from '#shared/store/auth/users.ts';
import { ensureAccount } from '#shared/store/system/accounts.ts';
import { withAuth, withSystem } from '#shared/store/with-account.ts';
import type { Json, TestApi } from '#test/support/api/api.ts';
import { textOf } from '#test/support/api/event-stream.ts';

export type DashboardAnswer = { status: number; headers: Headers; body: Json };

type Asked = { method?: string; body?: unknown; headers?: Record<string, string> };

/** Stands for a browser on the dashboard: keeps cookies and sends the headers of a dashboard page. */
export type Browser = {
  cookies: Map<string, string>;
  ask: (path: string, asked?: Asked) => Promise<DashboardAnswer>;
};

export const password = 'a password of tests';

export function openBrowser(api: Pick<TestApi, 'url'>, headers: Record<string, string> = {}): Browser {
  const cookies = new Map<string, string>();
  const ask: Browser['ask'] = async (path, asked = {}) => {
    const method = asked.method ?? (asked.body === undefined ? 'GET' : 'POST');
    const cookie = cookieOf(cookies);
    const response = await fetch(api.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(cookie === '' ? {} : { cookie }),
        ...(method === 'GET' ? {} : { origin: api.url }),
        'sec-fetch-site': 'same-origin',
        ...(asked.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
        ...asked.headers,
      },
      ...(asked.body === undefined ? {} : { body: JSON.stringify(asked.body) }),
    });
    for (const line of response.headers.getSetCookie()) keep(cookies, line);
    const text = await textOf(response);
    const isJson = /^[[{]/.test(text) && !response.headers.get('content-type')?.includes('ndjson');
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };
  return { cookies, ask };
}

function cookieOf(cookies: Browser['cookies']): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}

function keep(cookies: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  if (/max-age=0/i.test(line)) cookies.delete(name);
  else cookies.set(name, value);
}

/** The first owner, created through the claim link. */
export async function claimApi(api: TestApi, email = 'owner@example.test'): Promise<Browser> {
  const token = await makeClaimToken(api.ctx.core);
  const browser = openBrowser(api);
  const answer = await browser.ask('/dashboard/api/claim', { body: { token, name: 'Olga Owner', email, password } });
  if (answer.status !== 201) throw new Error(`the claim was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return browser;
}

export type SignedInMember = Browser & { accountId: string; account: string; userId: string; email: string };

/** The headers of a page that this user has open, for requests that another client sends. */
export function pageHeaders({ cookies, account }: SignedInMember, origin: string): Record<string, string> {
  const cookie = cookieOf(cookies);
  return { cookie, origin, 'sec-fetch-site': 'same-origin', 'landfall-account': account };
}

let people = 0;
/** Hashing is slow on purpose: once is enough for all. */
let passwordHash: Promise<string> | null = null;

/** A signed-in user with this role in an account. Requests carry the header that names the account. */
export async function signedIn(api: TestApi, role: Role, accountName: string): Promise<SignedInMember> {
  people += 1;
  const { core, auth } = api.ctx;
  const email = `${role}-${people}@example.test`;
  const { accountId } = await withSystem(core.store, (tx) => ensureAccount(tx, accountName));
  passwordHash ??= auth.hashPassword(password, []);
  const hash = await passwordHash;
  const user = await withAuth(core.store, async (tx) => {
    const added = await insertUser(tx, { name: `A ${role}`, email, passwordHash: hash });
    if (added === null) throw new Error('the address is taken');
    await ensureOrganization(tx, { accountId, name: accountName });
    await insertMember(tx, accountId, { userId: added.id, role });
    return added;
  });
  const account = encodeTypeId('acc', accountId);
  const browser = openBrowser(api, { 'landfall-account': account });
  const answer = await browser.ask('/dashboard/api/auth/sign-in/email', { body: { email, password } });
  if (answer.status !== 200)
    throw new Error(`signing in was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return { ...browser, accountId, account, userId: encodeTypeId('user', user.id), email };
}
