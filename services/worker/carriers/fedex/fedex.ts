import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import { requireSettings, type SubjectOutcome } from '../call-carrier.ts';
import type { CarrierContext, CarrierResponse, Connector } from '../carrier.ts';
import { type Asking, fetchBatches } from '../fetch-batches.ts';
import { asFetchFailure, FetchFailure, failureOfStatus, isRefusingPage } from '../fetch-failure.ts';
import { carrierMessage, jsonObject, unrecognized } from '../json-response.ts';
import { child, children, type LenientObject, text } from '../lenient-object.ts';
import { trackingNumberOf } from '../reading/parcel-reading.ts';
import { refusalOfNumber } from '../refused-number.ts';
import { callFedex } from './call-fedex.ts';
import { chooseResult } from './choose-result.ts';
import { fetchFedexProof } from './fetch-fedex-proof.ts';
import { readFedexResult } from './read-fedex-result.ts';

const batchSize = 30;

/**
 * FedEx Track v1 (developer.fedex.com, catalogue "track"): up to 30 numbers per call, each with its own error inside a
 * 200. Published limits: 1,400 calls in 10 s and 100,000 calls a day.
 */
export const fedex: Connector = {
  code: 'fedex',
  batchSize,
  published: { baseUrl: 'https://apis.fedex.com', authUrl: 'https://apis.fedex.com/oauth/token' },
  simulated: { basePath: '/sim/fedex', authPath: '/sim/fedex/oauth/token' },
  budget: { calls: 80_000, perMs: 86_400_000, burst: 100 },
  // A scan takes 0.4 KB, so this is 250 of them for each of 30 numbers.
  maxBodyBytes: 3 * 1024 * 1024,
  fetch: fetchBatches('fedex', { size: batchSize, numberOf: trackingNumberOf }, async (ctx, numbers, asking) => {
    requireSettings(ctx.settings, ['clientId', 'clientSecret']);
    const refusals = { count: 0, isAccepted: false };
    const read = await askForNumbers(ctx, numbers, { ...asking, owed: false, refusals });
    return (subject, number) => answerFor(subject, read.get(number) ?? noResult(200), asking.source);
  }),
  fetchProof: fetchFedexProof,
};

/** Refused calls of one refresh, while its list is being split. */
type Refusals = { count: number; isAccepted: boolean };

const maxRefusals = 3;

function isOver({ count, isAccepted }: Refusals): boolean {
  return !isAccepted && count >= maxRefusals;
}

/** The result for one number: its parcels, or the failure of the call. */
type NumberResult = { httpStatus: number; results: LenientObject[] } | { failure: FetchFailure };

async function askForNumbers(
  ctx: CarrierContext,
  numbers: readonly string[],
  asking: Asking & { owed: boolean; refusals: Refusals },
): Promise<Map<string, NumberResult>> {
  if (numbers.length === 0) return new Map();
  const response = await callFedex(ctx, {
    path: 'trackingnumbers',
    body: {
      includeDetailedScans: true,
      trackingInfo: numbers.map((trackingNumber) => ({ trackingNumberInfo: { trackingNumber } })),
    },
    owed: asking.owed,
    signal: asking.signal,
  });
  const { status } = response;
  const isOfOneNumber = status === 400 || status === 422 || (status === 403 && !isRefusingPage(response));
  if (isOfOneNumber && numbers.length > 1 && !isOver(asking.refusals)) return askInHalves(ctx, numbers, asking);
  if (response.status === 404) return new Map(numbers.map((number) => [number, { httpStatus: 404, results: [] }]));
  if (response.status !== 200)
    throw failureOfStatus(response, {
      now: ctx.now(),
      carrierMessage: carrierMessage(response.text),
      connector: 'fedex',
    });
  return resultsOf(response);
}

/**
 * One invalid number can make FedEx reject the whole list. The list is split in halves until the number is isolated, or
 * until several numbers in a row were refused, which means that the credentials are.
 */
async function askInHalves(
  ctx: CarrierContext,
  numbers: readonly string[],
  asking: Asking & { refusals: Refusals },
): Promise<Map<string, NumberResult>> {
  const middle = Math.ceil(numbers.length / 2);
  const results = new Map<string, NumberResult>();
  for (const half of [numbers.slice(0, middle), numbers.slice(middle)]) {
    try {
      for (const [number, result] of await askForNumbers(ctx, half, { ...asking, owed: true }))
        results.set(number, result);
      asking.refusals.isAccepted = true;
    } catch (error) {
      const failure = asFetchFailure(error);
      if (failure.refusedBy !== null) asking.refusals.count += 1;
      for (const number of half) results.set(number, { failure });
    }
  }
  return results;
}

function resultsOf(response: CarrierResponse): Map<string, NumberResult> {
  const output = child(jsonObject(response), 'output');
  const complete = output?.get('completetrackresults');
  if (output === null || typeof complete !== 'object' || complete === null)
    throw unrecognized(response, 'the carrier returned JSON without output.completeTrackResults');
  const results = new Map<string, NumberResult>();
  for (const one of children(output, 'completeTrackResults')) {
    const number = text(one, 'trackingNumber')?.toUpperCase();
    if (number !== undefined)
      results.set(number, { httpStatus: response.status, results: children(one, 'trackResults') });
  }
  return results;
}

function answerFor(subject: RefreshSubject, result: NumberResult, source: string): SubjectOutcome {
  if ('failure' in result) return { kind: 'failed', failure: result.failure };
  const { httpStatus, results } = result;
  if (httpStatus === 404) return { kind: 'not_found', httpStatus };
  const parcels = results.filter((each) => errorOf(each) === null || children(each, 'scanEvents').length > 0);
  const chosen = chooseResult(parcels, subject);
  if (chosen !== null) return { kind: 'found', httpStatus, reading: readFedexResult(chosen, source) };
  const error = errorOf(results[0] ?? null);
  return error === null ? { kind: 'failed', failure: noResult(httpStatus).failure } : answerOfError(error, httpStatus);
}

/** FedEx also sends an empty error beside good data. */
function errorOf(result: LenientObject | null): LenientObject | null {
  const error = child(result, 'error');
  return text(error, 'code', 'message') === null ? null : error;
}

function answerOfError(error: LenientObject, httpStatus: number): SubjectOutcome {
  const code = text(error, 'code')?.toUpperCase() ?? '';
  const message = text(error, 'message', 'code') ?? 'no reason';
  const refusal = refusalOfNumber(code, 'fedex');
  if (refusal === 'not_yet') return { kind: 'not_found', httpStatus };
  const failure =
    refusal === 'malformed'
      ? new FetchFailure('invalid_identifier', `the carrier rejected this reference: ${message}`, {
          httpStatus,
          permanent: true,
        })
      : new FetchFailure('carrier_unreachable', `the carrier can't track this number at the moment: ${message}`, {
          httpStatus,
        });
  return { kind: 'failed', failure };
}

function noResult(httpStatus: number): { failure: FetchFailure } {
  return { failure: unrecognized({ status: httpStatus }, "the carrier's response doesn't contain this number") };
}
