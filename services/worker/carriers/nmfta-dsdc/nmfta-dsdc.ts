import type { ReadEvent, Reading } from '#shared/domain/events/event.ts';
import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import {
  callCarrier,
  fetchEach,
  requireSettings,
  type SubjectOutcome,
  type SubjectQuery,
  unexpectedStatus,
} from '../call-carrier.ts';
import type { CarrierContext, Connector } from '../carrier.ts';
import { FetchFailure } from '../fetch-failure.ts';
import { jsonObject, unrecognized } from '../json-response.ts';
import { child, children, decimal, readObject, text } from '../lenient-object.ts';
import { fetchOwnDocument, markElsewhere } from '../own-document.ts';
import { dsdcFacts } from './dsdc-facts.ts';
import { mapDsdcEvent } from './map-dsdc-event.ts';
import { plannedEvents, statedRoute } from './planned-events.ts';
import { signInOf, takesToken } from './sign-in.ts';

const pageSize = 500;
const maxPages = 20;

/**
 * In-Transit Visibility 1.0.0-public-preview of NMFTA's Digital Standards Development Council
 * (https://github.com/dsdcapis/full-truckload): `GET /v1/events?shipmentId=…`, paged. No carrier is known to serve it
 * yet, so the address of a carrier or visibility platform must be configured. The standard leaves authentication to
 * each carrier: OAuth 2.0 with a token address and a client, the header `x-api-key` with an API key, or else none.
 */
export const nmftaDsdc: Connector = {
  code: 'nmfta-dsdc',
  batchSize: 1,
  published: { baseUrl: null, authUrl: null },
  simulated: { basePath: '/sim/nmfta-dsdc', authPath: null },
  // No limit is published for reads: this is a conservative guess.
  budget: { calls: 30, perMs: 60_000, burst: 30 },
  // An event takes 0.7 KB; a page has 500.
  maxBodyBytes: 1024 * 1024,
  fetch: fetchEach('nmfta-dsdc', ask),
  fetchProof: (ctx, { proof }, signal) => fetchOwnDocument(ctx, proof, { ...signInOf(ctx.settings), signal }),
};

async function ask(ctx: CarrierContext, { subject, signal, source }: SubjectQuery): Promise<SubjectOutcome> {
  if (takesToken(ctx.settings)) requireSettings(ctx.settings, ['clientId', 'clientSecret']);
  const numbers = shipmentNumbersOf(subject);
  let httpStatus = 200;
  for (const [index, number] of numbers.entries()) {
    const pages = await readPages(ctx, { number, owed: index > 0, signal });
    httpStatus = pages.httpStatus;
    const { items, partial } = pages;
    if (items.length > 0)
      return {
        kind: 'found',
        httpStatus,
        reading: { ...markElsewhere(ctx, readItems(items)), source, ...(partial && { partial }) },
      };
    if (partial !== null) throw new FetchFailure('partial_response', partial, { httpStatus });
  }
  return { kind: 'not_found', httpStatus };
}

/**
 * The numbers by which a carrier may know the shipment, best first. Trailers and containers are excluded because they
 * carry other shipments too.
 */
function shipmentNumbersOf({ identifiers }: RefreshSubject): string[] {
  const numbers = [identifiers.pro, identifiers.bol]
    .filter((number) => number !== undefined)
    .map((number) => number.trim());
  if (numbers.length > 0) return [...new Set(numbers)];
  throw new FetchFailure(
    'wrong_identifier_type',
    'this carrier requires a PRO or bill of lading number and the shipment has neither',
    {
      permanent: true,
    },
  );
}

type Ask = { number: string; owed: boolean; signal: AbortSignal };

/** `partial`: why pages are missing; null: none is. */
type Pages = { items: unknown[]; httpStatus: number; partial: string | null };

async function readPages(ctx: CarrierContext, ask: Ask): Promise<Pages> {
  const items: unknown[] = [];
  for (let page = 1; page <= maxPages; page += 1) {
    const query = new URLSearchParams({
      shipmentId: ask.number,
      page: String(page),
      pageSize: String(pageSize),
      order: 'asc',
    });
    const response = await callCarrier(ctx, {
      url: `${ctx.settings.baseUrl}/v1/events?${query}`,
      ...signInOf(ctx.settings),
      owed: ask.owed || page > 1,
      signal: ask.signal,
    });
    const httpStatus = response.status;
    if (httpStatus === 404 && page > 1)
      return { items, httpStatus, partial: `page ${page} of the list is missing (404)` };
    if (httpStatus === 404 || httpStatus === 204) return { items, httpStatus, partial: null };
    if (httpStatus !== 200) throw unexpectedStatus(ctx, response);
    const body = jsonObject(response);
    const data = body.get('data');
    if (!Array.isArray(data)) throw unrecognized(response, 'the carrier returned JSON without a page of events');
    // A server that ignores the filter would return other customers' shipments.
    items.push(...data.filter((item) => isAbout(item, ask.number)));
    const totalPages = decimal(body, 'totalPages');
    // `totalPages` is optional. Without it, a page that isn't full is the last one. The server may have reduced the
    // page size.
    const size = decimal(body, 'pageSize') ?? pageSize;
    if (data.length === 0 || (totalPages === null ? data.length < Math.min(size, pageSize) : page >= totalPages)) {
      const isMissing = totalPages !== null && page < totalPages;
      return { items, httpStatus, partial: isMissing ? `page ${page} of ${totalPages} of the list is empty` : null };
    }
  }
  return { items, httpStatus: 200, partial: `the list has more than ${maxPages} pages` };
}

/** True when an event belongs to the requested shipment. An event that names no shipment does. */
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
  const unreadable: Reading['unreadable'] = [];
  for (const item of items) {
    const result = mapDsdcEvent(item);
    if ('reason' in result) {
      unreadable.push(result);
      continue;
    }
    events.push(result.event);
    unreadable.push(...result.unreadable);
  }
  // The proof follows the delivery. Its time is used as the delivery time only when no delivery is reported.
  const isStated = events.some((event) => event.carrierCode === 'DELIVERED');
  const settled = events.map(
    (event): ReadEvent => (isStated && event.carrierCode === 'PROOF_OF_DELIVERY' ? { ...event, code: 'other' } : event),
  );
  const route = statedRoute(items);
  const planned = plannedEvents(items);
  const facts = dsdcFacts(items);
  return {
    events: [...settled, ...planned.events],
    unreadable: [...unreadable, ...planned.unreadable],
    ...(route === null ? {} : { route }),
    ...(facts === undefined ? {} : { facts }),
  };
}
