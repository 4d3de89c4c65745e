import { z } from 'zod';
import { type ConnectorCode, connectorCodes } from '#shared/domain/carriers/known-connectors.ts';
import { parseApiKey } from '#shared/domain/keys/api-key.ts';
import { type ConfiguredKey, parseSecretKeyList, secretKeyListForm } from '#shared/domain/keys/secret-key-list.ts';
import { passwordLength } from '#shared/domain/people/role.ts';

type Group = 'Service' | 'First start' | 'Storage' | 'Operations' | 'Traces' | 'Simulator' | 'Polling' | 'Carriers';

const text = z.string();
const list = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);

const port = wholeNumber(0, 65_535);

const settings = z.object({
  PORT: variable(
    port.default(8080),
    'Service',
    'Port of the API and the dashboard. `npm start` takes the next free port when the default is taken; a port set here is used or refused.',
  ),
  HOST: variable(
    text.default('127.0.0.1'),
    'Service',
    'Address the API listens on. `0.0.0.0` opens it to the network; put TLS in front of it.',
  ),
  PUBLIC_BASE_URL: variable(
    url('http:', 'https:').nullable().default(null),
    'Service',
    'Address that clients use, for the links in answers. Default: made of HOST and PORT.',
  ),
  ALLOWED_HOSTS: variable(
    list.default([]),
    'Service',
    'Host names, separated by commas, that the MCP endpoint answers to besides its own (against DNS rebinding).',
  ),
  ALLOWED_ORIGINS: variable(
    list.default([]),
    'Service',
    'Browser origins, separated by commas, that may call the API besides its own.',
  ),
  TRUST_PROXY: variable(
    list
      .refine(
        (addresses) => addresses.every(isNetwork),
        'must be IP addresses or networks such as 10.0.0.0/8, separated by commas',
      )
      .default([]),
    'Service',
    'Addresses or networks of your reverse proxies, separated by commas, whose `X-Forwarded-For` is believed. Failed sign-ins are limited per address: behind a proxy that is not named here, all clients share one.',
  ),
  LOG_LEVEL: variable(
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
    'Service',
    'Least severe log line that is written.',
  ),
  LOG_FORMAT: variable(
    z.enum(['auto', 'json', 'pretty']).default('auto'),
    'Service',
    'Form of the log lines; `auto` is `pretty` in a terminal and `json` elsewhere.',
  ),
  SHUTDOWN_TIMEOUT_MS: variable(
    wholeNumber(100, 600_000).default(9000),
    'Service',
    'Milliseconds a process may take to finish its work after SIGTERM or Ctrl-C before it exits anyway.',
  ),
  DATABASE_URL: variable(
    url('postgres:', 'postgresql:').nullable().default(null),
    'Storage',
    'PostgreSQL 18. Unset: `npm start` runs its own PostgreSQL in the data folder.',
  ),
  DB_POOL_SIZE: variable(
    wholeNumber(1, 500).default(10),
    'Storage',
    'Database connections of one API or worker process for requests and refreshes, at most; some more are for the system, traces and the queue (`npm run doctor` counts them).',
  ),
  REDIS_URL: variable(
    text
      .refine(
        (value) => value.split(',').every((one) => url('redis:', 'rediss:').safeParse(one.trim()).success),
        'must be redis: or rediss: addresses',
      )
      .nullable()
      .default(null),
    'Storage',
    'Redis or Valkey for the queue (`maxmemory-policy noeviction`, append-only file on). Several addresses, separated by commas, or one that ends in `?cluster=true`, are nodes of a Redis Cluster. Unset: the queue lives in PostgreSQL.',
  ),
  LANDFALL_DATA_DIR: variable(
    text.nullable().default(null),
    'Storage',
    'Folder of everything `npm start` keeps. Default: `.landfall` in the project, or `~/.local/share/landfall` when the project is read-only.',
  ),
  CREDENTIAL_KEYS: variable(
    text
      .refine((value) => parseSecretKeyList(value) !== null, secretKeyListForm)
      .transform((value) => parseSecretKeyList(value) ?? [])
      .default([]),
    'Storage',
    'Keys that seal the secrets in the database, such as the accounts’ carrier credentials: `<version>:<32 bytes in base64>`, separated by commas. The first one seals, all of them open; what an older one sealed is sealed anew by the worker. The same for the API and all workers, and as worth keeping as the database: `v1:$(openssl rand -base64 32)`. Without it such secrets cannot be stored; `npm start` with its own PostgreSQL makes a key file in the data folder.',
  ),
  CREDENTIAL_KEYS_FILE: variable(
    text.nullable().default(null),
    'Storage',
    'File that holds what CREDENTIAL_KEYS would, instead of it; a line may hold one key.',
  ),
  INIT_ADMIN_EMAIL: variable(
    z
      .string()
      .refine((value) => z.email().safeParse(value).success, 'must be an e-mail address')
      .nullable()
      .default(null),
    'First start',
    'E-mail address of the first user, an owner of the first account and of INIT_ACCOUNT, for installations that nobody claims by the link. Made by the API at its start when nobody has the address; whoever has it keeps password and role, and joins again after having been removed.',
  ),
  INIT_ADMIN_PASSWORD: variable(
    text
      .refine(
        (value) => passwordProblem(value) === null,
        `must have ${passwordLength.least} to ${passwordLength.most} characters`,
      )
      .nullable()
      .default(null),
    'First start',
    'Password that this user begins with. Changing it here later changes nothing.',
  ),
  INIT_ADMIN_PASSWORD_FILE: variable(
    text.nullable().default(null),
    'First start',
    'File that holds what INIT_ADMIN_PASSWORD would, instead of it.',
  ),
  INIT_ACCOUNT: variable(
    text
      .refine((value) => value.length <= 200, 'may have at most 200 characters')
      .nullable()
      .default(null),
    'First start',
    'Name of the account that INIT_API_KEY is for, made when it is not there. Default: the first account, `default`.',
  ),
  INIT_API_KEY: variable(
    text
      .refine(
        (value) => apiKeyProblem(value) === null,
        'must be a whole key: svc_live_ or svc_test_, 32 characters and their checksum',
      )
      .nullable()
      .default(null),
    'First start',
    'API key for shipments that the account begins with, for installations that are set up by programs. Added by the API at its start when it was never there; one that was revoked stays so. `node infra/scripts/keys.ts new-value` prints one that was never used.',
  ),
  INIT_API_KEY_FILE: variable(
    text.nullable().default(null),
    'First start',
    'File that holds what INIT_API_KEY would, instead of it.',
  ),
  OPERATIONS_PORT: variable(
    port.default(8090),
    'Operations',
    "Port of the API's operations pages and `/metrics`, which are not for clients; 0 takes any free one. `npm start` takes the next free port when the default is taken. The worker's `/metrics` is on WORKER_HEALTH_PORT.",
  ),
  OPERATIONS_HOST: variable(
    text.default('127.0.0.1'),
    'Operations',
    'Address that the operations port listens on. The pages show every account’s carriers and traces: anything but this machine needs OPERATIONS_TOKEN.',
  ),
  OPERATIONS_TOKEN: variable(
    text
      .refine((value) => value.length >= 16, 'must have at least 16 characters')
      .nullable()
      .default(null),
    'Operations',
    'Opens the operations pages, as `Authorization: Bearer …` or once as `?token=…`, which sets a cookie. Unset: they are open to whoever reaches the port, which must then be on this machine. `/metrics` names no account and no shipment and needs no token.',
  ),
  TRACE_STORE: variable(
    z.enum(['on', 'off']).default('on'),
    'Traces',
    'Whether API and worker keep traces in PostgreSQL for two days, for the operations pages; OTLP goes out besides, whenever an endpoint is set. `off`: without OTLP nothing is recorded, and trace ids lead nowhere.',
  ),
  TRACE_STORE_SHARE: variable(
    z.coerce
      .number('must be a share from 0 to 1')
      .min(0, 'must be at least 0')
      .max(1, 'must be at most 1')
      .default(0.1),
    'Traces',
    'Share of the ordinary traces that the trace store keeps, from 0 to 1; the same ones in API and worker. Failed, slow and rate-limited (429) ones are kept besides.',
  ),
  TRACE_STORE_SLOW_MS: variable(
    wholeNumber(1, 600_000).default(2000),
    'Traces',
    'Milliseconds from which on a request or a job is slow: its trace is kept.',
  ),
  SIMULATOR: variable(
    z.enum(['auto', 'on', 'off']).default('auto'),
    'Simulator',
    'Whether simulated carriers stand in for the ones that are not configured; `auto` does so under `npm start` without DATABASE_URL. Simulated shipments say so.',
  ),
  SIMULATOR_URL: variable(
    url('http:', 'https:').nullable().default(null),
    'Simulator',
    'Where the worker finds the simulator; set by `npm start`.',
  ),
  SIMULATOR_PORT: variable(port.default(8070), 'Simulator', 'Port of the simulator.'),
  SIMULATOR_HOST: variable(text.default('127.0.0.1'), 'Simulator', 'Address the simulator listens on.'),
  SIMULATOR_SEED: variable(
    text.default('landfall'),
    'Simulator',
    'Seed of the simulated voyages; the same seed plays the same voyages.',
  ),
  SIMULATOR_VOYAGE_S: variable(
    wholeNumber(1, 31_536_000).default(50),
    'Simulator',
    'Seconds that a fast simulated voyage takes from booking to delivery.',
  ),
  SIMULATOR_FAULT_RATE: variable(
    z.coerce.number('must be a share from 0 to 1').min(0, 'must be at least 0').max(1, 'must be at most 1').default(0),
    'Simulator',
    'Share of the simulated carriers’ answers that go wrong, from 0 to 1: refusals, broken connections, spoilt bodies. The same seed gives the same faults.',
  ),
  CADENCE_SCALE: variable(
    z.coerce
      .number('must be a number above 0')
      .positive('must be a number above 0')
      .max(1000, 'must be at most 1000')
      .default(1),
    'Polling',
    'Multiplies every interval between two refreshes: 0.5 refreshes twice as often. Carriers limit how often they may be asked. `npm start` shortens it by itself while every carrier is simulated.',
  ),
  PUSH: variable(
    z.enum(['auto', 'off']).default('auto'),
    'Polling',
    'Whether carriers that can are asked to send events by themselves; `auto` does so when PUBLIC_BASE_URL and CREDENTIAL_KEYS are set. The carriers must reach `/hooks/…` there. They are polled all the same, less often.',
  ),
  PUSH_SECRET_DAYS: variable(
    z.coerce
      .number('must be a number of days above 0')
      .positive('must be a number of days above 0')
      .max(3650, 'must be at most 3650')
      .default(30),
    'Polling',
    'Days after which the secret that a carrier signs its deliveries with is replaced; the former one is taken for a day more.',
  ),
  WORKER_CONCURRENCY: variable(
    wholeNumber(1, 1000).default(32),
    'Polling',
    'Calls that one worker process has under way with one carrier at the same moment, at most; fewer while the carrier is slow.',
  ),
  WORKER_HEALTH_PORT: variable(
    port.default(8081),
    'Polling',
    "Port of the worker's `/livez` and `/readyz`; 0 takes any free one.",
  ),
});

