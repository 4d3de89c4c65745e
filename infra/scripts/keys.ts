import process from 'node:process';
import { parseArgs } from 'node:util';
import { readEnv } from '#shared/config/env.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { type CreatedApiKey, createApiKey } from '#shared/core/keys/create-api-key.ts';
import { ensureFirstAccount } from '#shared/core/keys/ensure-initial-access.ts';
import { listAllApiKeys } from '#shared/core/keys/list-api-keys.ts';
import { revokeApiKey } from '#shared/core/keys/revoke-api-key.ts';
import { rotateApiKey } from '#shared/core/keys/rotate-api-key.ts';
import { setAccountLimits } from '#shared/core/keys/set-account-limits.ts';
import { makeClaimToken } from '#shared/core/members/claim-installation.ts';
import { makePasswordReset } from '#shared/core/members/reset-password.ts';
import { endAllSessions } from '#shared/core/members/sessions.ts';
import { removeAccount } from '#shared/core/removal/remove-account.ts';
import { newSecret } from '#shared/core/secrets/new-secret.ts';
import { forgetSigningSecret } from '#shared/core/secrets/signing-secret.ts';
import { type Caller, grantableScopes, type Scope } from '#shared/domain/caller.ts';
import { defaultOverlapHours, maxOverlapHours } from '#shared/domain/keys/api-key.ts';
import { type LimitClass, type Limits, limitClasses } from '#shared/domain/keys/limits.ts';
import { passwordResetHours } from '#shared/domain/members/role.ts';
import { decodeTypeId, encodeTypeId } from '#shared/domain/type-id.ts';
import { howToStartOver } from '../data-folder.ts';
import { linkTo } from '../installation/link-to.ts';
import { openScriptCore, operatorOf } from '../installation/open-script-core.ts';
import { prepareDatabase } from '../prepare-database.ts';
import { reachableHost } from '../reachable-host.ts';
import { connectDatabase } from './connect-database.ts';

const usage = `npm run keys -- create --name <name> [--scopes ${grantableScopes.join(',')}] [--test] [--expires 30d]
npm run keys -- list
npm run keys -- rotate <id> [--overlap <hours, default ${defaultOverlapHours}>]
npm run keys -- revoke <id>
npm run keys -- claim      (the link that creates the first owner)
npm run keys -- reset-password <email>      (a link for setting a new password)
npm run keys -- sign-out <email>      (ends all sessions of a user)
npm run keys -- forget-signing-secret      (if its key in CREDENTIAL_KEYS is lost; signs all users out)
npm run keys -- new-value [--test]      (a value for INIT_API_KEY; it works once a process has started with it)
npm run keys -- remove-account <name> --confirm <name>      (removes an account with all its data, for good)
npm run keys -- limits [${limitClasses.map((name) => `--${name} <requests per minute>`).join('] [')}]`;

const msIn: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, y: 31_536_000_000 };

/** An invalid command line. Its message is shown with the usage. */
class UsageError extends Error {}

try {
  await run(process.argv.slice(2));
} catch (error) {
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${text}\n${error instanceof UsageError ? `\n${usage}\n` : ''}`);
  process.exitCode = 1;
}

async function run(args: string[]): Promise<void> {
  if (args[0] === 'new-value') {
    process.stdout.write(`${newSecret(args.includes('--test')).secret}\n`);
    return;
  }
  const command = parseCommand(args);
  const database = await connectDatabase(readEnv(process.env), (line) => process.stderr.write(`${line}\n`));
  try {
    // A server that runs only for this script has no other process to migrate it.
    if (database.startedHere)
      await prepareDatabase(
        { ownerUrl: database.ownerUrl(), databaseUrl: database.url },
        { startOver: howToStartOver(database.dataFolder) },
      );
    const core = await openScriptCore(database.url, '');
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
  if (verb === 'rotate' && id) return rotateCommand(readKeyId(id), values.overlap);
  if (verb === 'revoke' && id) return revokeCommand(readKeyId(id));
  if (verb === 'claim') return claimCommand;
  if (verb === 'reset-password' && id) return resetPasswordCommand(id);
  if (verb === 'sign-out' && id) return signOutCommand(id);
  if (verb === 'forget-signing-secret') return forgetSigningSecretCommand;
  if (verb === 'remove-account' && id) return removeAccountCommand(id, values.confirm);
  if (verb === 'limits') return limitsCommand(values);
  throw new UsageError(verb ? `Unknown or incomplete command: ${positionals.join(' ')}.` : 'Name a command.');
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        scopes: { type: 'string' },
        test: { type: 'boolean' },
        expires: { type: 'string' },
        overlap: { type: 'string' },
        confirm: { type: 'string' },
        read: { type: 'string' },
        write: { type: 'string' },
        batch: { type: 'string' },
        mcp: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function claimCommand(core: CoreContext): Promise<void> {
  const token = await makeClaimToken(core);
  if (token === null)
    throw new Error('The installation already has an owner. Owners invite other people in the dashboard.');
  process.stdout.write(`${linkTo('claim', baseUrl(), token)}\n`);
  process.stderr.write('The claim link creates the first owner. It works once and replaces earlier claim links.\n');
}

function resetPasswordCommand(email: string): Command {
  return async (core, { requestId }) => {
    const token = await makePasswordReset(core, email, requestId);
    process.stdout.write(`${linkTo('reset', baseUrl(), token)}\n`);
    process.stderr.write(
      `The link sets a new password for ${email} and ends all other sessions. ` +
        `It works once, within ${passwordResetHours} hours.\n`,
    );
  };
}

function signOutCommand(email: string): Command {
  return async (core, { requestId }) => {
    await endAllSessions(core, email, requestId);
    process.stdout.write(`All sessions of ${email} have ended.\n`);
  };
}

async function forgetSigningSecretCommand(core: CoreContext): Promise<void> {
  const forgotten = await forgetSigningSecret(core);
  process.stdout.write(
    forgotten
      ? 'Signing secret deleted. Restart every API: the first one creates a new secret. All users must sign in again.\n'
      : 'There is no signing secret. The API creates one when it starts.\n',
  );
}

function baseUrl(): string {
  const { HOST, PORT, PUBLIC_BASE_URL } = readEnv(process.env);
  return PUBLIC_BASE_URL ?? `http://${reachableHost(HOST)}:${PORT}`;
}

