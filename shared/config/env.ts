import { z } from 'zod';
import { type ConfiguredKey, parseSecretKeyList, secretKeyListForm } from '#shared/domain/keys/secret-key-list.ts';
import { type CarrierVariables, carrierVariables, unknownCarrierVariables } from './carrier-variables.ts';
import { variables } from './variables.ts';

/** The validated environment, under the names of the variables. */
export type Env = z.output<typeof variables> & CarrierVariables;

/** All problems of an environment, for the person who starts the process. */
export class EnvironmentError extends Error {
  readonly problems: string[];

  constructor(problems: string[]) {
    const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
    const lines = problems.map((problem) => `  - ${problem}`).join('\n');
    super(`The configuration has ${count}:\n${lines}\nSee docs/reference/configuration.md.`);
    this.name = 'EnvironmentError';
    this.problems = problems;
  }
}

const schema = z.object({ ...variables.shape, ...carrierVariables() });
const secretName = /SECRET|KEY|TOKEN|PASSWORD|DATABASE_URL|REDIS_URL|WEBHOOK_PROXY|SMTP_URL/;

/**
 * Reads and validates the environment. An empty variable counts as unset. Throws one `EnvironmentError` for all
 * problems.
 */
export function readEnv(source: Record<string, string | undefined>): Env {
  const given: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const value = source[name]?.trim();
    if (value) given[name] = value;
  }
  const unknown = unknownCarrierVariables(source, schema.shape);
  const parsed = schema.safeParse(given);
  if (parsed.success && unknown.length === 0) return parsed.data as Env;
  const invalid = (parsed.error?.issues ?? []).map((issue) =>
    describeProblem(String(issue.path[0]), issue.message, given),
  );
  throw new EnvironmentError([...invalid, ...unknown]);
}

/** `DATABASE_URL`, for processes that can't run without it. Throws `EnvironmentError` if it is unset. */
export function requireDatabaseUrl(env: Env): string {
  if (env.DATABASE_URL !== null) return env.DATABASE_URL;
  throw new EnvironmentError([
    'DATABASE_URL is not set. Set it to postgres://user:password@host:5432/database, or run everything with `npm start`.',
  ]);
}

/** `MIGRATION_DATABASE_URL`, for what only the owner of the schema may do. Throws `EnvironmentError` if it is unset. */
export function requireMigrationDatabaseUrl(env: Env): string {
  if (env.MIGRATION_DATABASE_URL !== null) return env.MIGRATION_DATABASE_URL;
  throw new EnvironmentError([
    'MIGRATION_DATABASE_URL is not set. Set it to the address of the user that owns the database. DATABASE_URL names ' +
      'the login of the API and the workers, another user without rights of its own, which the migrations create.',
  ]);
}

const loopbackAddress = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

/**
 * True when only programs on this machine can reach the installation. A reverse proxy on the same machine opens a
 * loopback `HOST` to everybody: `TRUST_PROXY` or a `PUBLIC_BASE_URL` that others can open shows that there is one.
 */
export function isMachineOnly(env: Pick<Env, 'HOST' | 'PUBLIC_BASE_URL' | 'TRUST_PROXY'>): boolean {
  const { HOST: host, PUBLIC_BASE_URL: address, TRUST_PROXY: proxies } = env;
  return isLoopbackHost(host) && (address === null || isLoopbackUrl(address)) && proxies.length === 0;
}

/** True for a URL of the machine itself. */
export function isLoopbackUrl(url: string): boolean {
  return isLoopbackHost(new URL(url).hostname.replace(/^\[|\]$/g, ''));
}

/** True when a server that listens on this address can be reached from its own machine only. */
export function isLoopbackHost(host: string): boolean {
  return loopbackAddress.test(host);
}

/** `MAIL_FROM`, or an address at the host of `PUBLIC_BASE_URL`. */
export function mailFrom({
  MAIL_FROM: from,
  PUBLIC_BASE_URL: url,
}: Pick<Env, 'MAIL_FROM' | 'PUBLIC_BASE_URL'>): string {
  return from ?? `Landfall <landfall@${url === null ? 'localhost' : new URL(url).hostname}>`;
}

/** Throws `EnvironmentError` if other machines could open the operations pages without a token. */
export function requireOperationsToken(env: Env): void {
  if (env.OPERATIONS_TOKEN !== null || isLoopbackHost(env.OPERATIONS_HOST)) return;
  throw new EnvironmentError([
    `OPERATIONS_HOST=${JSON.stringify(env.OPERATIONS_HOST)} opens the operations pages to other machines. ` +
      'Set OPERATIONS_TOKEN to a token that they must send (openssl rand -hex 24), or remove OPERATIONS_HOST.',
  ]);
}

/** Throws `EnvironmentError` if apps would be sent to an address that isn't the installation's, or isn't encrypted. */
export function requireOauthAddress(env: Env): void {
  if (env.MCP_OAUTH === 'off') return;
  const { PUBLIC_BASE_URL: address, HOST: host } = env;
  const isLocal = address === null ? isLoopbackHost(host) : isLoopbackUrl(address);
  if (isLocal || (address !== null && new URL(address).protocol === 'https:')) return;
  const remedy = address === null ? 'Set PUBLIC_BASE_URL' : `PUBLIC_BASE_URL=${address} is not encrypted. Set it`;
  throw new EnvironmentError([
    `MCP_OAUTH=on needs the address that apps use. ${remedy} to an address that begins with https://, or remove ` +
      'MCP_OAUTH.',
  ]);
}

/**
 * The keys for stored secrets, from either variable. Throws `EnvironmentError` if both are set or the file has no keys.
 */
export function credentialKeys(env: Env, readFile: (path: string) => string): ConfiguredKey[] {
  const path = env.CREDENTIAL_KEYS_FILE;
  if (path === null) return env.CREDENTIAL_KEYS;
  if (env.CREDENTIAL_KEYS.length > 0)
    throw new EnvironmentError(['CREDENTIAL_KEYS and CREDENTIAL_KEYS_FILE are both set. Set one of them.']);
  const keys = parseSecretKeyList(readOrNothing(path, readFile));
  if (keys !== null && keys.length > 0) return keys;
  throw new EnvironmentError([
    `CREDENTIAL_KEYS_FILE=${path} cannot be read or contains no keys: it ${secretKeyListForm}.`,
  ]);
}

/** The text of a file, empty if it can't be read. */
export function readOrNothing(path: string, readFile: (path: string) => string): string {
  try {
    return readFile(path);
  } catch {
    return '';
  }
}

/** Name, group, default and description of every variable, for docs/reference/configuration.md. */
export function describeVariables(): {
  name: string;
  group: string;
  fallback: string | null;
  choices: string[];
  description: string;
}[] {
  const defaults: Record<string, unknown> = schema.parse({});
  return Object.entries(schema.shape).map(([name, field]) => {
    const { description, group } = field.meta() as { description: string; group: string };
    const fallback = String(defaults[name] ?? '') || null;
    const choices = (z.toJSONSchema(field, { io: 'input' }).enum ?? []).map(String);
    return { name, group, fallback, choices, description };
  });
}

function describeProblem(name: string, message: string, given: Record<string, string>): string {
  const known = describeVariables().find((variable) => variable.name === name);
  const value = secretName.test(name) ? '(hidden)' : JSON.stringify(given[name]);
  const problem = known?.choices.length ? `must be one of ${known.choices.join(', ')}` : message;
  const remedy = known?.fallback ? `use ${known.fallback}` : 'leave it unset';
  return `${name}=${value} ${problem}. Correct it, or remove it to ${remedy}.`;
}
