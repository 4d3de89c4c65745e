import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { postgresFolder } from '#infra/data-folder.ts';
import { startEmbeddedPostgres } from '#infra/embedded/start-embedded.ts';
import { migrate } from '#infra/migrate.ts';
import { authenticateKey } from '#shared/core/keys/authenticate-key.ts';
import { checkPasswordReset } from '#shared/core/members/reset-password.ts';
import { insertUser } from '#shared/store/auth/users.ts';
import { withAuth } from '#shared/store/with-account.ts';
import { startTestApi } from '#test/support/api/api.ts';
import { signedIn } from '#test/support/browser/dashboard.ts';
import { openTestCore } from '#test/support/core-context.ts';
import { runScript } from '#test/support/processes.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { lastAskedBefore } from '#test/support/until.ts';

it('creates, rotates, lists and revokes keys and sets limits on the command line', async () => {
  const core = await openTestCore({}, ownDatabase);
  const keys = async (...args: string[]) => {
    const { stdout } = await runScript('keys', args, { DATABASE_URL: core.serviceUrl });
    return stdout.trim();
  };
  const codeOf = (secret: string) =>
    authenticateKey(core.ctx, secret).then(
      ({ limits }) => limits,
      (error) => error.code,
    );
  try {
    const first = await keys('create', '--name', 'first');
    expect(first).toMatch(/^svc_live_[0-9A-Za-z]{38}$/);
    const [id = ''] = (await keys('list')).split(' ');
    const second = await keys('rotate', id, '--overlap', '0');
    const listed = await keys('list');
    expect(listed).toContain(id);
    expect(listed).not.toContain(second);
    expect(await codeOf(first)).toBe('expired_api_key');
    await expect(keys('rotate', id)).rejects.toThrow(/already rotated/);
    await expect(keys('rotate', id, '--overlap', '169')).rejects.toThrow(/from 0 to 168/);

    expect(await keys('limits', '--read', '7')).toContain('read  7 requests per minute');
    expect(await keys('limits')).toMatch(/read {2}7 .*\nwrite {2}3000 .*\nbatch {2}120 .*\nmcp {2}600 /);
    await expect(keys('limits', '--read', '0')).rejects.toThrow(/--read must be a whole number from 1/);
    expect(await codeOf(second)).toEqual({ read: 7, write: 3000, batch: 120, mcp: 600 });

    const [newest = ''] = (await keys('list')).split(' ');
    await keys('revoke', newest);
    expect(
      await lastAskedBefore(
        () => codeOf(second),
        (code) => code === 'revoked_api_key',
      ),
    ).toBeLessThan(1000);
  } finally {
    await core.close();
  }
});

it('refuses a data folder of an older build and names the folder to delete', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'landfall-older-'));
  try {
    const server = await startEmbeddedPostgres({ dataDir: postgresFolder(dataFolder), log: () => {}, durable: false });
    await migrate(server.databaseUrl);
    const client = new pg.Client({ connectionString: server.databaseUrl });
    await client.connect();
    await client.query('comment on schema landfall is null');
    await client.end();
    await server.stop();
    const listing = runScript('keys', ['list'], { LANDFALL_DATA_DIR: dataFolder });
    const { stderr } = await listing.catch((error: { stderr: string }) => error);
    expect(stderr).toMatch(/^An older build of Landfall created this database\. It can't be upgraded\./);
    expect(stderr).toContain(`To start over, delete ${dataFolder}`);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  } finally {
    rmSync(dataFolder, { recursive: true, force: true });
  }
});

it('prints a claim link that a local browser can open, even if the API listens on all addresses', async () => {
  const core = await openTestCore({}, ownDatabase);
  try {
    const claim = async (environment: Record<string, string>) => {
      const env = { DATABASE_URL: core.serviceUrl, PORT: '9000', ...environment };
      return (await runScript('keys', ['claim'], env)).stdout.trim();
    };
    expect(await claim({ HOST: '0.0.0.0' })).toMatch(/^http:\/\/127\.0\.0\.1:9000\/claim#token=\w{32}$/);
    expect(await claim({ HOST: '::1' })).toMatch(/^http:\/\/\[::1\]:9000\/claim#token=/);
    expect(await claim({ PUBLIC_BASE_URL: 'https://landfall.example' })).toMatch(
      /^https:\/\/landfall\.example\/claim#token=/,
    );
  } finally {
    await core.close();
  }
});

it('creates a password reset link on the command line', async () => {
  const core = await openTestCore({}, ownDatabase);
  try {
    const keys = async (...args: string[]) => {
      const env = { DATABASE_URL: core.serviceUrl, PUBLIC_BASE_URL: 'https://landfall.example' };
      return (await runScript('keys', args, env)).stdout.trim();
    };
    await expect(keys('reset-password', 'nobody@example.test')).rejects.toThrow(
      /No user has the email nobody@example.test/,
    );
    await withAuth(core.store, (tx) => insertUser(tx, { name: 'Olga', email: 'olga@example.test', passwordHash: 'x' }));
    const link = await keys('reset-password', 'olga@example.test');
    expect(link).toMatch(/^https:\/\/landfall\.example\/reset#token=\w{32}$/);
    expect(await checkPasswordReset(core.ctx, link.slice(-32))).toMatchObject({ email: 'olga@example.test' });
  } finally {
    await core.close();
  }
});

it('ends all sessions of a user on the command line, and of nobody else', async () => {
  const api = await startTestApi({}, { openDatabase: ownDatabase });
  try {
    const [lost, other] = [
      await signedIn(api, 'member', 'a lost laptop'),
      await signedIn(api, 'member', 'a lost laptop'),
    ];
    const signOut = (email: string) => runScript('keys', ['sign-out', email], { DATABASE_URL: api.serviceUrl });
    await expect(signOut('nobody@example.test')).rejects.toThrow(/No user has the email/);
    await signOut(lost.email);
    const status = async ({ ask }: typeof lost) => (await ask('/dashboard/api/session')).status;
    expect([await status(lost), await status(other)]).toEqual([401, 200]);
  } finally {
    await api.close();
  }
});
