import { afterAll, beforeAll, expect, it } from 'vitest';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { startOauthApi, connect, listTools, refresh } from '#test/support/oauth/oauth-api.ts';
import { signedIn, type SignedInMember } from '#test/support/browser/dashboard.ts';
import type { TestApi } from '#test/support/api/api.ts';

let api: TestApi;
let owner: SignedInMember;
beforeAll(async () => {
  api = await startOauthApi();
  owner = await signedIn(api, 'owner', 'default');
});
afterAll(() => api.close());

it('connects an app to a key from registration to a call', async () => {
  const key = await api.createKey();
  const app = await connect(api, owner, encodeTypeId('key', key.id));
  console.log(app.body);
  console.log(await listTools(api, app.accessToken).then(a => [a.status, JSON.stringify(a.body).slice(0, 100)]));
  console.log(await listTools(api, app.accessToken, '/v1/mcp'));
  const r = await refresh(api, app);
  console.log(r.status, r.body);
  console.log(await owner.ask(`/dashboard/api/api-keys/${encodeTypeId('key', key.id)}/apps`));
  console.log(api.logLines.filter(l => /warn|error/.test(l)).slice(0,10).join('\n'));
});
