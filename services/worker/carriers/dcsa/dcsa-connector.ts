import { LRUCache } from 'lru-cache';
import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import { cutText } from '#shared/domain/cut-text.ts';
import type { ReadEvent, Reading } from '#shared/domain/events/event.ts';
import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import { fetchEach, type SubjectOutcome, type SubjectQuery } from '../call-carrier.ts';
import type { CarrierContext, CarrierResponse, CarrierSettings, Connector } from '../carrier.ts';
import { FetchFailure } from '../fetch-failure.ts';
import { hashAnswer, isKnownAnswer, jsonValue, unrecognized } from '../json-response.ts';
import { readObject } from '../lenient-object.ts';
import { type DcsaDialect, sourceName } from './dialect.ts';
import { fetchPages, type Pages, type Query } from './fetch-pages.ts';
import { createSubscriptionCarrier } from './keep-subscription.ts';
import { mapDcsaEvent } from './map-dcsa-event.ts';
import { createDeliveryReader } from './read-delivery.ts';
import { type MappedEvent, settleMoves } from './settle-moves.ts';
import { currentEvents, toStandardEvent } from './standard-event.ts';

/**
 * An event takes 1.1 to 1.6 KB, so this is 2,000 of them: a B/L with 80 containers on a line that has no pages. Most
 * lines have pages of 100.
 */
const maxBodyBytes = 3 * 1024 * 1024;

/** The DCSA Track & Trace 2.2 engine. `dialect` holds everything that differs between lines. */
export function createDcsaConnector(dialect: DcsaDialect): Connector {
  const cacheOf = createResponseCache();
  return {
    code: dialect.connector,
    batchSize: 1,
    published: dialect.published,
    simulated: dialect.simulated,
    budget: dialect.budget,
    maxBodyBytes,
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

type ResponseCache = LRUCache<string, Pages>;
type Refresh = SubjectQuery & { cache: ResponseCache };

/** Reasons that another number of the shipment need not share. */
const unknownReasons: readonly string[] = ['invalid_identifier', 'carrier_not_found_yet'];

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
      const { httpStatus, responses, partial } = pages;
      const answerHash = partial === null ? hashPages(ctx, dialect, { responses, source: refresh.source }) : null;
      if (responses.length > 0 && isKnownAnswer(refresh.subject, answerHash)) return { kind: 'unchanged', httpStatus };
      const items = responses.flatMap((response) => itemsOf(response, dialect));
      if (items.length > 0) {
        const reading = readItems(items, dialect, refresh.source);
        return { kind: 'found', httpStatus, reading: partial === null ? reading : { ...reading, partial }, answerHash };
      }
      if (partial !== null) throw new FetchFailure('partial_response', partial, { httpStatus });
      notFound = httpStatus;
    } catch (error) {
      const isOfNumber = error instanceof FetchFailure && (error.permanent || unknownReasons.includes(error.reason));
      if (!isOfNumber) throw error;
      refused = error;
    }
  }
  if (notFound !== null || refused === null) return { kind: 'not_found', httpStatus: notFound ?? 404 };
  throw refused;
}

function hashPages(
  ctx: CarrierContext,
  dialect: DcsaDialect,
  { responses, source }: { responses: readonly CarrierResponse[]; source: string },
): string | null {
  const texts = responses.map(({ text }) => text);
  return hashAnswer(ctx, `${dialect.connector} ${source}`, texts);
}

/** The cached response where the line's responses may be reused, or else a new one. */
async function answerTo(ctx: CarrierContext, dialect: DcsaDialect, ask: Refresh & { query: Query }): Promise<Pages> {
  const { answerHoldsMs } = dialect;
  if (answerHoldsMs === null) return fetchPages(ctx, dialect, ask);
  // Cached per credentials: a response is visible only to the parties of the shipment.
  const question = JSON.stringify([ask.subject.accountId, ctx.settings.baseUrl, ask.query]);
  const cached = ask.cache.get(question);
  if (cached !== undefined) return cached;
  const start = ctx.now().getTime();
  const answer = await fetchPages(ctx, dialect, ask);
  // A response that can't be parsed is requested again, not cached.
  for (const response of answer.responses) itemsOf(response, dialect);
  const forMs = answer.holdsMs ?? answerHoldsMs;
  // lru-cache still returns an entry that is exactly as old as its `ttl`.
  if (forMs > 0) ask.cache.set(question, answer, { ttl: forMs - 1, start });
  return answer;
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
  if (readObject(toStandardEvent(body))?.has('eventtype') === true) return [body];
  throw unrecognized(response, 'the carrier returned JSON without a list of events');
}

