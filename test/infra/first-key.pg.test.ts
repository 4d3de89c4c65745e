import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { accessLines } from '#infra/installation/closing-lines.ts';
import { ensureFirstKey } from '#infra/installation/first-key.ts';
import { checkClaim, claimInstallation } from '#shared/core/members/claim-installation.ts';
import { openTestCore } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

it('writes the claim link and the key to files that only this user can read when there is no terminal', async () => {
  const core = await openTestCore({}, ownDatabase);
  const dataFolder = mkdtempSync(join(tmpdir(), 'landfall-first-key-'));
  const file = join(dataFolder, 'claim-link');
  const place = { databaseUrl: core.serviceUrl, publicBaseUrl: 'http://127.0.0.1:8080', dataFolder };
  const start = () => ensureFirstKey(place, { admin: false, apiKey: false });
  const isTty = process.stdout.isTTY;
  process.stdout.isTTY = false;
  try {
    // A file of an earlier start that others can read is replaced, not reused.
    writeFileSync(file, 'old', { mode: 0o644 });
    const first = await start();
    const link = readFileSync(file, 'utf8');
    const token = /^http:\/\/127\.0\.0\.1:8080\/claim#token=(\w{32})$/.exec(link)?.[1] ?? '';
    expect(await checkClaim(core.ctx, token)).toBe(true);
    expect(first).toMatchObject({ claimLink: link, claimFile: file });
    for (const written of [file, first.file ?? '']) expect(statSync(written).mode & 0o777).toBe(0o600);
    const printed = accessLines(first).join('\n');
    expect(printed).toContain(file);
    expect(printed).not.toContain(token);
    expect(printed).not.toContain(first.secret);

    process.stdout.isTTY = true;
    const second = await start();
    expect(second.claimFile).toBeNull();
    expect(accessLines(second).join('\n')).toContain(second.claimLink);
    expect(() => statSync(file)).toThrow('ENOENT');

    const claimed = /token=(\w+)/.exec(second.claimLink ?? '')?.[1] ?? '';
    await claimInstallation(core.ctx, {
      token: claimed,
      name: 'Olga',
      email: 'olga@example.test',
      requestId: 'req_test',
      hashPassword: async () => 'hash',
    });
    expect(await start()).toMatchObject({ claimLink: null, claimFile: null });
  } finally {
    process.stdout.isTTY = isTty;
    rmSync(dataFolder, { recursive: true });
    await core.close();
  }
});