/** Names in `CARRIER_<CODE>_…`, by connector code. */
export const carrierCodes = Object.fromEntries(
  connectorCodes.map((code) => [code, code.toUpperCase().replaceAll('-', '_')]),
) as Record<ConnectorCode, string>;

const carrierParts = {
  BASE_URL: [
    url('http:', 'https:').nullable().default(null),
    "Base address of the carrier's API. Setting it turns the carrier on; anything that speaks its protocol can stand in.",
  ],
  AUTH_URL: [
    url('http:', 'https:').nullable().default(null),
    'Address that gives access tokens (OAuth 2.0 client credentials), where the carrier uses them.',
  ],
  CLIENT_ID: [text.nullable().default(null), 'Client id at the carrier.'],
  CLIENT_SECRET: [text.nullable().default(null), 'Client secret at the carrier.'],
  API_KEY: [text.nullable().default(null), 'API key at the carrier.'],
  CERTIFICATE: [
    text.nullable().default(null),
    'Certificate (PEM) for a carrier that takes signed assertions instead of a secret.',
  ],
  PRIVATE_KEY: [text.nullable().default(null), 'Private key (PEM) of that certificate.'],
  SCOPE: [text.nullable().default(null), 'OAuth 2.0 scope, where the carrier gives each customer its own.'],
  ACCOUNTS: [
    list.default([]),
    "Ids of the accounts, separated by commas, that these credentials serve: carriers' answers are for the parties of a shipment only. Default: the first account.",
  ],
} as const;

