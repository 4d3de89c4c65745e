import type { ReadEvent, Reading } from '#shared/domain/event.ts';
import type { RefreshSubject } from '#shared/domain/refresh.ts';
import type { LookResult } from '#shared/domain/shipment.ts';
import type { CarrierContext, CarrierResponse, Connector } from '../carrier.ts';
import { carrierMessage } from '../carrier-message.ts';
import { readObject } from '../lenient-object.ts';
import { asLookFailure, failedLook, failureOfStatus, LookFailure, readRetryAfter } from '../look-failure.ts';
import type { DcsaDialect } from './dialect.ts';
import { createSubscriptionCarrier } from './keep-subscription.ts';
import { holdsMs, type KeptAnswers, keepAnswers } from './kept-answers.ts';
import { type MappedEvent, mapDcsaEvent } from './map-dcsa-event.ts';
import { nextPageOf } from './page-links.ts';
import { createDeliveryReader } from './read-delivery.ts';
import { type Query, queriesFor } from './references.ts';
import { settleMoves } from './settle-moves.ts';
import { signIn } from './sign-in.ts';
import { sourceName } from './source-name.ts';

const maxPages = 20;
const lookDeadlineMs = 30_000;
const defaultRateLimitMs = 60_000;

/** The one DCSA Track & Trace 2.2 engine; `dialect` is all that differs from line to line. */
export function createDcsaConnector(dialect: DcsaDialect): Connector {
  const kept: KeptAnswers<Pages> = keepAnswers();
  return {
    code: dialect.connector,
    batchSize: 1,
    published: dialect.published,
    simulated: dialect.simulated,
    budget: dialect.budget,
    ...pushOf(dialect),
    look: async (ctx, subjects, signal) => {
      const results = await Promise.all(
        subjects.map(async (subject) => [subject.shipmentId, await lookAt(ctx, dialect, { subject, signal, kept })] as const),
      );
      return new Map(results);
    },
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

type Look = { subject: RefreshSubject; signal: AbortSignal; kept: KeptAnswers<Pages> };
/** `holdsMs`: how long the carrier says that the answer holds; null when it does not say. */
type Pages = { items: unknown[]; httpStatus: number; holdsMs: number | null };

async function lookAt(ctx: CarrierContext, dialect: DcsaDialect, look: Look): Promise<LookResult> {
  const startedAt = performance.now();
  const source = sourceName(dialect, ctx.settings.simulated);
  const durationMs = (): number => Math.round(performance.now() - startedAt);
  const signal = AbortSignal.any([look.signal, AbortSignal.timeout(lookDeadlineMs)]);
  try {
    const pages = await askInTurn(ctx, dialect, { ...look, signal });
    if ('notFound' in pages)
      return { outcome: 'not_found', httpStatus: pages.notFound, durationMs: durationMs(), reason: 'carrier_not_found_yet', source };
    return { outcome: 'found', reading: readItems(pages.items, dialect, source), httpStatus: pages.httpStatus, durationMs: durationMs() };
  } catch (error) {
    return failedLook(asLookFailure(error), { durationMs: durationMs(), source });
  }
}

/** Asks by one reference after the other until one is known. A reference that is refused ends the look only when no other is merely unknown. */
async function askInTurn(ctx: CarrierContext, dialect: DcsaDialect, look: Look): Promise<Pages | { notFound: number }> {
  let notFound: number | null = null;
  let refused: LookFailure | null = null;
  for (const query of queriesFor(look.subject, dialect)) {
    try {
      const pages = await answerTo(ctx, dialect, { ...look, query });
      if (pages.items.length > 0) return pages;
      notFound = pages.httpStatus;
    } catch (error) {
      if (!(error instanceof LookFailure && error.permanent)) throw error;
      refused = error;
    }
  }
  if (notFound !== null || refused === null) return { notFound: notFound ?? 404 };
  throw refused;
}

/** The answer that still holds, where the line's answers do, else a new one. */
async function answerTo(ctx: CarrierContext, dialect: DcsaDialect, ask: Look & { query: Query }): Promise<Pages> {
  const { answerHoldsMs } = dialect;
  if (answerHoldsMs === null) return readPages(ctx, dialect, ask);
  // Never one account's answer for another: it is for the parties alone.
  const question = JSON.stringify([ask.subject.accountId, ctx.settings.baseUrl, ask.query]);
  const nowMs = ctx.now().getTime();
  const kept = ask.kept.find(ctx.budget, question, nowMs);
  if (kept) return kept;
  const answer = await readPages(ctx, dialect, ask);
  const forMs = answer.holdsMs ?? answerHoldsMs;
  if (forMs > 0) ask.kept.keep(ctx.budget, question, { answer, untilMs: nowMs + forMs });
  return answer;
}

async function readPages(ctx: CarrierContext, dialect: DcsaDialect, ask: { query: Query; signal: AbortSignal }): Promise<Pages> {
  const first = new URL(`${ctx.settings.baseUrl}${dialect.eventsPath}`);
  for (const [name, value] of Object.entries({ ...ask.query, ...dialect.parameters })) {
    const values = typeof value === 'string' ? [value] : dialect.listStyle === 'exploded' ? value : [value.join(',')];
    for (const each of values) first.searchParams.append(name, each);
  }
  const waitMs = ctx.budget.take();
  if (waitMs > 0)
    throw new LookFailure('carrier_rate_limited', 'the budget of calls to this carrier is used up for now', { retryAfterMs: waitMs });

  const items: unknown[] = [];
  const visited = new Set<string>();
  let url: URL | null = first;
  let httpStatus = 200;
  let holds: number | null = null;
  // A repeated address is a loop of cursors: what was read counts.
  while (url !== null && !visited.has(url.href) && visited.size < maxPages) {
    if (visited.size > 0) ctx.budget.charge();
    visited.add(url.href);
    const response: CarrierResponse = await askPage(ctx, dialect, { url, signal: ask.signal });
    httpStatus = response.status;
    holds ??= holdsMs(response.headers);
    if (response.status === 404 || response.status === 204) break;
    items.push(...itemsOf(response, dialect));
    url = dialect.paging === 'cursor' ? nextPageOf(response.headers, url, first) : null;
  }
  return { items, httpStatus, holdsMs: holds };
}

/** One page, signed in again once when the token is refused. Resolves for 200, 204 and 404; throws `LookFailure` for the rest. */
async function askPage(ctx: CarrierContext, dialect: DcsaDialect, ask: { url: URL; signal: AbortSignal }): Promise<CarrierResponse> {
  const get = async (headers: Record<string, string>): Promise<CarrierResponse> =>
    ctx.fetch(ask.url.href, { headers: { accept: 'application/json', 'API-Version': '2', ...headers }, signal: ask.signal });
  const signedIn = await signIn(ctx, dialect, null);
  let response = await get(signedIn.headers);
  if (response.status === 401 && signedIn.token !== null) {
    ctx.budget.charge();
    response = await get((await signIn(ctx, dialect, signedIn.token)).headers);
  }
  if (response.status === 200 || response.status === 206 || response.status === 204 || response.status === 404) return response;
  const now = ctx.now();
  if (response.status === 429) ctx.budget.close(readRetryAfter(response.headers, now) ?? defaultRateLimitMs);
  throw failureOfStatus(response, { now, carrierSays: carrierMessage(response.text) });
}

function itemsOf(response: CarrierResponse, dialect: DcsaDialect): unknown[] {
  const unrecognized = (detail: string): LookFailure => new LookFailure('unrecognized_response', detail, { httpStatus: response.status });
  let body: unknown;
  try {
    body = JSON.parse(response.text);
  } catch {
    const isPage = /^\s*</.test(response.text);
    throw unrecognized(isPage ? 'the carrier sent a web page instead of JSON' : 'the carrier sent something that is not JSON');
  }
  const unwrapped = dialect.unwrap?.(body) ?? null;
  if (unwrapped !== null) return unwrapped;
  if (Array.isArray(body)) return body;
  const wrapper = readObject(body);
  for (const key of dialect.listKeys) {
    const list = wrapper?.get(key.toLowerCase());
    if (Array.isArray(list)) return list;
  }
  throw unrecognized('the carrier sent JSON without a list of events');
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
