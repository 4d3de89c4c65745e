import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import { fetchEach, type SubjectOutcome } from '../call-carrier.ts';
import type { CarrierContext, CarrierResponse, Connector } from '../carrier.ts';
import { hashAnswer, isKnownAnswer, unrecognized } from '../json-response.ts';
import { children, type LenientObject, text } from '../lenient-object.ts';
import { chooseReading } from '../reading/choose-reading.ts';
import { trackingNumberOf } from '../reading/parcel-reading.ts';
import { askUps, shipmentsOf } from './ask-ups.ts';
import { fetchUpsProof } from './fetch-ups-proof.ts';
import { readUpsShipment } from './read-ups-shipment.ts';

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
    const response = await askUps(ctx, number, { query: {}, signal });
    const answerHash = hashAnswer(ctx, source, [number, response.text]);
    if (response.status === 200 && isKnownAnswer(subject, answerHash)) return { kind: 'unchanged', httpStatus: 200 };
    return answerOf(ctx, response, { number, subject, source, answerHash });
  }),
  fetchProof: fetchUpsProof,
};

function answerOf(
  ctx: CarrierContext,
  response: CarrierResponse,
  context: { number: string; subject: RefreshSubject; source: string; answerHash: string | null },
): SubjectOutcome {
  if (response.status === 404) return { kind: 'not_found', httpStatus: 404 };
  const shipments = shipmentsOf(ctx, response);
  const reads = groupsOf(shipments, context.number).map((packages) => ({
    reading: readUpsShipment(packages, context),
  }));
  const chosen = chooseReading(reads, context.subject);
  if (chosen !== undefined)
    return { kind: 'found', httpStatus: 200, reading: chosen.reading, answerHash: context.answerHash };
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

/**
 * The packages of each shipment with this number, that package first. If none has it, those of the first shipment.
 * Several have it if UPS gave the number out again.
 */
function groupsOf(shipments: readonly LenientObject[], number: string): LenientObject[][] {
  const isOwn = (parcel: LenientObject) => text(parcel, 'trackingNumber')?.toUpperCase() === number;
  const groups = shipments.map((shipment) => children(shipment, 'package')).filter((group) => group.length > 0);
  const own = groups.filter((group) => group.some(isOwn));
  return (own.length > 0 ? own : groups.slice(0, 1)).map((group) => [
    ...group.filter(isOwn),
    ...group.filter((parcel) => !isOwn(parcel)),
  ]);
}