type CarrierPart = Exclude<keyof typeof carrierParts, 'ACCOUNTS'>;

/** The validated environment, under the variables' own names. */
export type Env = z.output<typeof settings> &
  Record<`CARRIER_${string}_${CarrierPart}`, string | null> &
  Record<`CARRIER_${string}_ACCOUNTS`, string[]>;

/** What the environment says about one carrier. */
export type CarrierEnv = {
  baseUrl: string | null;
  authUrl: string | null;
  clientId: string | null;
  clientSecret: string | null;
  apiKey: string | null;
  certificate: string | null;
  privateKey: string | null;
  scope: string | null;
  accounts: string[];
};

const schema = z.object({ ...settings.shape, ...carrierShape() });
const secretName = /SECRET|KEY|TOKEN|PASSWORD|DATABASE_URL|REDIS_URL/;

/** What is wrong with a first password; null: nothing. */
export function passwordProblem(value: string): string | null {
  const isLong = value.length >= passwordLength.least && value.length <= passwordLength.most;
  return isLong ? null : `must have ${passwordLength.least} to ${passwordLength.most} characters`;
}

/** What is wrong with a first API key; null: nothing. */
export function apiKeyProblem(value: string): string | null {
  return parseApiKey(value) === null
    ? 'must be a whole key: svc_live_ or svc_test_, 32 characters and their checksum'
    : null;
}

