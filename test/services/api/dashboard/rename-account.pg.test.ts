import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensureInitialAccess } from '#shared/core/keys/ensure-initial-access.ts';
import { startTestApi, type TestApi } from '#test/support/api/api.ts';
import { claimApi, password, signedIn } from '#test/support/browser/dashboard.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({}, { openDatabase: ownDatabase });
});
afterAll(() => api.close());

type Asker = Awaited<ReturnType<typeof claimApi>>;

const rename = (person: Asker, name: unknown) =>
  person.ask('/dashboard/api/account', { method: 'PATCH', body: { name } });
const session = async (person: Asker) => (await person.ask('/dashboard/api/session')).body;

it('renames the account for everybody in it, and notes it in the audit log', async () => {
  const owner = await signedIn(api, 'owner', 'before');
  const viewer = await signedIn(api, 'viewer', 'before');
  expect(await rename(owner, '  Hanse Spedition GmbH ')).toMatchObject({
    status: 200,
    body: { name: 'Hanse Spedition GmbH' },
  });
  for (const person of [owner, viewer])
    expect((await session(person)).accounts).toMatchObject([{ name: 'Hanse Spedition GmbH' }]);
  const [line] = (await owner.ask('/dashboard/api/audit')).body.data;
  expect(line).toMatchObject({
    action: 'account.renamed',
    detail: { from: 'before', to: 'Hanse Spedition GmbH' },
    subject_id: owner.account,
  });
  expect((await rename(owner, 'Hanse Spedition GmbH')).status).toBe(200);
  expect((await owner.ask('/dashboard/api/audit')).body.data[0].id).toBe(line.id);
});

it.each([[''], ['   '], ['x'.repeat(201)], ['a\u0000b'], [null]])('refuses the name %j', async (name) => {
  const owner = await signedIn(api, 'owner', 'refused names');
  expect((await rename(owner, name)).status).toBe(400);
});

it.each(['member', 'viewer'] as const)('is for owners, not for a %s', async (role) => {
  const person = await signedIn(api, role, 'not theirs');
  expect((await rename(person, 'theirs')).status).toBe(403);
});

it('leaves another account alone', async () => {
  const [mine, theirs] = [await signedIn(api, 'owner', 'mine'), await signedIn(api, 'owner', 'theirs')];
  await rename(mine, 'renamed');
  expect((await session(theirs)).accounts[0].name).toBe('theirs');
});

it('makes no operators by the name of their account, and keeps the operators of a renamed one', async () => {
  const operator = await claimApi(api);
  const other = await signedIn(api, 'owner', 'ambitious');
  expect((await session(operator)).user.is_operator).toBe(true);
  await rename(other, 'default');
  expect((await session(other)).user.is_operator).toBe(false);
  expect((await other.ask('/dashboard/api/operations')).status).toBe(403);
  await rename(operator, 'Nordwind Logistik');
  expect((await session(operator)).user.is_operator).toBe(true);
  expect((await operator.ask('/dashboard/api/operations/history')).status).toBe(200);
  // The next start finds the account by the name that the settings know, and leaves the owners' name.
  const admin = { email: 'owner@example.test', password };
  await ensureInitialAccess(api.ctx.core, { account: 'default', admin, apiKey: null }, api.ctx.auth.hashPassword);
  expect((await session(operator)).accounts).toMatchObject([{ name: 'Nordwind Logistik' }]);
});
