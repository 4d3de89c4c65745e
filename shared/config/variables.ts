import { z } from 'zod';
import { parseSecretKeyList, secretKeyListForm } from '#shared/domain/keys/secret-key-list.ts';
import { minPoolSize } from './pool-sizes.ts';
import {
  apiKey,
  daysOr,
  flag,
  list,
  mailAddress,
  networks,
  password,
  port,
  positiveNumber,
  redisUrl,
  share,
  text,
  url,
  variable,
  wholeNumber,
} from './variable.ts';

/** Every environment variable but those of the carriers. docs/reference/configuration.md is generated from it. */
export const variables = z.object({
  PORT: variable(
    port.default(8080),
    'Service',
    'Port of the API and the dashboard. If it is set and already in use, startup fails; with the default, `npm ' +
      'start` uses the next free port.',
  ),
  HOST: variable(
    text.default('127.0.0.1'),
    'Service',
    'Address the API listens on. `0.0.0.0` makes it reachable from the network; put TLS in front of it.',
  ),
  PUBLIC_BASE_URL: variable(
    url('http:', 'https:').nullable().default(null),
    'Service',
    'Address that clients use, for links in responses. Default: built from HOST and PORT.',
  ),
  ALLOWED_HOSTS: variable(
    list.default([]),
    'Service',
    'Additional host names, separated by commas, that the MCP endpoint, the health endpoints, `/metrics` and the ' +
      'simulator accept. Protects against DNS rebinding. Except for MCP, IP addresses are always accepted.',
  ),
  ALLOWED_ORIGINS: variable(
    list.default([]),
    'Service',
    'Additional browser origins that may call the API, separated by commas.',
  ),
  MCP_OAUTH: variable(
    z.enum(['on', 'off']).default('off'),
    'Service',
    'Whether apps can be connected with OAuth, at `/v1/mcp/oauth`. It needs PUBLIC_BASE_URL with `https:`, or a HOST ' +
      'that only this machine reaches. API keys work as before. Use the same value for the API and all workers.',
  ),
  TRUST_PROXY: variable(
    networks.default([]),
    'Service',
    'Addresses or networks of your reverse proxies, separated by commas. Landfall trusts their `X-Forwarded-For`. ' +
      "Failed sign-ins are limited per address: behind a proxy that isn't listed here, all clients share one address, and " +
      'the log warns of it once. Use the same value for the API and all workers.',
  ),
  MAX_CONNECTIONS: variable(
    wholeNumber(1, 100_000).default(5000),
    'Service',
    'Maximum open connections of one API process. Further ones are refused.',
  ),
  MAX_CONNECTIONS_PER_ADDRESS: variable(
    wholeNumber(1, 100_000).default(500),
    'Service',
    'Maximum open connections of one client (IPv4 address or IPv6 /64 network). For clients behind a proxy in ' +
      'TRUST_PROXY: maximum requests in progress. Further ones get a 429.',
  ),
  MAX_STREAMS: variable(
    wholeNumber(0, 100_000).default(5000),
    'Service',
    'Maximum open live streams (`GET /v1/events/stream`) of one API process. They do not count as connections above. ' +
      'Further ones get a 429.',
  ),
  MAX_STREAMS_PER_ACCOUNT: variable(
    wholeNumber(0, 100_000).default(500),
    'Service',
    'Maximum open live streams of one account in one API process.',
  ),
  MAX_STREAMS_PER_KEY: variable(
    wholeNumber(0, 100_000).default(100),
    'Service',
    'Maximum open live streams of one API key, or of one user of the dashboard, in one API process.',
  ),
  LANDFALL_API_KEY: variable(
    apiKey.nullable().default(null),
    'Service',
    'API key that `npm run listen` uses: one with the scope `shipments:read`. Unset: the first key, if `npm start` ' +
      'wrote it to a file.',
  ),
  LOG_LEVEL: variable(
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
    'Service',
    'Minimum log level.',
  ),
  LOG_FORMAT: variable(
    z.enum(['auto', 'json', 'pretty']).default('auto'),
    'Service',
    'Log format. `auto` is `pretty` in a terminal and `json` elsewhere.',
  ),
  SHUTDOWN_TIMEOUT_MS: variable(
    wholeNumber(100, 600_000).default(9000),
    'Service',
    'Milliseconds that a process may take to finish its work after SIGTERM or Ctrl-C before it exits. For the API, ' +
      'they begin after SHUTDOWN_DELAY_S.',
  ),
  SHUTDOWN_DELAY_S: variable(
    wholeNumber(0, 600).default(5),
    'Service',
    'Seconds that the API still serves requests after SIGTERM, with `/readyz` at 503 and `Connection: close`, before ' +
      'it closes its port and finishes its work. Set it to at least the time in which your proxy notices that ' +
      '`/readyz` fails. Ctrl-C skips it, and `npm start` uses 0 unless it is set.',
  ),
  DATABASE_URL: variable(
    url('postgres:', 'postgresql:').nullable().default(null),
    'Storage',
    'PostgreSQL 18, with the login of the API and the workers. `infra/scripts/migrate.ts` creates it and three more ' +
      'for the system, sign-in and the queue, with the suffixes `_system`, `_auth` and `_queue` and the same password. ' +
      'A login with rights of its own is refused. If unset, `npm start` runs its own PostgreSQL in the data folder.',
  ),
  MIGRATION_DATABASE_URL: variable(
    url('postgres:', 'postgresql:').nullable().default(null),
    'Storage',
    'The same database as DATABASE_URL with the user that owns it. Migrations, backup and restore need it, and `npm ' +
      "start` if DATABASE_URL is set. Don't give it to the API and the workers.",
  ),
  DB_POOL_SIZE: variable(
    wholeNumber(minPoolSize, 500).default(13),
    'Storage',
    'Maximum database connections of one API or worker process, for everything: requests or refreshes, the system, ' +
      'sign-in, traces and a queue in PostgreSQL. `npm run doctor` shows how they are divided.',
  ),
  REDIS_URL: variable(
    redisUrl.nullable().default(null),
    'Storage',
    'Redis or Valkey for the queue, with `maxmemory-policy noeviction` and the append-only file turned on. Several ' +
      'addresses, separated by commas, or one that ends in `?cluster=true`, mean a Redis Cluster. If unset, the queue ' +
      'is in PostgreSQL.',
  ),
  LANDFALL_DATA_DIR: variable(
    text.nullable().default(null),
    'Storage',
    'Folder for everything that `npm start` stores. Default: `.landfall` in the project, or ' +
      '`~/.local/share/landfall` if the project is read-only.',
  ),
  SETTLE_AFTER_DAYS: variable(
    daysOr('never').default(30),
    'Storage',
    'Days after which a closed shipment settles: a worker compresses its events, status history and refreshes into ' +
      'one row, about a quarter of their size. The API returns the same; your own SQL no longer sees them. `never` ' +
      'keeps them as rows. Use the same value for all workers.',
  ),
  FREE_TIME_NEAR_DAYS: variable(
    wholeNumber(0, 30).default(2),
    'Operations',
    'Days before the last free day of a container from which its clock is `expiring` and the exception ' +
      '`last_free_day_near` is open. Use the same value for the API and all workers.',
  ),
  RETENTION_DAYS: variable(
    wholeNumber(1, 36_500).nullable().default(null),
    'Storage',
    'Days after which a worker removes a closed shipment for good, with everything about it. An account can set ' +
      'fewer days, but not more. If unset, closed shipments are kept, except in accounts that set days. Use the same ' +
      'value for the API and all workers.',
  ),
  PROOF_STORE: variable(
    z.enum(['on', 'off']).default('off'),
    'Storage',
    'Whether workers store the proofs of delivery that clients request: signatures, photos and documents of up to 5 ' +
      'MiB each, in the database and its backups, until their shipment is removed. With `off`, each request fetches ' +
      'the document from the carrier again. Documents stored before stay. Use the same value for all workers.',
  ),
  CREDENTIAL_KEYS: variable(
    text
      .refine((value) => parseSecretKeyList(value) !== null, secretKeyListForm)
      .transform((value) => parseSecretKeyList(value) ?? [])
      .default([]),
    'Storage',
    "Keys that encrypt secrets in the database, such as the accounts' carrier credentials: `<version>:<32 bytes in " +
      'base64>`, separated by commas. The first key encrypts and all keys decrypt; the worker re-encrypts secrets of ' +
      'older keys. Use the same keys for the API and all workers, and back them up separately from the database. ' +
      `Generate one with \`echo "v1:$(openssl rand -base64 32)"\`. Without a key, such secrets can't be stored; with ` +
      'its own PostgreSQL, `npm start` creates a key file in the data folder.',
  ),
  CREDENTIAL_KEYS_FILE: variable(
    text.nullable().default(null),
    'Storage',
    'File that contains the keys, in place of CREDENTIAL_KEYS. It may have one key per line.',
  ),
  INIT_ADMIN_EMAIL: variable(
    z
      .string()
      .refine((value) => z.email().safeParse(value).success, 'must be an email address')
      .nullable()
      .default(null),
    'First start',
    'Email address of the first user, an owner of the first account and of INIT_ACCOUNT, for installations that ' +
      "don't use the claim link. The API creates the user at startup. A user who exists already keeps their password " +
      'and role, and rejoins after having been removed.',
  ),
  INIT_ADMIN_PASSWORD: variable(
    password.nullable().default(null),
    'First start',
    'Initial password of this user. Changing it here later has no effect.',
  ),
  INIT_ADMIN_PASSWORD_FILE: variable(
    text.nullable().default(null),
    'First start',
    'File that contains the password, in place of INIT_ADMIN_PASSWORD.',
  ),
  INIT_ACCOUNT: variable(
    text
      .refine((value) => value.length <= 200, 'may have at most 200 characters')
      .nullable()
      .default(null),
    'First start',
    "Account for INIT_API_KEY. Created if it doesn't exist. Default: the first account, `default`.",
  ),
  INIT_API_KEY: variable(
    apiKey.nullable().default(null),
    'First start',
    'Initial API key of the account, for installations that programs set up. The API adds it at startup unless it ' +
      'was added before; a revoked key stays revoked. `node infra/scripts/keys.ts new-value` prints a new one.',
  ),
  INIT_API_KEY_FILE: variable(
    text.nullable().default(null),
    'First start',
    'File that contains the API key, in place of INIT_API_KEY.',
  ),
  OPERATIONS_PORT: variable(
    port.default(8090),
    'Operations',
    "Port of the API's operations pages and `/metrics`, which are not for clients. 0 uses any free port; with the " +
      "default, `npm start` uses the next free port. The worker's `/metrics` is on WORKER_HEALTH_PORT.",
  ),
  OPERATIONS_HOST: variable(
    text.default('127.0.0.1'),
    'Operations',
    'Address the operations port listens on. The pages show the carriers and traces of every account, so an address ' +
      'that other machines can reach requires OPERATIONS_TOKEN.',
  ),
  OPERATIONS_TOKEN: variable(
    text
      .refine((value) => value.length >= 16, 'must have at least 16 characters')
      .nullable()
      .default(null),
    'Operations',
    'Token for the operations pages, sent as `Authorization: Bearer …` or once as `?token=…`, which sets a cookie. ' +
      'If unset, everyone who can reach the port can open the pages, so the port must be on this machine. `/metrics` ' +
      'contains no account or shipment identifiers, and needs the token only at a host name that is not allowed.',
  ),
  TRACE_STORE: variable(
    z.enum(['on', 'off']).default('on'),
    'Traces',
    'Whether the API and the worker store traces in PostgreSQL for two days, for the operations pages. Traces are ' +
      'also exported by OTLP if an endpoint is set. With `off` and without OTLP, no traces are recorded.',
  ),
  TRACE_STORE_SHARE: variable(
    share.default(0.1),
    'Traces',
    'Share of ordinary traces that the trace store keeps, from 0 to 1. The API and the worker keep the same ones. ' +
      'Failed, slow and rate-limited (429) traces, those of requested refreshes and those of test mode are always ' +
      'kept. `npm start` keeps all traces unless this is set.',
  ),
  TRACE_STORE_SLOW_MS: variable(
    wholeNumber(1, 600_000).default(2000),
    'Traces',
    'Milliseconds from which a request or a job counts as slow, so that its trace is kept.',
  ),
  SIMULATOR: variable(
    z.enum(['auto', 'on', 'off']).default('auto'),
    'Simulator',
    'Whether simulated carriers replace the ones that are not configured. `auto` does so under `npm start` without ' +
      'DATABASE_URL. Simulated shipments are marked as such.',
  ),
  SIMULATOR_URL: variable(
    url('http:', 'https:').nullable().default(null),
    'Simulator',
    'Address where the worker reaches the simulator. Set by `npm start`.',
  ),
  SIMULATOR_PORT: variable(port.default(8070), 'Simulator', 'Port of the simulator.'),
  SIMULATOR_SMTP_PORT: variable(
    port.nullable().default(null),
    'Simulator',
    'Port of the mail sink, which keeps mails and delivers none. Its inbox is at /inbox of the simulator. Set by ' +
      '`npm start` (8071, or the next free one). If unset, there is no mail sink.',
  ),
  SIMULATOR_HOST: variable(text.default('127.0.0.1'), 'Simulator', 'Address the simulator listens on.'),
  SIMULATOR_SEED: variable(
    text.default('landfall'),
    'Simulator',
    'Seed of the simulated voyages. The same seed gives the same voyages.',
  ),
  SIMULATOR_VOYAGE_S: variable(
    wholeNumber(1, 31_536_000).default(50),
    'Simulator',
    'Seconds that a fast simulated voyage takes from booking to delivery.',
  ),
  SIMULATOR_FAULT_RATE: variable(
    share.default(0),
    'Simulator',
    'Share of simulated carrier responses with a fault, from 0 to 1: error responses, broken connections, corrupt ' +
      'bodies. The same seed gives the same faults.',
  ),
  SIMULATOR_API_URL: variable(
    url('http:', 'https:').nullable().default(null),
    'Simulator',
    'Address of the API to which the simulated railway, terminal and truck post the events of the demonstration. Set ' +
      'by `npm start`. If unset, they post none.',
  ),
  SIMULATOR_API_KEY: variable(
    text.nullable().default(null),
    'Simulator',
    'API key with the scope `events:write` that they use. Set by `npm start`.',
  ),
  CADENCE_SCALE: variable(
    positiveNumber(1000).default(1),
    'Polling',
    'Factor for every interval between two refreshes: 0.5 refreshes twice as often. Carriers limit how often they ' +
      'may be called. While all carriers are simulated, `npm start` uses a smaller factor.',
  ),
  CARRIER_SUBSCRIPTIONS: variable(
    z.enum(['auto', 'off']).default('auto'),
    'Polling',
    'Whether Landfall subscribes to the events of carriers that can push them. `auto` does so if PUBLIC_BASE_URL ' +
      'and CREDENTIAL_KEYS are set; the carriers must be able to reach `/hooks/…` there. Landfall still polls these ' +
      'carriers, but less often.',
  ),
  CARRIER_SUBSCRIPTION_SECRET_DAYS: variable(
    positiveNumber(3650).default(30),
    'Polling',
    'Days after which Landfall replaces the secret that a carrier signs its deliveries with. The previous secret ' +
      'stays valid for one more day.',
  ),
  POSITIONS_URL: variable(
    url('http:', 'https:').nullable().default(null),
    'Polling',
    'Address from which workers request the positions of ships that carry open shipments, by the contract in ' +
      'docs/operate/positions.md. If unset, only pushed positions are shown. `npm start` sets it while all carriers ' +
      'are simulated.',
  ),
  POSITIONS_TOKEN: variable(
    text.nullable().default(null),
    'Polling',
    'Bearer token for POSITIONS_URL. If unset, requests carry none.',
  ),
  POSITIONS_EVERY_S: variable(
    wholeNumber(1, 86_400).default(600),
    'Polling',
    'Seconds between two rounds of requests to POSITIONS_URL, for all workers together. A round sends one for each ' +
      '500 ships. After a failure, the pause doubles up to an hour.',
  ),
  WORKER_CONCURRENCY: variable(
    wholeNumber(1, 1000).default(32),
    'Polling',
    'Maximum concurrent calls from one worker process to one carrier. The worker makes fewer while the carrier is ' +
      'slow.',
  ),
  WORKER_HEALTH_PORT: variable(
    port.default(8081),
    'Polling',
    "Port of the worker's `/livez`, `/readyz` and `/metrics`. 0 uses any free port.",
  ),
  SMTP_URL: variable(
    url('smtp:', 'smtps:').nullable().default(null),
    'Alerts',
    'Mail server for alerts, as `smtps://user:password@mail.example.com` or `smtp://…:587`, which must offer ' +
      'STARTTLS. `?ignoreTLS=true` sends without TLS. If SMTP_URL is unset, the dashboard shows that there is no ' +
      'e-mail, and other channels work. Set it for all workers and the API.',
  ),
  MAIL_FROM: variable(
    mailAddress.nullable().default(null),
    'Alerts',
    'Sender of alerts: `Landfall <landfall@example.com>`. Your mail server must be allowed to send for it (SPF, ' +
      'DKIM). Default: `landfall` at the host of PUBLIC_BASE_URL.',
  ),
  SHARED_PAGES: variable(
    z.enum(['on', 'off']).default('on'),
    'Service',
    'Whether shipments can be shared by public pages at `/t/…`. `off` ends all of them; with `on`, they work again.',
  ),
  WEBHOOK_ALLOW_HTTP: variable(
    flag.default(false),
    'Webhooks',
    'Whether webhook endpoints may have `http://` URLs: 1 or 0. Without it, only endpoints of test mode may, for a ' +
      'receiver on the same machine. Use the same value for the API and all workers.',
  ),
  WEBHOOK_ALLOWED_NETWORKS: variable(
    networks.default([]),
    'Webhooks',
    'Networks that are not public but may receive webhooks, such as 10.1.0.0/16, separated by commas. Without them, ' +
      'webhooks are sent only to public addresses. Use the same value for the API and all workers.',
  ),
  WEBHOOK_PROXY: variable(
    url('http:', 'https:').nullable().default(null),
    'Webhooks',
    'HTTP proxy that all webhooks go through (CONNECT). It resolves the host names, so it must itself refuse private ' +
      'networks. Use the same value for the API and all workers.',
  ),
  WEBHOOK_LOG_DAYS: variable(
    wholeNumber(1, 365).default(7),
    'Webhooks',
    'Days for which the log of webhook deliveries is kept. Exhausted deliveries are kept for at least 30 days.',
  ),
  WEBHOOK_CONCURRENCY: variable(
    wholeNumber(1, 10_000).default(256),
    'Webhooks',
    'Maximum concurrent webhook requests of one worker process, of which one endpoint gets at most 8. Requests that ' +
      'take longer than a second give up their permit; there are up to twice as many of those.',
  ),
});