/** Every problem of an environment at once; the message is for the person who starts the process. */
export class EnvironmentError extends Error {
  readonly problems: string[];

  constructor(problems: string[]) {
    super(
      `The configuration has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}\nSee docs/configuration.md.`,
    );
    this.name = 'EnvironmentError';
    this.problems = problems;
  }
}

/**
 * Reads and checks the environment; an empty variable counts as unset.
 * Throws one `EnvironmentError` that lists every problem.
 */
export function readEnv(source: Record<string, string | undefined>): Env {
  const given: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const value = source[name]?.trim();
    if (value) given[name] = value;
  }
  const unknown = unknownCarrierVariables(source).map(
    (name) =>
      `${name} is unknown. Its code is one of ${Object.values(carrierCodes).join(', ')}, its ending one of ${Object.keys(carrierParts).join(', ')}.`,
  );
  const parsed = schema.safeParse(given);
  if (parsed.success && unknown.length === 0) return parsed.data as Env;
  const invalid = (parsed.error?.issues ?? []).map((issue) =>
    describeProblem(String(issue.path[0]), issue.message, given),
  );
  throw new EnvironmentError([...invalid, ...unknown]);
}

/** `DATABASE_URL`, for the processes that cannot run without one; throws `EnvironmentError` when it is unset. */
export function requireDatabaseUrl(env: Env): string {
  if (env.DATABASE_URL === null) {
    throw new EnvironmentError([
      'DATABASE_URL is not set. Set it to postgres://user:password@host:5432/database, or run everything with `npm start`.',
    ]);
  }
  return env.DATABASE_URL;
}

const loopbackAddress = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

