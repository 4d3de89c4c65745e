import { runWithin } from '#shared/async/deadline.ts';
import type { TakenQuestion } from '#shared/core/carriers/answer-questions.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { keepProof } from '#shared/core/record/read-proof.ts';
import { type ConnectorCode, findCarrier, testConnector } from '#shared/domain/carriers/carrier-catalogue.ts';
import {
  type FailedProof,
  failedProof,
  maxProofBytes,
  type ProofAnswer,
  proofMediaType,
} from '#shared/domain/carriers/proof.ts';
import type { Connector } from '../carriers/carrier.ts';
import { asFetchFailure, FetchFailure } from '../carriers/fetch-failure.ts';
import { isConnectorCode } from '../carriers/registry.ts';
import { testProof } from '../carriers/test/test-proof.ts';
import type { CarrierAccesses } from '../credentials/carrier-access.ts';
import type { Credentials } from '../credentials/credentials.ts';
import type { CarrierAccess } from '../credentials/grant-access.ts';
import { withoutSecrets } from '../credentials/instance-credentials.ts';
import { reserveOne } from '../pacing/reserve-one.ts';

export type ProofContext = {
  core: CoreContext;
  connectors: Record<ConnectorCode, Connector>;
  accessFor: CarrierAccesses['accessFor'];
  credentials: Pick<Credentials, 'lift'>;
  /** PROOF_STORE is on. */
  keepsProofs: boolean;
};

type ProofQuestion = TakenQuestion<'proof'>;
export type FetchedProof = { answer: ProofAnswer; content: Uint8Array | null };

/** Shorter than the wait of the request, so that a slow carrier gets its sentence. */
const proofDeadlineMs = 30_000;

/**
 * Fetches a proof of delivery that a request waits for. The call takes the path of a refresh: the credentials of the
 * shipment, their budget, their circuit and their HTTP client. Never rejects.
 */
export async function fetchProof(
  ctx: ProofContext,
  question: ProofQuestion,
  signal: AbortSignal,
): Promise<FetchedProof> {
  const { carrier: code, connector } = question.question;
  const name = findCarrier(code)?.name ?? code;
  const fetched = await fetchDocument(ctx, question, { name, signal }).catch((error: unknown) => {
    ctx.core.log.error({ err: error, connector }, 'fetching a proof of delivery failed');
    return failedProof('unavailable', `Fetching the document of ${name} failed.`);
  });
  if (!(fetched instanceof Uint8Array)) return { answer: fetched, content: null };
  const mediaType = proofMediaType(fetched);
  const refusal = refusalOf(fetched, mediaType);
  if (mediaType === null || refusal !== null)
    return { answer: failedProof('unavailable', `${name} sent ${refusal}.`), content: null };
  if (ctx.keepsProofs) {
    const { shipmentId, proofId, proof } = question.question;
    const kept = { shipmentId, proofId, piece: proof.piece, mediaType, content: fetched };
    await keepProof(ctx.core, question.accountId, kept).catch((error: unknown) =>
      ctx.core.log.warn({ err: error }, 'a proof of delivery could not be stored'),
    );
  }
  return { answer: { outcome: 'found', mediaType }, content: fetched };
}

/** Returns the reason why a document is not stored, or null. */
function refusalOf(content: Uint8Array, mediaType: string | null): string | null {
  if (content.length > maxProofBytes) return `a document of more than ${maxProofBytes / 1024 / 1024} MiB`;
  return mediaType === null ? 'something that is not a PNG, JPEG, GIF or PDF file' : null;
}

type Asking = { name: string; signal: AbortSignal };

/** The document, or why there is none. */
async function fetchDocument(
  ctx: ProofContext,
  { accountId, question }: ProofQuestion,
  asking: Asking,
): Promise<Uint8Array | FailedProof> {
  const { carrier, connector: code, proof, demonstration } = question;
  if (code === testConnector) return testProof(proof.kind);
  const connector: Connector | null = isConnectorCode(code) ? ctx.connectors[code] : null;
  if (connector?.fetchProof === undefined)
    return failedProof('unavailable', `This release cannot fetch documents of ${asking.name}.`);
  const access = await ctx.accessFor(code as ConnectorCode, accountId, carrier);
  if (access.kind === 'closed') return answerOfClosed(access, asking.name);
  const { credential, circuit } = access;
  if (demonstration && !credential.settings.simulated)
    return failedProof('unavailable', 'This is a demonstration shipment. Only the simulated carrier knows it.');
  const { granted, waitMs, budget, release } = await reserveOne(access.reserve, asking.signal);
  try {
    if (granted === 0)
      return failedProof('rate_limited', `${asking.name} was not called. The call budget is used up.`, waitMs);
    const carrierCtx = { ...access.carrierFor([`proof ${question.shipmentId}`]), budget };
    const { fetchProof: fetchOne } = connector;
    // Outside of the connector's concurrency, which measures how long refreshes take. A worker fetches few documents.
    const document = await runWithin((signal) => fetchOne(carrierCtx, question, signal), {
      timeoutMs: proofDeadlineMs,
      signals: [asking.signal],
      late: 'no response within 30 seconds',
    });
    circuit.refreshed([`proof ${question.shipmentId}`]);
    if (credential.suspended !== null) await ctx.credentials.lift(credential);
    return document;
  } catch (error) {
    const failed = answerOfFailure(failureOf(error), asking.name);
    return { ...failed, detail: withoutSecrets(failed.detail, credential.settings) };
  } finally {
    release();
  }
}

function answerOfClosed(closed: CarrierAccess & { kind: 'closed' }, name: string): FailedProof {
  const { reason, detail, retryAfterMs, circuitOpenMs } = closed;
  const isWithoutAccess = reason === 'credentials_missing' || reason === 'carrier_auth_failed';
  if (isWithoutAccess) return failedProof('credentials_missing', detail);
  const failure = reason === 'carrier_rate_limited' ? 'rate_limited' : 'unavailable';
  return failedProof(failure, `${name} was not called. ${detail}`, retryAfterMs ?? circuitOpenMs);
}

function answerOfFailure({ reason, message, retryAfterMs }: FetchFailure, name: string): FailedProof {
  if (reason === 'carrier_rate_limited')
    return failedProof('rate_limited', `${name} can’t be called now: ${message}.`, retryAfterMs);
  if (reason === 'credentials_missing')
    return failedProof('credentials_missing', `${name} was not called: ${message}.`);
  return failedProof('unavailable', `${name} did not supply the document: ${message}.`, retryAfterMs);
}

/** A call that took too long counts as one that failed. */
function failureOf(error: unknown): FetchFailure {
  const isLate = error instanceof DOMException && error.name === 'TimeoutError';
  return isLate ? new FetchFailure('carrier_unreachable', error.message) : asFetchFailure(error);
}
