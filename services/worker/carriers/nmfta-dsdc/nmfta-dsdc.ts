import type { ReadEvent, Reading } from '#shared/domain/tracking/event.ts';
import type { RefreshSubject } from '#shared/domain/tracking/refresh.ts';
import type { Answer } from '../ask-carrier.ts';
import { askCarrier, fetchEach, requireSettings, type SubjectResult, unexpectedStatus } from '../ask-carrier.ts';
import type { CarrierContext, CarrierSettings, Connector } from '../carrier.ts';
import { FetchFailure } from '../fetch-failure.ts';
import { child, children, decimal, readObject, text } from '../lenient-object.ts';
import { jsonObject, unrecognized } from '../read-answer.ts';
import { mapDsdcEvent, plannedEvents } from './map-dsdc-event.ts';

const pageSize = 500;
const maxPages = 20;

/**
 * In-Transit Visibility 1.0.0-public-preview of NMFTA's Digital Standards Development Council
 * (https://github.com/dsdcapis/full-truckload): `GET /v1/events?shipmentId=…`, paged. No carrier is known to serve it yet: its address is
 * configured, by a carrier or a visibility platform that speaks it. The standard leaves signing in to each carrier: with a token address
 * and a client it is OAuth 2.0, with an API key the header `x-api-key`, else nothing.
 */
export const nmftaDsdc: Connector = {
  code: 'nmfta-dsdc',
  batchSize: 1,
  published: { baseUrl: null, authUrl: null },
  simulated: { basePath: '/sim/nmfta-dsdc', authPath: null },
  // No limit is published for reading: a guess that is set low.
  budget: { calls: 30, perMs: 60_000, burst: 30 },
  fetch: fetchEach('nmfta-dsdc', ask),
};

async function ask(ctx: CarrierContext, { subject, signal, source }: SubjectResult): Promise<Answer> {
  if (takesToken(ctx.settings)) requireSettings(ctx.settings, ['clientId', 'clientSecret']);
  const numbers = shipmentNumbersOf(subject);
  let httpStatus = 200;
  for (const [index, number] of numbers.entries()) {
    const pages = await readPages(ctx, { number, owed: index > 0, signal });
    httpStatus = pages.httpStatus;
    if (pages.items.length > 0) return { kind: 'found', httpStatus, reading: { ...readItems(pages.items), source } };
  }
  return { kind: 'not_found', httpStatus };
}

/** An account's API key signs in by itself, also where the instance has a token address for others. */
function takesToken({ authUrl, clientId, apiKey }: CarrierSettings): boolean {
  return authUrl !== null && (clientId !== null || apiKey === null);
}

/** The numbers that a carrier may know the shipment by, best first. A trailer or a container carries other shipments too. */
function shipmentNumbersOf({ identifiers }: RefreshSubject): string[] {
  const numbers = [identifiers.pro, identifiers.bol]
    .filter((number) => number !== undefined)
    .map((number) => number.trim());
  if (numbers.length > 0) return [...new Set(numbers)];
  throw new FetchFailure(
    'wrong_identifier_type',
    'this carrier is asked by PRO or bill of lading number, and the shipment has neither',
    {
      permanent: true,
    },
  );
}

type Ask = { number: string; owed: boolean; signal: AbortSignal };

async function readPages(ctx: CarrierContext, ask: Ask): Promise<{ items: unknown[]; httpStatus: number }> {
  const items: unknown[] = [];
  const { apiKey, scope } = ctx.settings;
  const withToken = takesToken(ctx.settings);
  for (let page = 1; page <= maxPages; page += 1) {
    const query = new URLSearchParams({
      shipmentId: ask.number,
      page: String(page),
      pageSize: String(pageSize),
      order: 'asc',
    });
    const response = await askCarrier(ctx, {
      url: `${ctx.settings.baseUrl}/v1/events?${query}`,
      headers: () => (apiKey !== null && !withToken ? { 'x-api-key': apiKey } : {}),
      oauth: withToken ? { credentialsIn: 'form', form: scope === null ? {} : { scope } } : null,
      owed: ask.owed || page > 1,
      signal: ask.signal,
    });
    const httpStatus = response.status;
    if (httpStatus === 404 || httpStatus === 204) return { items, httpStatus };
    if (httpStatus !== 200) throw unexpectedStatus(ctx, response);
    const body = jsonObject(response);
    const data = body.get('data');
    if (!Array.isArray(data)) throw unrecognized(response, 'the carrier sent JSON without a page of events');
    // A server that overlooks the filter would hand out other people's freight.
    items.push(...data.filter((item) => isAbout(item, ask.number)));
    const totalPages = decimal(body, 'totalPages');
    // `totalPages` may be left out; then a page that is not full is the last one. The server may have cut the page size.
    const size = decimal(body, 'pageSize') ?? pageSize;
    if (data.length === 0 || (totalPages === null ? data.length < Math.min(size, pageSize) : page >= totalPages)) break;
  }
  return { items, httpStatus: 200 };
}

/** Whether an event is of the shipment that was asked for; one that names no shipment is taken to be. */
function isAbout(item: unknown, number: string): boolean {
  const shipment = child(readObject(item), 'shipment');
  const named = [
    text(shipment, 'shipmentId'),
    ...children(shipment, 'references').map((reference) => text(reference, 'value')),
  ];
  const numbers = named.filter((each) => each !== null).map(plain);
  return numbers.length === 0 || numbers.includes(plain(number));
}

function plain(number: string): string {
  return number.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function readItems(items: readonly unknown[]): Omit<Reading, 'source'> {
  const events: ReadEvent[] = [];
  const rejected: Reading['rejected'] = [];
  for (const item of items) {
    const result = mapDsdcEvent(item);
    if ('reason' in result) rejected.push(result);
    else events.push(result);
  }
  // The proof comes after the delivery: only without a delivery is its time the delivery's.
  const isTold = events.some((event) => event.carrierCode === 'DELIVERED');
  const told = events.map(
    (event): ReadEvent => (isTold && event.carrierCode === 'PROOF_OF_DELIVERY' ? { ...event, code: 'other' } : event),
  );
  return { events: [...told, ...plannedEvents(items)], rejected };
}