/** Throws `EnvironmentError` when the operations pages would be open to other machines without a token. */
export function requireOperationsToken(env: Env): void {
  if (env.OPERATIONS_TOKEN !== null || loopbackAddress.test(env.OPERATIONS_HOST)) return;
  throw new EnvironmentError([
    `OPERATIONS_HOST=${JSON.stringify(env.OPERATIONS_HOST)} opens the operations pages to other machines. Set OPERATIONS_TOKEN to what they have to bring (openssl rand -hex 24), or remove OPERATIONS_HOST.`,
  ]);
}

/** The keys for stored secrets, from either variable. Throws `EnvironmentError` when both are set or the file holds none. */
export function credentialKeys(env: Env, readFile: (path: string) => string): ConfiguredKey[] {
  const path = env.CREDENTIAL_KEYS_FILE;
  if (path === null) return env.CREDENTIAL_KEYS;
  if (env.CREDENTIAL_KEYS.length > 0)
    throw new EnvironmentError(['CREDENTIAL_KEYS and CREDENTIAL_KEYS_FILE are both set. Set one of them.']);
  const keys = parseSecretKeyList(readOrNothing(path, readFile));
  if (keys !== null && keys.length > 0) return keys;
  throw new EnvironmentError([
    `CREDENTIAL_KEYS_FILE=${path} cannot be read or holds no keys: it ${secretKeyListForm}.`,
  ]);
}

function readOrNothing(path: string, readFile: (path: string) => string): string {
  try {
    return readFile(path);
  } catch {
    return '';
  }
}

/** What the environment says about the carrier behind a connector. */
export function carrierEnv(env: Env, connector: ConnectorCode): CarrierEnv {
  const prefix = `CARRIER_${carrierCodes[connector]}` as const;
  return {
    baseUrl: env[`${prefix}_BASE_URL`] ?? null,
    authUrl: env[`${prefix}_AUTH_URL`] ?? null,
    clientId: env[`${prefix}_CLIENT_ID`] ?? null,
    clientSecret: env[`${prefix}_CLIENT_SECRET`] ?? null,
    apiKey: env[`${prefix}_API_KEY`] ?? null,
    certificate: env[`${prefix}_CERTIFICATE`] ?? null,
    privateKey: env[`${prefix}_PRIVATE_KEY`] ?? null,
    scope: env[`${prefix}_SCOPE`] ?? null,
    accounts: env[`${prefix}_ACCOUNTS`] ?? [],
  };
}

/** Name, group, default and meaning of every variable, for docs/configuration.md. */
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
  return `${name}=${value} ${problem}. Correct it, or remove it to ${known?.fallback ? `use ${known.fallback}` : 'leave it unset'}.`;
}

function unknownCarrierVariables(source: Record<string, string | undefined>): string[] {
  const endings = Object.keys(carrierParts).map((part) => `_${part}`);
  return Object.keys(source).filter(
    (name) =>
      name.startsWith('CARRIER_') &&
      !(name in schema.shape) &&
      // Kubernetes adds variables of its own such as CARRIER_X_SERVICE_HOST; those are nobody's mistake.
      (endings.some((ending) => name.endsWith(ending)) ||
        Object.values(carrierCodes).some((code) => name.startsWith(`CARRIER_${code}_`))),
  );
}

function carrierShape(): Record<string, z.ZodType> {
  const fields = Object.entries(carrierParts).map(
    ([part, [field, description]]) => [part, variable(field as z.ZodType, 'Carriers', description)] as const,
  );
  return Object.fromEntries(
    Object.values(carrierCodes).flatMap((code) => fields.map(([part, field]) => [`CARRIER_${code}_${part}`, field])),
  );
}

function variable<T extends z.ZodType>(field: T, group: Group, description: string): T {
  return field.meta({ group, description });
}

function wholeNumber(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,12}$/, message)
    .transform(Number)
    .refine((value) => value >= least && value <= most, message);
}

function isNetwork(address: string): boolean {
  return [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()].some((form) => form.safeParse(address).success);
}

function url(...protocols: string[]) {
  const message = `must be an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
  return z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), message);
}
