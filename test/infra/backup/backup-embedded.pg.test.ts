import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensureCredentialKeysFile } from '#infra/installation/credential-keys-file.ts';
import { runScript } from '#test/support/processes.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'landfall-embedded-backup-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('backs up a data folder and restores it into another, including its keys and credential keys', async () => {
  const script = (name: string, dataFolder: string, ...args: string[]) =>
    runScript(name, args, {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      LANDFALL_DATA_DIR: join(folder, dataFolder),
    });
  const made = await script('keys', 'old', 'create', '--name', 'kept');
  const [keyId = ''] = /key_\w+/.exec(made.stderr) ?? [];
  const keysFile = ensureCredentialKeysFile(join(folder, 'old'));
  const keys = readFileSync(keysFile, 'utf8');

  const whole = await script('backup', 'old', join(folder, 'whole.backup'), '--with-credential-keys');
  expect(whole.stderr).toContain('anyone who has it can read every stored secret');

  const restored = await script('restore', 'new', join(folder, 'whole.backup'));
  const newKeysFile = join(folder, 'new', 'credential-keys');
  expect(restored.stderr).toContain(`Stored the credential keys in ${newKeysFile}.`);
  expect(readFileSync(newKeysFile, 'utf8')).toBe(keys);
  expect(statSync(newKeysFile).mode & 0o777).toBe(0o600);
  expect((await script('keys', 'new', 'list')).stdout).toContain(keyId);
  expect(keyId).not.toBe('');
});
