import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import { airWaybillOf } from '../air-waybill.ts';
import {
  type CarrierRequest,
  callCarrier,
  fetchEach,
  requireSettings,
  type SubjectOutcome,
  type SubjectQuery,
  unexpectedStatus,
} from '../call-carrier.ts';
import type { CarrierContext, CarrierResponse, Connector } from '../carrier.ts';
import { FetchFailure } from '../fetch-failure.ts';
import { jsonValue, unrecognized } from '../json-response.ts';
import { type LenientObject, readObject } from '../lenient-object.ts';
import { readJsonOrNull } from '../read-json.ts';
import { plainJson } from './plain-json.ts';
import { readLogisticsEvents } from './read-logistics-events.ts';

const mediaType = 'application/ld+json; version=2.3.0';
const pageSize = 100;
const maxPages = 20;
/** Every twelfth refresh parses the events even if they seem unchanged, in case an earlier change was missed. */
const wholeReadingEvery = 12;
/** A change in the minutes before the last reading may not have been included in it. */
const modifiedMarginMs = 5 * 60_000;

/**
 * IATA ONE Record, API 2.3.0 (https://iata-cargo.github.io/ONE-Record/): `HEAD`, then `GET {logistics
 * object}/logistics-events`. The standard lets each airline choose how to name the logistics object of an air waybill.
 * The default is a guess: `{base}/logistics-objects/waybill-{prefix}-{number}`. A base URL that contains `{number}`
 * (and `{prefix}`) is used as the object's whole address instead, as in
 * `https://1r.example.com/logistics-objects/awb-{prefix}-{number}`.
 */
export const oneRecord: Connector = {
  code: 'one-record',
  batchSize: 1,
  published: { baseUrl: null, authUrl: null },
  simulated: { basePath: '/sim/one-record', authPath: '/sim/one-record/oauth/token' },
  // No limit is published: each airline has its own.
  budget: { calls: 30, perMs: 60_000, burst: 30 },
  // An event takes 1 KB as JSON-LD, up to 10 KB with its objects embedded; a page has 100.
  maxBodyBytes: 1024 * 1024,
  fetch: fetchEach('one-record', ask),
};

type Ask = { ctx: CarrierContext; signal: AbortSignal };

async function ask(ctx: CarrierContext, { subject, signal, source }: SubjectQuery): Promise<SubjectOutcome> {
  if (ctx.settings.authUrl !== null) requireSettings(ctx.settings, ['clientId', 'clientSecret']);
  const object = objectAddress(ctx.settings.baseUrl, airWaybillOf(subject));
  const asking = { ctx, signal };
  const events = `${object}/logistics-events`;
  const { readingHash, reason } = subject.polling;
  const mayPoll = readingHash !== null && reason !== 'partial_response' && subject.epoch % wholeReadingEvery !== 0;
  if (mayPoll) {
    const head = await call(asking, { url: events, method: 'HEAD' });
    if (head.status === 200 && isUnchangedSince(head.headers, subject, ctx.now()))
      return { kind: 'unchanged', httpStatus: head.status };
    // The published descriptions don't list HEAD. If it isn't supported, GET follows.
  }
  const pages = await readPages(asking, events, mayPoll);
  const { items, httpStatus, partial } = pages;
  if (items.length === 0 && partial !== null) throw new FetchFailure('partial_response', partial, { httpStatus });
  if (items.length === 0) return { kind: 'not_found', httpStatus };
  const reading = await readLogisticsEvents(object, items, (iri, need) => readLinked(asking, iri, need));
  return { kind: 'found', httpStatus, reading: { ...reading, source, ...(partial && { partial }) } };
}

function objectAddress(baseUrl: string, waybill: { prefix: string; number: string }): string {
  const template = baseUrl.replaceAll(/%7B(prefix|number)%7D/gi, '{$1}');
  const whole = template.includes('{number}') ? template : `${baseUrl}/logistics-objects/waybill-{prefix}-{number}`;
  return whole.replaceAll('{prefix}', waybill.prefix).replaceAll('{number}', waybill.number);
}

function call(
  { ctx, signal }: Ask,
  request: Pick<CarrierRequest, 'url' | 'method' | 'owed'>,
): Promise<CarrierResponse> {
  const { scope } = ctx.settings;
  const oauth = { credentialsIn: 'form', form: scope === null ? {} : { scope } } as const;
  return callCarrier(ctx, { ...request, headers: () => ({ accept: mediaType }), oauth, signal });
}

/** `partial`: why events are missing; null: none is. */
type Pages = { items: unknown[]; httpStatus: number; partial: string | null };

