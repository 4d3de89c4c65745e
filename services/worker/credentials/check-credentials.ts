import { runWithin } from '#shared/async/deadline.ts';
import type { TakenQuestion } from '#shared/core/carriers/answer-questions.ts';
import { enteredValues } from '#shared/core/carriers/verify-credentials.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { SecretUnreadable } from '#shared/core/secrets/seal-secret.ts';
import { type Carrier, type ConnectorCode, findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import { addressVariables } from '#shared/domain/carriers/connection.ts';
import type { CheckAnswer, CheckOutcome } from '#shared/domain/carriers/credential-check.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import type { FetchResult, Identifiers } from '#shared/domain/record/shipment.ts';
import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import type { CarrierContext, CarrierFetch, Connector } from '../carriers/carrier.ts';
import { createTokenCache } from '../carriers/oauth-sign-in.ts';
import { isConnectorCode } from '../carriers/registry.ts';
import type { Concurrency } from '../pacing/concurrency.ts';
import { reserveOne } from '../pacing/reserve-one.ts';
import type { CarrierAccesses } from './carrier-access.ts';
import type { Credential, Credentials } from './credentials.ts';
import { evaluateCheck, type SeenCall } from './evaluate-check.ts';
import type { CarrierAccess } from './grant-access.ts';
import { withoutSecrets } from './instance-credentials.ts';

export type CheckContext = {
  core: CoreContext;
  connectors: Record<ConnectorCode, Connector>;
  access: Pick<CarrierAccesses, 'trialAccess'>;
  credentials: Pick<Credentials, 'ownCredential' | 'lift'>;
  concurrencyOf: (connector: ConnectorCode) => Concurrency;
};

/** Shorter than the wait of the request, so that a slow carrier gets its sentence. */
const checkDeadlineMs = 12_000;
/**
 * Answers a check of credentials with one call, which takes the path of a refresh: the connector, its budget, its
 * circuit and its HTTP client.
 */
export async function answerCheck(
  ctx: CheckContext,
  check: TakenQuestion<'credential_check'>,
  signal: AbortSignal,
): Promise<CheckAnswer> {
  const startedAt = performance.now();
  const answer = await checkCredentials(ctx, check, signal);
  return { ...answer, durationMs: Math.round(performance.now() - startedAt) };
}

type Answer = Omit<CheckAnswer, 'durationMs'>;

function withoutCall(outcome: CheckOutcome, message: string, retryAfterMs: number | null = null): Answer {
  return { outcome, message, httpStatus: null, retryAfterMs };
}

async function checkCredentials(
  ctx: CheckContext,
  check: TakenQuestion<'credential_check'>,
  signal: AbortSignal,
): Promise<Answer> {
  const { accountId } = check;
  const { connector } = check.question;
  const carrier = findCarrier(check.question.carrier);
  if (carrier === null || !isConnectorCode(connector))
    return withoutCall('nothing_to_verify', 'This worker has no connector for the carrier. Update it.');
  let credential: Credential | 'unaddressed' | null;
  try {
    const entered = await enteredValues(ctx.core, check);
    credential = await ctx.credentials.ownCredential(connector, { accountId, carrierCode: carrier.code, entered });
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    return withoutCall(
      'nothing_to_verify',
      'The credentials cannot be decrypted. Restore the missing key in CREDENTIAL_KEYS.',
    );
  }
  if (credential === null) return withoutCall('nothing_to_verify', `You have no credentials at ${carrier.name}.`);
  if (credential === 'unaddressed') {
    const remedy = `The operator sets it with ${addressVariables(connector).base}.`;
    return withoutCall('wrong_address', `The address of ${carrier.name} is not configured. ${remedy}`);
  }
  const access = ctx.access.trialAccess(credential);
  if (access.kind === 'closed') return answerOfClosed(carrier, access);
  return callOnce(ctx, { carrier, connector, access, checkId: check.id, signal });
}

function answerOfClosed(carrier: Carrier, closed: CarrierAccess & { kind: 'closed' }): Answer {
  const { reason, detail, retryAfterMs, circuitOpenMs } = closed;
  const outcome = reason === 'carrier_rate_limited' ? 'rate_limited' : 'unreachable';
  return withoutCall(outcome, `${carrier.name} was not called. ${detail}`, retryAfterMs ?? circuitOpenMs);
}

type Call = {
  carrier: Carrier;
  connector: ConnectorCode;
  access: CarrierAccess & { kind: 'open' };
  checkId: string;
  signal: AbortSignal;
};

async function callOnce(ctx: CheckContext, call: Call): Promise<Answer> {
  const { carrier, connector, access, checkId } = call;
  const { credential } = access;
  const { granted, waitMs, budget, release } = await reserveOne(access.reserve, call.signal);
  try {
    if (granted === 0)
      return withoutCall('rate_limited', `${carrier.name} was not called. The call budget is used up.`, waitMs);
    const calls: SeenCall[] = [];
    const opened = { ...access.carrierFor([`check ${credential.id}`]), budget };
    const watched = watch(opened, calls);
    const subject = subjectOf(carrier, checkId, ctx.core.now());
    const ask = (signal: AbortSignal) => ctx.connectors[connector].fetch(watched, [subject], signal);
    const isAnswer = (results: Awaited<ReturnType<typeof ask>>) => Array.from(results.values()).some(wasAnswered);
    const fetching = (signal: AbortSignal) =>
      ctx.concurrencyOf(connector).run(() => ask(signal), { first: true, isAnswer });
    const results = await runWithin(fetching, {
      timeoutMs: checkDeadlineMs,
      signals: [call.signal],
      late: `no response within ${checkDeadlineMs / 1000} seconds`,
    }).catch((error: unknown) => (error instanceof Error ? error.message : 'the call was ended'));
    if (typeof results === 'string') return withoutCall('unreachable', `${carrier.name} was called: ${results}.`);
    const result = results.get(subject.shipmentId);
    if (result === undefined) throw new Error('the connector returned no result');
    const answer = evaluateCheck({ name: carrier.name, connector, result, calls });
    if (answer.outcome === 'accepted' && credential.suspended !== null) await ctx.credentials.lift(credential);
    return { ...answer, message: withoutSecrets(answer.message, credential.settings) };
  } finally {
    release();
  }
}

function wasAnswered({ outcome }: FetchResult): boolean {
  return outcome !== 'error';
}

/** Notes every call. Signs in anew: a token from before would say nothing about the credentials of today. */
function watch(opened: CarrierContext, calls: SeenCall[]): CarrierContext {
  const { authUrl } = opened.settings;
  const fetch: CarrierFetch = async (url, request) => {
    const isSignIn = authUrl !== null && url.startsWith(authUrl);
    try {
      const response = await opened.fetch(url, request);
      calls.push({ isSignIn, response, fault: null });
      return response;
    } catch (error) {
      calls.push({ isSignIn, response: null, fault: error instanceof Error ? error.message : 'no response' });
      throw error;
    }
  };
  return { ...opened, fetch, tokens: createTokenCache(opened.now) };
}

/**
 * A number of the carrier's shape that no shipment has. One identifier, so that the connector makes one call.
 */
const numbersOf: Record<TransportMode, (carrier: Carrier) => Identifiers> = {
  ocean: () => ({ booking: '000000000' }),
  air: ({ awbPrefixes: [prefix = '000'] }) => ({ awb: `${prefix}00000000` }),
  parcel: ({ connector }) => ({ tracking_number: parcelNumbers[connector ?? ''] ?? '000000000000' }),
  road: () => ({ pro: '000000000' }),
  rail: () => ({ waybill: '000000000' }),
};

/** Zeros pass the check digits of UPS, FedEx and DHL Express. */
const parcelNumbers: Record<string, string> = { ups: '1Z0000000000000000', fedex: '000000000000', dhl: '0000000000' };

function subjectOf(carrier: Carrier, checkId: string, now: Date): RefreshSubject {
  const [transportMode = 'ocean'] = carrier.modes;
  const at = now.toISOString();
  return {
    // Not the account's: a connector that keeps answers for an account's shipments must not answer a check with one.
    accountId: checkId,
    shipmentId: checkId,
    epoch: 1,
    transportMode,
    carrier: carrier.code,
    identifiers: numbersOf[transportMode](carrier),
    registrationTraceparent: null,
    refreshedBefore: false,
    test: false,
    testSteps: 0,
    trackingSince: at,
    createdAt: at,
    clockOffsetMs: 0,
    journey: composeJourney({ events: [], transportMode }, now.getTime()),
    polling: {
      state: 'queued',
      reason: null,
      consecutiveFailures: 0,
      readingHash: null,
      lastSucceededAt: null,
      lastChangedAt: null,
    },
  };
}
