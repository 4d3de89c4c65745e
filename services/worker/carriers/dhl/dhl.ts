import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import { callCarrier, fetchEach, requireSettings, type SubjectOutcome } from '../call-carrier.ts';
import type { CarrierContext, CarrierResponse, Connector } from '../carrier.ts';
import { failureOfStatus } from '../fetch-failure.ts';
import { carrierMessage, hashAnswer, isKnownAnswer, jsonObject, unrecognized } from '../json-response.ts';
import { child, children, type LenientObject, text } from '../lenient-object.ts';
import { markElsewhere } from '../own-document.ts';
import { chooseReading } from '../reading/choose-reading.ts';
import { trackingNumberOf } from '../reading/parcel-reading.ts';
import { fetchDhlProof } from './fetch-dhl-proof.ts';
import { readDhlShipment } from './read-dhl-shipment.ts';
import { waitForTurn } from './wait-for-turn.ts';

/**
 * DHL Shipment Tracking Unified 1.5 (developer.dhl.com/api-reference/shipment-tracking): one number per call, no
 * sandbox. An unknown number returns 404.
 */
export const dhl: Connector = {
  code: 'dhl',
  batchSize: 1,
  published: { baseUrl: 'https://api-eu.dhl.com', authUrl: null },
  simulated: { basePath: '/sim/dhl', authPath: null },
  budget: { calls: 240, perMs: 86_400_000, burst: 10 },
  // A scan takes 0.3 KB, so this is 1,500 of them, for up to five parcels.
  maxBodyBytes: 512 * 1024,
  fetch: fetchEach('dhl', async (ctx, { subject, signal, source }) => {
    const number = trackingNumberOf(subject);
    const response = await ask(ctx, number, signal);
    const answerHash = hashAnswer(ctx, source, [number, response.text]);
    if (response.status === 200 && isKnownAnswer(subject, answerHash)) return { kind: 'unchanged', httpStatus: 200 };
    return answerOf(ctx, response, { number, subject, source, answerHash });
  }),
  fetchProof: fetchDhlProof,
};

async function ask(ctx: CarrierContext, number: string, signal: AbortSignal): Promise<CarrierResponse> {
  requireSettings(ctx.settings, ['apiKey']);
  const service = serviceOf(number);
  const query = new URLSearchParams({
    trackingNumber: number,
    ...(service === null ? {} : { service }),
    language: 'en',
    limit: '5',
  });
  if (!ctx.settings.simulated) await waitForTurn(ctx, signal);
  return callCarrier(ctx, {
    url: `${ctx.settings.baseUrl}/track/shipments?${query}`,
    headers: () => ({ 'DHL-API-Key': ctx.settings.apiKey ?? '' }),
    oauth: null,
    signal,
  });
}

/** The DHL division, only where the format of the number is unambiguous: the wrong division returns 404. */
function serviceOf(number: string): string | null {
  if (/^\d{10}$/.test(number)) return 'express';
  return /^0034\d{16}$/.test(number) ? 'parcel-de' : null;
}

function answerOf(
  ctx: CarrierContext,
  response: CarrierResponse,
  context: { number: string; subject: RefreshSubject; source: string; answerHash: string | null },
): SubjectOutcome {
  if (response.status === 404) return { kind: 'not_found', httpStatus: 404 };
  if (response.status !== 200) throw failureOfStatus(response, { now: ctx.now(), carrierMessage: problemOf(response) });
  const body = jsonObject(response);
  const listed = body.get('shipments');
  const shipments = children(body, 'shipments');
  const isListed = Array.isArray(listed) || shipments.some((each) => each.has('status') || each.has('events'));
  if (!isListed || (Array.isArray(listed) && listed.length > 0 && shipments.length === 0))
    throw unrecognized(response, 'the carrier returned JSON without a list of shipments');
  const numbered = shipments.filter((each) => isNumbered(each, context.number));
  const reads = (numbered.length > 0 ? numbered : shipments).map((each) => ({
    reading: readDhlShipment(each, context),
    statedAt: text(child(each, 'status'), 'timestamp'),
  }));
  const chosen = chooseReading(reads, context.subject);
  if (chosen === undefined) return { kind: 'not_found', httpStatus: 200 };
  return {
    kind: 'found',
    httpStatus: 200,
    reading: markElsewhere(ctx, chosen.reading),
    answerHash: context.answerHash,
  };
}

/** The id may be a number, which loses leading zeros. */
function isNumbered(shipment: LenientObject, number: string): boolean {
  const bare = (written: string) => written.toUpperCase().replace(/[\s-]/g, '').replace(/^0+/, '');
  return bare(text(shipment, 'id') ?? '') === bare(number);
}

function problemOf(response: CarrierResponse): string | null {
  try {
    const problem = jsonObject(response);
    return text(problem, 'detail', 'title') ?? carrierMessage(response.text);
  } catch {
    return null;
  }
}