async function readPages(asking: Ask, events: string, owed: boolean): Promise<Pages> {
  const items: unknown[] = [];
  const seen = new Set<string>();
  let httpStatus = 200;
  let total: number | null = null;
  const missing = (): string | null =>
    total !== null && items.length < total
      ? `the list has ${total} events, and only ${items.length} were returned`
      : null;
  for (let page = 0; page < maxPages; page += 1) {
    const url = `${events}?limit=${pageSize}&skip=${items.length}`;
    const response = await call(asking, { url, owed: owed || page > 0 });
    httpStatus = response.status;
    if (response.status === 404 || response.status === 204) return { items, httpStatus, partial: missing() };
    if (response.status !== 200) throw unexpectedStatus(asking.ctx, response);
    const collection = collectionOf(response);
    const found = collection.items;
    const first = JSON.stringify(found[0] ?? null);
    total = collection.total ?? total;
    // A server that doesn't support `skip` returns its first page again.
    if (found.length === 0 || seen.has(first)) return { items, httpStatus, partial: missing() };
    seen.add(first);
    items.push(...found);
    if (found.length < pageSize && (total === null || total <= items.length))
      return { items, httpStatus, partial: null };
  }
  return { items, httpStatus, partial: missing() ?? `the list has more than ${maxPages} pages` };
}

/** `hasItem` is a list, a single event, or absent when there is none. */
function collectionOf(response: CarrierResponse): { items: unknown[]; total: number | null } {
  const body = jsonValue(response);
  const root = Array.isArray(body) && body.length === 1 ? body[0] : body;
  const plain = plainListOf(body);
  if (plain !== null) return { items: plain, total: plain.length };
  const key = (name: string) =>
    isRecord(root)
      ? Object.keys(root).find((each) => each === name || each.endsWith(`:${name}`) || each.endsWith(`#${name}`))
      : undefined;
  const itemKey = key('hasItem');
  const totalKey = key('hasTotalItems');
  if (!isRecord(root) || (itemKey === undefined && totalKey === undefined))
    throw unrecognized(response, 'the carrier returned JSON without a collection of events');
  const own = itemKey === undefined ? [] : root[itemKey];
  const stated = totalKey === undefined ? undefined : plainJson(root[totalKey]);
  const total = typeof stated === 'object' && stated !== null ? Number.NaN : Number(stated);
  if (own === null && total !== 0)
    throw unrecognized(response, 'the carrier returned a collection whose hasItem is not a list');
  const items = Array.isArray(own) ? own : own === null ? [] : [own];
  return { items, total: Number.isSafeInteger(total) ? total : null };
}

/** Some servers return the bare events: in a list, in a graph, or a single one. */
function plainListOf(body: unknown): unknown[] | null {
  const graph = isRecord(body) ? body['@graph'] : undefined;
  const items = Array.isArray(body) ? body : Array.isArray(graph) ? graph : [body];
  const events = items.filter((item) => readObject(plainJson(item))?.has('eventcode'));
  return events.length > 0 && events.length === items.length ? items : null;
}

/**
 * Reads another logistics object of the same server. Null when the server doesn't return it. If it is needed, a transient
 * failure ends the refresh, because a reading without its places would differ.
 */
async function readLinked(
  asking: Ask,
  iri: string,
  { isNeeded }: { isNeeded: boolean },
): Promise<LenientObject | null> {
  const isOwn = URL.canParse(iri) && new URL(iri).origin === new URL(asking.ctx.settings.baseUrl).origin;
  if (!isOwn) return null;
  const response = await call(asking, { url: iri, owed: true });
  if (isNeeded && (response.status === 408 || response.status >= 500)) throw unexpectedStatus(asking.ctx, response);
  if (response.status !== 200) return null;
  return readObject(plainJson(readJsonOrNull(response.text)));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * True when `Last-Modified` is well before the last reading. The carrier's times are compared with the carrier's clock
 * (`Date`) and ours with ours, so that neither clock has to be accurate. False when the headers are incomplete.
 */
function isUnchangedSince(
  headers: Headers,
  subject: Pick<RefreshSubject, 'polling' | 'clockOffsetMs'>,
  now: Date,
): boolean {
  const { lastSucceededAt } = subject.polling;
  const nowMs = now.getTime() + subject.clockOffsetMs;
  const carrierNowMs = headers.has('date') ? Date.parse(headers.get('date') ?? '') : nowMs;
  const modifiedMs = Date.parse(headers.get('last-modified') ?? '');
  if (lastSucceededAt === null || Number.isNaN(modifiedMs) || Number.isNaN(carrierNowMs)) return false;
  const readAgoMs = nowMs - Date.parse(lastSucceededAt);
  const modifiedAgoMs = carrierNowMs - modifiedMs;
  return modifiedAgoMs > readAgoMs + modifiedMarginMs;
}
