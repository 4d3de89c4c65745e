import { openBrowser } from '#test/support/browser/dashboard.ts';
import { callsOf } from './calls-of.ts';

/** Facts of the first fixture that later ones continue to use. */
export type FirstFacts = { key: string; testKey: string; owner: { email: string; password: string } };

const owner = { email: 'olga@example.test', password: 'correct horse battery staple' };

/** Claims a new installation by its link, creates a live and a test key, and registers test shipments. */
export async function claimInstallation(api: { url: string }, link: string): Promise<FirstFacts> {
  const browser = openBrowser(api);
  const token = link.trim().split('token=')[1];
  const claimed = await browser.ask('/dashboard/api/claim', { body: { token, name: 'Olga Owner', ...owner } });
  if (claimed.status !== 201) throw new Error(`the claim was answered ${claimed.status}`);
  const { body } = await browser.ask('/dashboard/api/session');
  const member = openBrowser(api, { 'landfall-account': body.accounts[0].id });
  await member.ask('/dashboard/api/auth/sign-in/email', { body: owner });
  const keyOf = async (test: boolean): Promise<string> => {
    const key = { name: test ? 'test' : 'live', scopes: ['shipments:read', 'shipments:write'], test };
    const created = await member.ask('/dashboard/api/v1/api-keys', { body: key });
    if (created.status !== 201)
      throw new Error(`a key was answered ${created.status}: ${JSON.stringify(created.body)}`);
    return created.body.secret;
  };
  const testKey = await keyOf(true);
  for (const mbl of ['TEST-JOURNEY', 'TEST-DELIVERED'])
    await callsOf(api, testKey)('/v1/shipments', { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl } });
  return { key: await keyOf(false), testKey, owner };
}