function createCommand(values: { name?: string; scopes?: string; test?: boolean; expires?: string }): Command {
  if (!values.name?.trim()) throw new UsageError('--name is required. Name the client that uses the key.');
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
    showSecret(key);
  };
}

function showSecret(key: CreatedApiKey): void {
  process.stdout.write(`${key.secret}\n`);
  process.stderr.write(`Created key ${encodeTypeId('key', key.id)}. The secret is shown only once.\n`);
}

function parseScopes(text: string): Scope[] {
  return text.split(',').map((part) => {
    const scope = grantableScopes.find((known) => known === part.trim());
    if (!scope) throw new UsageError(`Unknown scope: ${part.trim()}. Choose from ${grantableScopes.join(', ')}.`);
    return scope;
  });
}

function parseExpiry(text: string): string {
  const [, count, unit] = /^(\d{1,5})([mhdy])$/.exec(text) ?? [];
  const ms = count && unit ? Number(count) * (msIn[unit] ?? 0) : 0;
  if (ms === 0) throw new UsageError(`Invalid duration: --expires ${text}. Examples: 12h, 30d, 1y.`);
  return new Date(Date.now() + ms).toISOString();
}

async function printKeys(core: CoreContext, caller: Caller): Promise<void> {
  const keys = await listAllApiKeys(core, caller);
  if (keys.length === 0) process.stdout.write('No keys yet.\n');
  for (const key of keys) {
    const state = key.revokedAt ? `revoked ${key.revokedAt}` : key.expiresAt ? `expires ${key.expiresAt}` : 'active';
    const shown = `${key.prefix}…${key.lastFour}`;
    process.stdout.write(`${[encodeTypeId('key', key.id), shown, state, key.name, key.scopes.join(',')].join('  ')}\n`);
  }
}

function readKeyId(id: string): string {
  const keyId = decodeTypeId('key', id);
  if (keyId === null) throw new UsageError(`Invalid key ID: ${id}. Run npm run keys -- list to see the IDs.`);
  return keyId;
}

function rotateCommand(keyId: string, overlap: string | undefined): Command {
  const overlapHours =
    overlap === undefined ? defaultOverlapHours : readWholeNumber('overlap', overlap, { min: 0, max: maxOverlapHours });
  return async (core, caller) => {
    showSecret(await rotateApiKey(core, caller, { keyId, overlapHours }));
    const until = overlapHours === 0 ? 'no longer works' : `keeps working for at most ${overlapHours} h`;
    process.stderr.write(`Key ${encodeTypeId('key', keyId)} ${until}.\n`);
  };
}

function revokeCommand(keyId: string): Command {
  return async (core, caller) => {
    await revokeApiKey(core, caller, keyId);
    process.stdout.write(`Revoked key ${encodeTypeId('key', keyId)}. Every process rejects it within a second.\n`);
  };
}

function limitsCommand(values: Partial<Record<LimitClass, string>>): Command {
  const changes: Partial<Limits> = {};
  for (const name of limitClasses) {
    const value = values[name];
    if (value !== undefined) changes[name] = readWholeNumber(name, value, { min: 1, max: 1_000_000_000 });
  }
  return async (core, caller) => {
    const limits = await setAccountLimits(core, caller, changes);
    for (const name of limitClasses) process.stdout.write(`${name}  ${limits[name]} requests per minute and key\n`);
  };
}

function removeAccountCommand(name: string, confirmed: string | undefined): Command {
  if (confirmed !== name) throw new UsageError(`Removing an account cannot be undone. Add --confirm ${name}.`);
  return async (core, caller) => {
    await removeAccount(core, caller, name);
    process.stdout.write(`Ended all access to ${name}. The workers remove its data in the background.\n`);
  };
}

function readWholeNumber(option: string, text: string, range: { min: number; max: number }): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= range.min && value <= range.max) return value;
  throw new UsageError(`--${option} must be a whole number from ${range.min} to ${range.max}, not ${text}.`);
}
