import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ensureCredentialKeysFile } from '#infra/installation/credential-keys-file.ts';
import { credentialKeys, readEnv } from '#shared/config/env.ts';

function inFolder(run: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-keys-'));
  try {
    run(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const keysIn = (file: string) =>
  credentialKeys(readEnv({ CREDENTIAL_KEYS_FILE: file }), (path) => readFileSync(path, 'utf8'));

it('creates the file once, readable only by this user, with a valid key', () =>
  inFolder((folder) => {
    const file = ensureCredentialKeysFile(folder);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const keys = keysIn(file);
    expect(keys).toEqual([{ version: 'v1', key: expect.stringMatching(/^.{43}=$/) }]);
    expect(ensureCredentialKeysFile(folder)).toBe(file);
    expect(keysIn(file)).toEqual(keys);
    expect(readdirSync(folder)).toEqual(['credential-keys']);
  }));

it('creates a different key per folder and never replaces an existing file', () =>
  inFolder((folder) =>
    inFolder((other) => {
      expect(keysIn(ensureCredentialKeysFile(folder))).not.toEqual(keysIn(ensureCredentialKeysFile(other)));
      const file = ensureCredentialKeysFile(other);
      writeFileSync(file, 'mine');
      ensureCredentialKeysFile(other);
      expect(readFileSync(file, 'utf8')).toBe('mine');
    }),
  ));
