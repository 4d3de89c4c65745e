import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { sleep } from '#shared/async/sleep.ts';
import { type Env, readEnv } from '#shared/config/env.ts';
import type { WireChange } from '#shared/contract/feed/change-wire.ts';
import { createStreamReader } from '#shared/contract/feed/stream-reader.ts';
import { toSummaryBody } from '#shared/contract/webhooks/webhook-body.ts';
import { webhookHeaders } from '#shared/net/sign-webhook.ts';
import { chooseDataFolder } from '../data-folder.ts';
import { reachableHost } from '../reachable-host.ts';

const usage = `npm run listen -- --forward-to http://127.0.0.1:3000/hooks
  [--types shipment.status_changed,shipment.delivered]
  [--filter 'shipment_id=shp_…' or 'event_codes=arrived&leg_roles=pod']      (query parameters of GET /v1/events/stream)
  [--after <position>]      (default: only changes from now on)
  [--secret whsec_…]      (default: a new one, shown at the start)
  [--api <address of the API>]      (default: the one of this configuration)
LANDFALL_API_KEY is the key. Without it, the key that npm start wrote to first-api-key is used.`;

const userAgent = 'Landfall-Webhooks/listen';
const deliveryTimeoutMs = 10_000;
/** The server sends something every 15 s. */
const maxSilenceMs = 25_000;
const maxPauseMs = 30_000;

type Settings = { streamUrl: URL; key: string; forwardTo: URL; secret: string; after: number | null };

/** An invalid command line. Its message is shown with the usage. */
class UsageError extends Error {}

/** An answer of the API that trying again does not change. */
class Refused extends Error {}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

try {
  await listen(settingsOf(process.argv.slice(2)));
} catch (error) {
  const isUsage = error instanceof UsageError || (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS');
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${isUsage ? `\n${usage}\n` : ''}`);
  process.exitCode = 1;
}

function settingsOf(args: string[]): Settings {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args,
    options: { 'forward-to': text, types: text, filter: text, after: text, secret: text, api: text },
  });
  const env = readEnv(process.env);
  const forwardTo = addressOf(values['forward-to'], '--forward-to');
  const base = addressOf(values.api ?? env.PUBLIC_BASE_URL ?? `http://${reachableHost(env.HOST)}:${env.PORT}`, '--api');
  const streamUrl = new URL('v1/events/stream', base.href.endsWith('/') ? base : `${base.href}/`);
  for (const [name, value] of new URLSearchParams(values.filter)) streamUrl.searchParams.append(name, value);
  if (values.types !== undefined) streamUrl.searchParams.set('type', values.types);
  if (values.after !== undefined && !/^\d{1,15}$/.test(values.after))
    throw new UsageError('--after must be a position of the feed.');
  const secret = values.secret ?? `whsec_${randomBytes(32).toString('base64')}`;
  if (!/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(secret))
    throw new UsageError('--secret must be whsec_ and at least 24 bytes in base64.');
  return {
    streamUrl,
    key: keyOf(env),
    forwardTo,
    secret,
    after: values.after === undefined ? null : Number(values.after),
  };
}

function addressOf(text: string | undefined, option: string): URL {
  const url = URL.parse(text ?? '');
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw new UsageError(`${option} must be an address that begins with http:// or https://.`);
}

function keyOf(env: Env): string {
  if (env.LANDFALL_API_KEY !== null) return env.LANDFALL_API_KEY;
  const file = env.DATABASE_URL === null ? join(chooseDataFolder(env, say), 'first-api-key') : null;
  if (file !== null && existsSync(file)) return readFileSync(file, 'utf8').trim();
  throw new UsageError('Set LANDFALL_API_KEY to a key with the scope shipments:read.');
}

/** Follows the stream until the process is stopped. Each change is delivered before the next one. */
async function listen({ streamUrl, key, forwardTo, secret, ...from }: Settings): Promise<void> {
  let after = from.after;
  let failures = 0;
  let pauseMs = 0;
  say(`Signing secret: ${secret}`);
  while (!stopping.signal.aborted) {
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), maxSilenceMs);
    const signal = AbortSignal.any([stopping.signal, silence.signal]);
    try {
      const headers: Record<string, string> = { authorization: `Bearer ${key}`, accept: 'text/event-stream' };
      if (after !== null) headers['last-event-id'] = String(after);
      const response = await fetch(streamUrl, { headers, signal });
      if (!response.ok || response.body === null) throw await refusalOf(response);
      say(`Forwarding changes from ${streamUrl.origin} to ${forwardTo.href}`);
      const read = createStreamReader();
      for await (const chunk of response.body) {
        failures = 0;
        clearTimeout(timer);
        for (const { id, event, data, retryMs } of read(chunk as Uint8Array)) {
          if (event === 'feed.gap') say(`Changes are missing after position ${after}. Read the shipments again.`);
          else if (data !== null) await forward(JSON.parse(data) as WireChange, { forwardTo, secret });
          after = id ?? after;
          pauseMs = retryMs ?? pauseMs;
        }
        timer = setTimeout(() => silence.abort(), maxSilenceMs);
      }
    } catch (error) {
      if (error instanceof Refused) throw error;
      if (stopping.signal.aborted) return;
      failures += 1;
      say(`Disconnected: ${reasonOf(error)}. Reconnecting.`);
    } finally {
      clearTimeout(timer);
    }
    await sleep(failures === 0 ? pauseMs : Math.min(maxPauseMs, 500 * 2 ** failures), { signal: stopping.signal });
  }
}

/** Delivers one change as an endpoint would get it, and prints the response. */
async function forward(
  change: WireChange,
  { forwardTo, secret }: Pick<Settings, 'forwardTo' | 'secret'>,
): Promise<void> {
  const body = toSummaryBody(change);
  const message = { id: change.id, timestamp: Math.floor(Date.now() / 1000), body };
  const startedAt = performance.now();
  const outcome = await fetch(forwardTo, {
    method: 'POST',
    headers: webhookHeaders(message, { secrets: [secret], userAgent, traceparent: change.traceparent }),
    body,
    redirect: 'manual',
    signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(deliveryTimeoutMs)]),
  }).then(
    async (response) => {
      await response.body?.cancel();
      return String(response.status);
    },
    (error: unknown) => reasonOf(error),
  );
  say(
    `${change.position} ${change.type} ${subjectOf(change)} → ${outcome} (${Math.round(performance.now() - startedAt)} ms)`,
  );
}

function subjectOf({ data }: WireChange): string {
  return 'shipment' in data ? data.shipment.shipment_id : data.webhook_endpoint.webhook_endpoint_id;
}

async function refusalOf(response: Response): Promise<Error> {
  const problem = (await response.json().catch(() => ({}))) as { detail?: string };
  const text = problem.detail ?? `The API responded with status ${response.status}.`;
  const isTemporary = response.status === 429 || response.status >= 500;
  return isTemporary ? new Error(text.replace(/\.$/, '')) : new Refused(text);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = Object(error.cause) as { code?: string };
  if (error.name === 'TimeoutError') return 'no response in time';
  return code ?? error.message;
}
