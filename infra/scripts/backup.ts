import { createWriteStream, existsSync, readFileSync, rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { type Env, readEnv } from '#shared/config/env.ts';
import { writeBackup } from '../backup/write-backup.ts';
import { connectDatabase } from './connect-database.ts';

const usage = `npm run backup -- [<file>, or - for standard output] [--with-credential-keys]`;

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'with-credential-keys': { type: 'boolean' } },
  });
  if (positionals.length > 1) throw new Error('Name one file only.');
  await backUp(positionals[0] ?? defaultName(), values['with-credential-keys'] ?? false);
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  if ((error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')) say(usage);
  process.exitCode = 1;
}

async function backUp(target: string, withKeys: boolean): Promise<void> {
  const env = readEnv(process.env);
  const toOutput = target === '-';
  // npm runs scripts in the project folder, but the path is relative to the folder where npm was called.
  const file = resolve(process.env.INIT_CWD ?? '.', target);
  if (!toOutput && existsSync(file)) throw new Error(`${file} already exists. Name another file.`);
  const database = await connectDatabase(env, say);
  const unfinished = `${file}.${process.pid}.unfinished`;
  try {
    const keys = credentialKeys(env, database.dataFolder);
    const options = { databaseUrl: database.ownerUrl(), credentialKeys: withKeys ? keys : null };
    if (withKeys && keys === null)
      throw new Error('No credential keys found. Run the backup without --with-credential-keys.');
    const output = toOutput ? standardOutput() : createWriteStream(unfinished, { mode: 0o600, flags: 'wx' });
    const { tables, rows } = await writeBackup(output, options);
    if (!toOutput) await keep(unfinished, file);
    say(`Wrote ${rows} rows of ${tables} tables to ${toOutput ? 'standard output' : file}.`);
    say(keysLine(withKeys, keys, database.dataFolder));
  } catch (error) {
    if (!toOutput) rmSync(unfinished, { force: true });
    throw error;
  } finally {
    await database.close();
  }
}

/** The backup gets its name only once it is complete and on disk. */
async function keep(unfinished: string, file: string): Promise<void> {
  const written = await open(unfinished, 'r+');
  await written.sync();
  await written.close();
  await rename(unfinished, file);
}

function standardOutput(): Writable {
  return new Writable({ write: (chunk, _encoding, done) => process.stdout.write(chunk, (error) => done(error)) });
}

function credentialKeys(env: Env, dataFolder: string | null): string | null {
  const own = dataFolder === null ? null : join(dataFolder, 'credential-keys');
  const path = env.CREDENTIAL_KEYS_FILE ?? (own !== null && existsSync(own) ? own : null);
  if (path !== null) return readFileSync(path, 'utf8');
  return process.env.CREDENTIAL_KEYS?.trim() || null;
}

function keysLine(included: boolean, keys: string | null, dataFolder: string | null): string {
  if (included) return 'The backup contains the credential keys: anyone who has it can read every stored secret.';
  if (dataFolder !== null && keys !== null)
    return `Back up ${join(dataFolder, 'credential-keys')} separately. Losing it loses the stored carrier credentials.`;
  return 'Back up CREDENTIAL_KEYS separately. Losing them loses the stored carrier credentials.';
}

function defaultName(): string {
  return `landfall-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}Z.backup`;
}
