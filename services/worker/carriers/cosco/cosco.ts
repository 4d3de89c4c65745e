import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import {
  callCarrier,
  fetchEach,
  requireSettings,
  type SubjectOutcome,
  type SubjectQuery,
  unexpectedStatus,
} from '../call-carrier.ts';
import type { CarrierContext, CarrierResponse, Connector } from '../carrier.ts';
import { FetchFailure } from '../fetch-failure.ts';
import { hashAnswer, isKnownAnswer, jsonObject, unrecognized } from '../json-response.ts';
import { child, type LenientObject, text } from '../lenient-object.ts';
import { readCoscoBill } from './read-cosco-bill.ts';
import { readCoscoContainer } from './read-cosco-container.ts';
import { signCoscoCall } from './sign-cosco-call.ts';

/**
 * Cargo tracking of COSCO SHIPPING Lines' Open API Platform (github.com/cop-cos/COP, docs/info-cargotracking-en.md): one
 * number per call, signed with HMAC. It is not DCSA. A B/L or booking returns the legs of the voyage and the last move
 * of each container, a container number the moves of its present journey. An unknown number returns 200 with the type
 * `none`. Limits: 1,000 calls a day and 30,000 a month.
 */
export const cosco: Connector = {
  code: 'cosco',
  batchSize: 1,
  published: { baseUrl: 'https://api.lines.coscoshipping.com/service', authUrl: null },
  simulated: { basePath: '/sim/cosco', authPath: null },
  budget: { calls: 950, perMs: 86_400_000, burst: 20 },
  // A container takes 0.7 KB, so this is more than 1,000 of them.
  maxBodyBytes: 1024 * 1024,
  fetch: fetchEach('cosco', ask),
};

type Query = { numberType: 'bl' | 'bkg' | 'cntr'; number: string };

async function ask(ctx: CarrierContext, { subject, signal, source }: SubjectQuery): Promise<SubjectOutcome> {
  requireSettings(ctx.settings, ['apiKey', 'clientSecret']);
  let httpStatus = 200;
  const queries = queriesFor(subject);
  for (const [index, query] of queries.entries()) {
    const response = await call(ctx, query, { owed: index > 0, signal });
    httpStatus = response.status;
    if (httpStatus === 404) continue;
    if (httpStatus !== 200) throw unexpectedStatus(ctx, response);
    const answerHash = hashAnswer(ctx, source, [JSON.stringify(query), response.text]);
    if (isKnownAnswer(subject, answerHash)) return { kind: 'unchanged', httpStatus };
    const isLast = index === queries.length - 1;
    const content = contentOf(response, { isLast });
    if (content === null) continue;
    const reading = content.has('containers') ? readCoscoContainer(content, query.number) : readCoscoBill(content);
    return { kind: 'found', httpStatus, reading: { ...reading, source }, answerHash };
  }
  return { kind: 'not_found', httpStatus };
}

function call(
  ctx: CarrierContext,
  { number, numberType }: Query,
  { owed, signal }: { owed: boolean; signal: AbortSignal },
): Promise<CarrierResponse> {
  const { baseUrl, apiKey, clientSecret } = ctx.settings;
  const url = `${baseUrl}/info/tracking/${encodeURIComponent(number)}?numberType=${numberType}`;
  return callCarrier(ctx, {
    url,
    headers: () =>
      signCoscoCall({ method: 'GET', url, apiKey: apiKey ?? '', secretKey: clientSecret ?? '', now: ctx.now() }),
    oauth: null,
    owed,
    signal,
  });
}

/**
 * Returns the platform's data on the number. Null: it has none, or it rejects the number, and there is another to ask
 * for. Throws `FetchFailure` for a response that states an error.
 */
function contentOf(response: CarrierResponse, { isLast }: { isLast: boolean }): LenientObject | null {
  const body = jsonObject(response);
  const code = text(body, 'code');
  if (code === '5400' && !isLast) return null;
  if (code === '5400')
    throw new FetchFailure('invalid_identifier', `the carrier rejected this reference: ${messageOf(body)}`, {
      httpStatus: response.status,
      permanent: true,
    });
  if (code !== null && code !== '0')
    throw new FetchFailure('carrier_unreachable', `the carrier returned error ${code}: ${messageOf(body)}`, {
      httpStatus: response.status,
    });
  const data = child(body, 'data');
  if (data === null) throw unrecognized(response, 'the carrier returned JSON without data');
  if (text(data, 'type') === 'none') return null;
  const content = child(data, 'content');
  const isKnown = ['actualshipment', 'containerstatus', 'trackingpath', 'containers'].some((name) =>
    content?.has(name),
  );
  const hasNullList = content !== null && /"(containerStatus|containers)"\s*:\s*null/.test(response.text);
  if (!isKnown && !hasNullList) throw unrecognized(response, 'the carrier returned JSON without a known content');
  return content;
}

function messageOf(body: LenientObject): string {
  return text(body, 'message') ?? 'no reason';
}

/**
 * The queries for a shipment, best first: the B/L without COSCO's prefix, then the booking. The container is used only
 * without either, because a container makes other voyages too.
 */
function queriesFor({ identifiers }: RefreshSubject): Query[] {
  const plain = (value: string | undefined): string => value?.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase() ?? '';
  const queries: Query[] = [];
  const bill = plain(identifiers.mbl).replace(/^COSU(?=.{4})/, '');
  const booking = plain(identifiers.booking).replace(/^COSU(?=.{4})/, '');
  const container = plain(identifiers.container);
  if (bill !== '') queries.push({ numberType: 'bl', number: bill });
  if (booking !== '') queries.push({ numberType: 'bkg', number: booking });
  if (queries.length === 0 && container !== '') queries.push({ numberType: 'cntr', number: container });
  if (queries.length > 0) return queries;
  throw new FetchFailure(
    'wrong_identifier_type',
    'this carrier requires a bill of lading, booking or container number and the shipment has none',
    { permanent: true },
  );
}
