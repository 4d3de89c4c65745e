import { callCarrier, fetchEach, requireSettings, type SubjectOutcome, unexpectedStatus } from '../call-carrier.ts';
import type { CarrierContext, CarrierResponse, Connector } from '../carrier.ts';
import { hashAnswer, isKnownAnswer, jsonObject, unrecognized } from '../json-response.ts';
import { trackingNumberOf } from '../reading/parcel-reading.ts';
import { readUspsPackage } from './read-usps-package.ts';

/**
 * USPS Package Tracking and Notification 3.2.6 (developers.usps.com/trackingv3): one number per call, OAuth 2.0 client
 * credentials. An unknown number returns 404. USPS allows a new application 60 calls an hour over all of its APIs, and
 * more on request; the budget leaves some for tokens and for a person who looks something up.
 */
export const usps: Connector = {
  code: 'usps',
  batchSize: 1,
  published: { baseUrl: 'https://apis.usps.com', authUrl: 'https://apis.usps.com/oauth2/v3/token' },
  simulated: { basePath: '/sim/usps', authPath: '/sim/usps/oauth2/v3/token' },
  budget: { calls: 50, perMs: 3_600_000, burst: 5 },
  // A scan takes 0.4 KB, and a response has at most 99 of them.
  maxBodyBytes: 256 * 1024,
  fetch: fetchEach('usps', async (ctx, { subject, signal, source }) => {
    const number = trackingNumberOf(subject);
    const response = await ask(ctx, number, signal);
    const answerHash = hashAnswer(ctx, source, [number, response.text]);
    if (response.status === 200 && isKnownAnswer(subject, answerHash)) return { kind: 'unchanged', httpStatus: 200 };
    return answerOf(ctx, response, { source, answerHash });
  }),
};

function ask(ctx: CarrierContext, number: string, signal: AbortSignal): Promise<CarrierResponse> {
  requireSettings(ctx.settings, ['clientId', 'clientSecret']);
  return callCarrier(ctx, {
    url: `${ctx.settings.baseUrl}/tracking/v3/tracking/${encodeURIComponent(number)}?expand=DETAIL`,
    headers: () => ({}),
    oauth: { credentialsIn: 'form' },
    signal,
  });
}

function answerOf(
  ctx: CarrierContext,
  response: CarrierResponse,
  context: { source: string; answerHash: string | null },
): SubjectOutcome {
  if (response.status === 404) return { kind: 'not_found', httpStatus: 404 };
  if (response.status !== 200) throw unexpectedStatus(ctx, response);
  const parcel = jsonObject(response);
  if (!['trackingevents', 'statuscategory', 'status'].some((field) => parcel.has(field)))
    throw unrecognized(response, 'the carrier returned JSON without a status or events');
  const reading = readUspsPackage(parcel, context.source);
  return { kind: 'found', httpStatus: 200, reading, answerHash: context.answerHash };
}
