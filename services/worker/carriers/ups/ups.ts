import { randomUUID } from 'node:crypto';
import { callCarrier, fetchEach, rateLimited, requireSettings, type SubjectOutcome } from '../call-carrier.ts';
import type { CarrierContext, CarrierResponse, Connector } from '../carrier.ts';
import { failureOfStatus } from '../fetch-failure.ts';
import { carrierMessage, hashAnswer, isKnownAnswer, jsonObject, unrecognized } from '../json-response.ts';
import { child, children, type LenientObject, readObject, text } from '../lenient-object.ts';
import { trackingNumberOf } from '../parcel-reading.ts';
import { readJsonOrNull } from '../read-json.ts';
import { readUpsShipment } from './read-ups-shipment.ts';

/** UPS's own code for "too many requests", which it sends with any status. */
const throttledCode = '10429';
/** Warning of a response without data: "Tracking Information Not Found". */
const notFoundCode = 'TW0001';

/**
 * UPS Track v1 (github.com/UPS-API/api-documentation, Tracking.yaml and OAuthClientCredentials.yaml, MIT): one number
 * per call. An unknown number returns 404, or a warning inside a 200. The limits are not published; the budget is a
 * guess.
 */
export const ups: Connector = {
  code: 'ups',
  batchSize: 1,
  published: { baseUrl: 'https://onlinetools.ups.com', authUrl: 'https://onlinetools.ups.com/security/v1/oauth/token' },
  simulated: { basePath: '/sim/ups', authPath: '/sim/ups/security/v1/oauth/token' },
  budget: { calls: 5, perMs: 1000, burst: 5 },
  // A scan takes 0.4 KB, so this is 1,200 of them.
  maxBodyBytes: 512 * 1024,
  fetch: fetchEach('ups', async (ctx, { subject, signal, source }) => {
    const number = trackingNumberOf(subject);
    const response = await ask(ctx, number, signal);
    const answerHash = hashAnswer(ctx, source, [number, response.text]);
    if (response.status === 200 && isKnownAnswer(subject, answerHash)) return { kind: 'unchanged', httpStatus: 200 };
    return answerOf(ctx, response, { number, source, answerHash });
  }),
};

function ask(ctx: CarrierContext, number: string, signal: AbortSignal): Promise<CarrierResponse> {
  requireSettings(ctx.settings, ['clientId', 'clientSecret']);
  const query = 'locale=en_US&returnSignature=false&returnMilestones=false&returnPOD=false';
  return callCarrier(ctx, {
    url: `${ctx.settings.baseUrl}/api/track/v1/details/${encodeURIComponent(number)}?${query}`,
    headers: () => ({ transId: randomUUID(), transactionSrc: 'landfall' }),
    oauth: { credentialsIn: 'basic' },
    signal,
  });
}

function answerOf(
  ctx: CarrierContext,
  response: CarrierResponse,
  context: { number: string; source: string; answerHash: string | null },
): SubjectOutcome {
  if (isThrottled(response)) throw rateLimited(ctx, response);
  if (response.status === 404) return { kind: 'not_found', httpStatus: 404 };
  if (response.status !== 200) throw failureOfStatus(response, { now: ctx.now(), carrierMessage: messageOf(response) });
  const track = child(jsonObject(response), 'trackResponse');
  if (track === null) throw unrecognized(response, 'the carrier returned JSON without trackResponse');
  const shipments = children(track, 'shipment');
  const packages = packagesOf(shipments, context.number);
  if (packages.length > 0) {
    return {
      kind: 'found',
      httpStatus: 200,
      reading: readUpsShipment(packages, context),
      answerHash: context.answerHash,
    };
  }
  const warnings = shipments.flatMap((shipment) => children(shipment, 'warnings'));
  const isUnknown = warnings.some(
    (warning) => text(warning, 'code') === notFoundCode || /not found/i.test(text(warning, 'message') ?? ''),
  );
  if (isUnknown) return { kind: 'not_found', httpStatus: 200 };
  throw unrecognized(
    response,
    `the carrier returned no package${warnings[0] ? `: ${text(warnings[0], 'message') ?? ''}` : ''}`,
  );
}

/** The packages of the shipment with this number, that package first; otherwise those of the first shipment. */
function packagesOf(shipments: readonly LenientObject[], number: string): LenientObject[] {
  const isOwn = (parcel: LenientObject) => text(parcel, 'trackingNumber')?.toUpperCase() === number;
  const groups = shipments.map((shipment) => children(shipment, 'package')).filter((group) => group.length > 0);
  const group = groups.find((each) => each.some(isOwn)) ?? groups[0] ?? [];
  const own = group.find(isOwn);
  return own === undefined ? group : [own, ...group.filter((each) => each !== own)];
}

function isThrottled(response: CarrierResponse): boolean {
  return response.status !== 200 && errorsOf(response).some((error) => text(error, 'code') === throttledCode);
}

function messageOf(response: CarrierResponse): string | null {
  return carrierMessage(JSON.stringify({ errors: errorsOf(response).map((error) => Object.fromEntries(error)) }));
}

function errorsOf(response: CarrierResponse): LenientObject[] {
  return children(child(readObject(readJsonOrNull(response.text)), 'response'), 'errors');
}