function readItems(items: readonly unknown[], dialect: DcsaDialect, source: string): Reading {
  const mapped: MappedEvent[] = [];
  const unreadable: Reading['unreadable'] = [];
  const current = currentEvents(items);
  for (const item of current.items) {
    const result = mapDcsaEvent(item, dialect);
    if ('reason' in result) unreadable.push(result);
    else mapped.push(result);
  }
  const events: ReadEvent[] = settleMoves(mapped);
  return {
    events,
    unreadable,
    source,
    ...(dialect.stableEventIds || current.isStable ? { stableEventIds: true } : {}),
  };
}

const identifierNames = { mbl: 'bill of lading', booking: 'booking', container: 'container' } as const;

/**
 * The queries for a shipment, best first: the B/L, then the booking. The container is used only without either, because
 * a container makes other voyages too. Throws `FetchFailure` when the line accepts none of the shipment's identifiers.
 */
function queriesFor(subject: RefreshSubject, dialect: DcsaDialect): Query[] {
  const queries: Query[] = [];
  const refused: string[] = [];
  for (const { identifier, parameter, also = {}, pattern } of dialect.references) {
    const value = subject.identifiers[identifier]?.replace(/\s+/g, '').toUpperCase();
    if (!value || (identifier === 'container' && queries.length > 0)) continue;
    const values = identifier === 'mbl' ? billNumbers(value, subject.carrier, dialect) : [value];
    for (const each of values) {
      if (pattern?.test(each) === false) refused.push(`${identifierNames[identifier]} ${cutText(each, 40)}`);
      else if (!queries.some((query) => query[parameter] === each)) queries.push({ [parameter]: each, ...also });
    }
  }
  if (queries.length > 0) return queries;
  if (refused.length > 0)
    throw new FetchFailure('invalid_identifier', `this carrier doesn't accept the number ${refused.join(', ')}`, {
      permanent: true,
    });
  const names = dialect.references.map(({ identifier }) => identifierNames[identifier]).join(', ');
  throw new FetchFailure('wrong_identifier_type', `this carrier requires a ${names} number and the shipment has none`, {
    permanent: true,
  });
}

function billNumbers(value: string, carrier: string, dialect: DcsaDialect): string[] {
  if (dialect.billPrefix === 'asGiven') return [value];
  const prefixes = findCarrier(carrier)?.blPrefixes ?? [];
  const prefix = prefixes.find((each) => value.startsWith(each) && value.length > each.length + 3);
  const bare = prefix ? value.slice(prefix.length) : value;
  if (dialect.billPrefix === 'strip') return [bare];
  const prefixed = prefix ? value : prefixes[0] ? `${prefixes[0]}${value}` : null;
  if (prefixed === null) return [bare];
  return dialect.billPrefix === 'add' ? [prefixed] : [bare, prefixed];
}

const maxResponses = 500;

/**
 * Caches the responses of a line that bills each call while they are valid, separately for each credential. The key is
 * the settings object that a worker opened for the credential, so changed credentials find nothing here.
 */
function createResponseCache() {
  const bySettings = new WeakMap<CarrierSettings, ResponseCache>();
  return ({ settings, now }: Pick<CarrierContext, 'settings' | 'now'>): ResponseCache => {
    const known = bySettings.get(settings);
    if (known !== undefined) return known;
    const perf = { now: () => now().getTime() };
    const responses: ResponseCache = new LRUCache({ max: maxResponses, ttlResolution: 0, perf });
    bySettings.set(settings, responses);
    return responses;
  };
}
