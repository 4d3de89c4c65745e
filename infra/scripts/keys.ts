import process from 'node:process';
import { parseArgs } from 'node:util';
import { readEnv } from '#shared/config/env.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { createApiKey } from '#shared/core/create-api-key.ts';
import { ensureFirstAccount } from '#shared/core/ensure-first-account.ts';
import { listApiKeys } from '#shared/core/list-api-keys.ts';
import { revokeApiKey } from '#shared/core/revoke-api-key.ts';
import { type Caller, type Scope, scopes } from '#shared/domain/caller.ts';
import { decodeTypeId, encodeTypeId } from '#shared/domain/type-id.ts';
import { DataFolderInUse, findEmbeddedPostgres, startEmbeddedPostgres } from '../embedded/start-embedded.ts';
import { migrate } from '../migrate.ts';
import { chooseDataFolder, postgresFolder } from './data-folder.ts';
import { openCore, operatorOf } from './open-core.ts';

const usage = `npm run keys -- create --name <name> [--scopes ${scopes.join(',')}] [--test] [--expires 30d]
npm run keys -- list
npm run keys -- revoke <id>`;

const msIn: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, y: 31_536_000_000 };

/** A wrong command line; its message is for the person who typed it. */
class UsageError extends Error {}

try {
  await run(process.argv.slice(2));
} catch (error) {
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${text}\n${error instanceof UsageError ? `\n${usage}\n` : ''}`);
  process.exitCode = 1;
}

async function run(args: string[]): Promise<void> {
  const command = parseCommand(args);
  const database = await connectDatabase();
  try {
    const core = await openCore(database.url, '');
    try {
      const { accountId } = await ensureFirstAccount(core);
      await command(core, operatorOf(accountId));
    } finally {
      await core.close();
    }
  } finally {
    await database.close();
  }
}

type Command = (core: CoreContext, caller: Caller) => Promise<void>;

function parseCommand(args: string[]): Command {
  const { values, positionals } = parse(args);
  const [verb, id] = positionals;
  if (verb === 'create') return createCommand(values);
  if (verb === 'list') return printKeys;
  if (verb === 'revoke' && id) return (core, caller) => revoke(core, caller, id);
  throw new UsageError(verb ? `"${positionals.join(' ')}" is not complete, or is no command.` : 'A command is missing.');
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { name: { type: 'string' }, scopes: { type: 'string' }, test: { type: 'boolean' }, expires: { type: 'string' } },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function createCommand(values: { name?: string; scopes?: string; test?: boolean; expires?: string }): Command {
  if (!values.name?.trim()) throw new UsageError('--name is missing: it says later whose key this is.');
  const name = values.name.trim();
  const chosen = values.scopes === undefined ? null : parseScopes(values.scopes);
  const expiresAt = values.expires === undefined ? null : parseExpiry(values.expires);
  return async (core, caller) => {
    const { accountId, requestId } = caller;
    const key = await createApiKey(core, accountId, {
      name,
      test: values.test ?? false,
      expiresAt,
      requestId,
      ...(chosen && { scopes: chosen }),
    });
    process.stdout.write(`${key.secret}\n`);
    process.stderr.write(`Key ${encodeTypeId('key', key.id)} is made. It is shown only now.\n`);
  };
}

function parseScopes(text: string): Scope[] {
  return text.split(',').map((part) => {
    const scope = scopes.find((known) => known === part.trim());
    if (!scope) throw new UsageError(`"${part.trim()}" is no scope. Scopes: ${scopes.join(', ')}.`);
    return scope;
  });
}

function parseExpiry(text: string): string {
  const [, count, unit] = /^(\d{1,5})([mhdy])$/.exec(text) ?? [];
  const ms = count && unit ? Number(count) * (msIn[unit] ?? 0) : 0;
  if (ms === 0) throw new UsageError(`--expires ${text} is no duration. Examples: 12h, 30d, 1y.`);
  return new Date(Date.now() + ms).toISOString();
}

async function printKeys(core: CoreContext, caller: Caller): Promise<void> {
  const keys = await listApiKeys(core, caller);
  if (keys.length === 0) process.stdout.write('No keys yet.\n');
  for (const key of keys) {
    const state = key.revokedAt ? `revoked ${key.revokedAt}` : key.expiresAt ? `expires ${key.expiresAt}` : 'active';
    const shown = `${key.prefix}…${key.lastFour}`;
    process.stdout.write(`${[encodeTypeId('key', key.id), shown, state, key.name, key.scopes.join(',')].join('  ')}\n`);
  }
}

async function revoke(core: CoreContext, caller: Caller, id: string): Promise<void> {
  const keyId = decodeTypeId('key', id);
  if (keyId === null) throw new UsageError(`"${id}" is no key id. "list" shows them: key_…`);
  await revokeApiKey(core, caller, keyId);
  process.stdout.write(`Key ${id} is revoked; every process refuses it within a second.\n`);
}

/** The configured database, the one that `npm start` runs now, or that one's data with a server for the moment. */
async function connectDatabase(): Promise<{ url: string; close: () => Promise<void> }> {
  const env = readEnv(process.env);
  const nothing = async (): Promise<void> => {};
  if (env.DATABASE_URL !== null) return { url: env.DATABASE_URL, close: nothing };
  const log = (line: string) => process.stderr.write(`${line}\n`);
  const dataDir = postgresFolder(chooseDataFolder(env, log));
  const url = await findEmbeddedPostgres(dataDir);
  if (url !== null) return { url, close: nothing };
  const started = await startEmbeddedPostgres({ dataDir, log }).catch((error: unknown) => {
    throw error instanceof DataFolderInUse ? new Error('Landfall is starting at this moment. Try again in a second.') : error;
  });
  await migrate(started.databaseUrl);
  return { url: started.databaseUrl, close: started.stop };
}
