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
  if (positionals.length > 1) throw new Error('One file is enough.');
  await backUp(positionals[0] ?? defaultName(), values['with-credential-keys'] ?? false);
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  if ((error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')) say(usage);
  process.exitCode = 1;
}

async function backUp(target: string, withKeys: boolean): Promise<void> {
  const env = readEnv(process.env);
  const toOutput = target === '-';
  // npm runs scripts in the project's folder; the file is meant from where the person stands.
  const file = resolve(process.env.INIT_CWD ?? '.', target);
  if (!toOutput && existsSync(file)) throw new Error(`${file} is there already. Nothing is overwritten.`);
  const database = await connectDatabase(env, say);
  const unfinished = `${file}.${process.pid}.unfinished`;
  try {
    const keys = credentialKeys(env, database.dataFolder);
    const options = { databaseUrl: database.url, credentialKeys: withKeys ? keys : null };
    if (withKeys && keys === null) throw new Error('There are no credential keys here to put into the backup.');
    const output = toOutput ? standardOutput() : createWriteStream(unfinished, { mode: 0o600, flags: 'wx' });
    const { tables, rows } = await writeBackup(output, options);
    if (!toOutput) await keep(unfinished, file);
    say(`${rows} rows of ${tables} tables are in ${toOutput ? 'the backup' : file}.`);
    say(keysLine(withKeys, keys, database.dataFolder));
  } catch (error) {
    if (!toOutput) rmSync(unfinished, { force: true });
    throw error;
  } finally {
    await database.close();
  }
}

/** Under its name only when it is whole and on the disk. */
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
  if (included) return 'The credential keys are in it: whoever has the file can read every stored secret.';
  if (dataFolder !== null && keys !== null)
    return `Keep ${join(dataFolder, 'credential-keys')} too, in another place: without it the stored carrier credentials cannot be read again.`;
  return 'Keep CREDENTIAL_KEYS too, in another place: without them the stored carrier credentials cannot be read again.';
}

function defaultName(): string {
  return `landfall-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}Z.backup`;
}
