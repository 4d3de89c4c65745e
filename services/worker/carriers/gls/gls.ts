import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import { callCarrier, requireSettings, type SubjectOutcome, unexpectedStatus } from '../call-carrier.ts';
import type { CarrierContext, CarrierResponse, Connector } from '../carrier.ts';
import { type Asking, fetchBatches } from '../fetch-batches.ts';
import { asFetchFailure, FetchFailure } from '../fetch-failure.ts';
import { jsonObject, unrecognized } from '../json-response.ts';
import { type LenientObject, listedItems, readObject, text } from '../lenient-object.ts';
import { trackingNumberOf } from '../reading/parcel-reading.ts';
import { readGlsParcels } from './read-gls-parcel.ts';

const batchSize = 10;

/**
 * GLS Group's Track And Trace V1 1.0.7 (dev-portal.gls-group.net): up to 10 parcel numbers per call, each with its own
 * error inside a 200. OAuth 2.0 client credentials. By default, a client may make 500 calls a day.
 */
export const gls: Connector = {
  code: 'gls',
  batchSize,
  published: { baseUrl: 'https://api.gls-group.net', authUrl: 'https://api.gls-group.net/oauth2/v2/token' },
  simulated: { basePath: '/sim/gls', authPath: '/sim/gls/oauth2/v2/token' },
  budget: { calls: 480, perMs: 86_400_000, burst: 20 },
  // An event takes 0.3 KB, so this is 300 of them for each of 10 numbers.
  maxBodyBytes: 1024 * 1024,
  fetch: fetchBatches('gls', { size: batchSize, numberOf }, async (ctx, numbers, asking) => {
    requireSettings(ctx.settings, ['clientId', 'clientSecret']);
    const outcomes = await askForNumbers(ctx, numbers, { ...asking, owed: false });
    return (_subject, number) => outcomes.get(number) ?? missing(200);
  }),
};

/** Numbers go into one path, separated by commas, so that one with another character would spoil the whole call. */
function numberOf(subject: RefreshSubject): string {
  const number = trackingNumberOf(subject);
  if (/^[A-Z0-9_]{6,40}$/.test(number)) return number;
  throw new FetchFailure('invalid_identifier', 'a GLS parcel number consists of letters and digits', {
    permanent: true,
  });
}

async function askForNumbers(
  ctx: CarrierContext,
  numbers: readonly string[],
  { source, signal, owed }: Asking & { owed: boolean },
): Promise<Map<string, SubjectOutcome>> {
  if (numbers.length === 0) return new Map();
  const response = await callCarrier(ctx, {
    url: `${ctx.settings.baseUrl}/track-and-trace-v1/tracking/simple/trackids/${numbers.join(',')}?showEvents=true`,
    headers: () => ({ 'accept-language': 'EN' }),
    oauth: { credentialsIn: 'basic' },
    owed,
    signal,
  });
  if (response.status === 400 && numbers.length > 1) return askOneByOne(ctx, numbers, { source, signal });
  if (response.status === 404)
    return new Map(numbers.map((number) => [number, { kind: 'not_found', httpStatus: 404 }]));
  if (response.status !== 200) throw unexpectedStatus(ctx, response);
  const parcels = parcelsOf(response);
  return new Map(numbers.map((number) => [number, outcomeOf(number, numbers.length, parcels, source)]));
}

/** One number that GLS rejects must not spoil the others of its call. */
async function askOneByOne(
  ctx: CarrierContext,
  numbers: readonly string[],
  asking: Asking,
): Promise<Map<string, SubjectOutcome>> {
  const outcomes = new Map<string, SubjectOutcome>();
  for (const number of numbers) {
    try {
      for (const [each, outcome] of await askForNumbers(ctx, [number], { ...asking, owed: true }))
        outcomes.set(each, outcome);
    } catch (error) {
      outcomes.set(number, { kind: 'failed', failure: asFetchFailure(error) });
    }
  }
  return outcomes;
}

function parcelsOf(response: CarrierResponse): LenientObject[] {
  const { items, unreadable } = listedItems(jsonObject(response), 'parcels');
  const parcels = items.map((item) => readObject(item)).filter((item) => item !== null);
  if (unreadable.length > 0 || parcels.length === 0)
    throw unrecognized(response, 'the carrier returned JSON without a list of parcels');
  return parcels;
}

/** `unitno` is GLS's own form of the number, often without its check digit. `requested` is the number as it was sent. */
function outcomeOf(
  number: string,
  askedFor: number,
  parcels: readonly LenientObject[],
  source: string,
): SubjectOutcome {
  const isNamed = (parcel: LenientObject): boolean =>
    [text(parcel, 'requested'), text(parcel, 'unitno')].some((each) => each?.toUpperCase() === number);
  const named = parcels.filter(isNamed);
  const own = named.length === 0 && askedFor === 1 ? parcels : named;
  const found = own.filter((parcel) => text(parcel, 'errorCode') === null || parcel.has('events'));
  if (found.length > 0) return { kind: 'found', httpStatus: 200, reading: readGlsParcels(found, source) };
  const [refused] = own;
  return refused === undefined ? missing(200) : outcomeOfError(refused);
}

function outcomeOfError(parcel: LenientObject): SubjectOutcome {
  const code = text(parcel, 'errorCode') ?? '';
  const message = text(parcel, 'errorMessage', 'errorCode') ?? 'no reason';
  if (code.startsWith('E_404')) return { kind: 'not_found', httpStatus: 200 };
  const failure = code.startsWith('E_400')
    ? new FetchFailure('invalid_identifier', `the carrier rejected this reference: ${message}`, {
        httpStatus: 200,
        permanent: true,
      })
    : new FetchFailure('carrier_unreachable', `the carrier can't track this number at the moment: ${message}`, {
        httpStatus: 200,
      });
  return { kind: 'failed', failure };
}

function missing(status: number): SubjectOutcome {
  return { kind: 'failed', failure: unrecognized({ status }, "the carrier's response doesn't contain this number") };
}
