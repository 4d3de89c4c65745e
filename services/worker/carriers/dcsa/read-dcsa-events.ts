import type { LRUCache } from 'lru-cache';
import type { ReadEvent, Reading } from '#shared/domain/tracking/event.ts';
import { callCarrier } from '../call-carrier.ts';
import type { CarrierContext, CarrierResponse, Connector } from '../carrier.ts';
import { FetchFailure } from '../fetch-failure.ts';
import { fetchEach, type SubjectOutcome, type SubjectQuery, unexpectedStatus } from '../guarded-fetch.ts';
import { jsonValue, unrecognized } from '../json-response.ts';
import { hashAnswer, isKnownAnswer } from '../known-answer.ts';
import { readObject } from '../lenient-object.ts';
import type { DcsaDialect } from './dialect.ts';
import { createSubscriptionCarrier } from './keep-subscription.ts';
import { type MappedEvent, mapDcsaEvent } from './map-dcsa-event.ts';
import { nextPageOf } from './page-links.ts';
import { createDeliveryReader } from './read-delivery.ts';
import { type Query, queriesFor } from './references.ts';
import { createResponseCache, reusableMs } from './response-cache.ts';
import { settleMoves } from './settle-moves.ts';
import { signInOf } from './sign-in.ts';
import { sourceName } from './source-name.ts';

const maxPages = 20;

/** The DCSA Track & Trace 2.2 engine. `dialect` holds everything that differs between lines. */
export function createDcsaConnector(dialect: DcsaDialect): Connector {
  const cacheOf = createResponseCache<Pages>();
  return {
    code: dialect.connector,
    batchSize: 1,
    published: dialect.published,
    simulated: dialect.simulated,
    budget: dialect.budget,
    ...pushOf(dialect),
    fetch: fetchEach(sourceName(dialect), (ctx, refresh) =>
      askInTurn(ctx, dialect, { ...refresh, cache: cacheOf(ctx) }),
    ),
  };
}

function pushOf(dialect: DcsaDialect): Pick<Connector, 'push'> {
  if (!dialect.push) return {};
  const { subscriptionsPath } = dialect.push;
  return {
    push: {
      subscriptions: (ctx, signal) => createSubscriptionCarrier(ctx, dialect, subscriptionsPath, signal),
      reader: (simulated) => createDeliveryReader(dialect, simulated),
    },
  };
}

type Refresh = SubjectQuery & { cache: LRUCache<string, Pages> };
/** `reusableMs`: how long the carrier allows the response to be reused. Null: it doesn't state it. */
type Pages = { responses: CarrierResponse[]; httpStatus: number; reusableMs: number | null };

/**
 * Queries by one reference after another until the carrier knows one. A rejected reference fails the refresh only if no
 * other reference is merely unknown.
 */
async function askInTurn(ctx: CarrierContext, dialect: DcsaDialect, refresh: Refresh): Promise<SubjectOutcome> {
  let notFound: number | null = null;
  let refused: FetchFailure | null = null;
  for (const query of queriesFor(refresh.subject, dialect)) {
    try {
      const pages = await answerTo(ctx, dialect, { ...refresh, query });
      const { httpStatus, responses } = pages;
      const answerHash = hashAnswer(
        ctx,
        `${dialect.connector} ${refresh.source}`,
        responses.map(({ text }) => text),
      );
      if (responses.length > 0 && isKnownAnswer(refresh.subject, answerHash)) return { kind: 'unchanged', httpStatus };
      const items = responses.flatMap((response) => itemsOf(response, dialect));
      if (items.length > 0)
        return { kind: 'found', httpStatus, reading: readItems(items, dialect, refresh.source), answerHash };
      notFound = httpStatus;
    } catch (error) {
      if (!(error instanceof FetchFailure && error.permanent)) throw error;
      refused = error;
    }
  }
  if (notFound !== null || refused === null) return { kind: 'not_found', httpStatus: notFound ?? 404 };
  throw refused;
}

/** The cached response where the line's responses may be reused, or else a new one. */
async function answerTo(ctx: CarrierContext, dialect: DcsaDialect, ask: Refresh & { query: Query }): Promise<Pages> {
  const { answerHoldsMs } = dialect;
  if (answerHoldsMs === null) return readPages(ctx, dialect, ask);
  // Cached per credentials: a response is visible only to the parties of the shipment.
  const question = JSON.stringify([ask.subject.accountId, ctx.settings.baseUrl, ask.query]);
  const cached = ask.cache.get(question);
  if (cached !== undefined) return cached;
  const start = ctx.now().getTime();
  const answer = await readPages(ctx, dialect, ask);
  // A response that can't be parsed is requested again, not cached.
  for (const response of answer.responses) itemsOf(response, dialect);
  const forMs = answer.reusableMs ?? answerHoldsMs;
  // lru-cache still returns an entry that is exactly as old as its `ttl`.
  if (forMs > 0) ask.cache.set(question, answer, { ttl: forMs - 1, start });
  return answer;
}

async function readPages(
  ctx: CarrierContext,
  dialect: DcsaDialect,
  ask: { query: Query; signal: AbortSignal },
): Promise<Pages> {
  const first = new URL(`${ctx.settings.baseUrl}${dialect.eventsPath}`);
  for (const [name, value] of Object.entries({ ...ask.query, ...dialect.parameters })) {
    const values = typeof value === 'string' ? [value] : dialect.listStyle === 'exploded' ? value : [value.join(',')];
    for (const each of values) first.searchParams.append(name, each);
  }
  const { headers, oauth } = signInOf(ctx, dialect);
  const responses: CarrierResponse[] = [];
  const visited = new Set<string>();
  let url: URL | null = first;
  let httpStatus = 200;
  let reusable: number | null = null;
  // A repeated address means that the cursors loop. The pages read so far count.
  while (url !== null && !visited.has(url.href) && visited.size < maxPages) {
    const response: CarrierResponse = await callCarrier(ctx, {
      url: url.href,
      headers: () => ({ 'API-Version': '2', ...headers }),
      oauth,
      owed: visited.size > 0,
      signal: ask.signal,
    });
    visited.add(url.href);
    httpStatus = response.status;
    reusable ??= reusableMs(response.headers);
    if (response.status === 404 || response.status === 204) break;
    if (response.status !== 200 && response.status !== 206) throw unexpectedStatus(ctx, response);
    responses.push(response);
    url = dialect.paging === 'cursor' ? nextPageOf(response.headers, url, first) : null;
  }
  return { responses, httpStatus, reusableMs: reusable };
}

function itemsOf(response: CarrierResponse, dialect: DcsaDialect): unknown[] {
  const body = jsonValue(response);
  const unwrapped = dialect.unwrap?.(body) ?? null;
  if (unwrapped !== null) return unwrapped;
  if (Array.isArray(body)) return body;
  const wrapper = readObject(body);
  for (const key of dialect.listKeys) {
    const list = wrapper?.get(key.toLowerCase());
    if (Array.isArray(list)) return list;
  }
  throw unrecognized(response, 'the carrier returned JSON without a list of events');
}

function readItems(items: readonly unknown[], dialect: DcsaDialect, source: string): Reading {
  const mapped: MappedEvent[] = [];
  const rejected: Reading['rejected'] = [];
  for (const item of items) {
    const result = mapDcsaEvent(item, dialect);
    if ('reason' in result) rejected.push(result);
    else mapped.push(result);
  }
  const events: ReadEvent[] = settleMoves(mapped);
  return { events, rejected, source, ...(dialect.stableEventIds ? { stableEventIds: true } : {}) };
}
