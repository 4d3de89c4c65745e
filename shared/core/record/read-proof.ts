import type { Caller } from '#shared/domain/caller.ts';
import { connectorFor, findCarrier, testConnector } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { FailedProof, ProofFailure } from '#shared/domain/carriers/proof.ts';
import type { ProofQuestion } from '#shared/domain/carriers/worker-question.ts';
import { type ErrorCode, LandfallError } from '#shared/domain/errors.ts';
import { identifyProofs } from '#shared/domain/journey/stated-facts.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { isDemonstration } from '#shared/domain/registration/demonstration.ts';
import { type KeptProof, keepProof as keepInStore, readKeptProof } from '#shared/store/shipments/proofs.ts';
import { readShipment } from '#shared/store/shipments/shipments.ts';
import { withAccount, withSystem } from '#shared/store/with-account.ts';
import { leaveQuestion, questionLimits, waitForAnswer } from '../carriers/ask-worker.ts';
import type { CoreContext } from '../core-context.ts';

export type ReadProofInput = { shipmentId: string; proofId: string };

/** `waitMs` null: as long as a worker may take. `signal` aborts when the client is gone. */
export type ReadProofOptions = { waitMs?: number | null; signal?: AbortSignal };

/**
 * The document of a proof of delivery: a worker fetches it from the carrier, with the credentials that refresh the
 * shipment, unless it was kept. Throws LandfallError `shipment_not_found`, `proof_not_found`, `proof_unavailable`,
 * `carrier_credentials_missing`, `carrier_rate_limited`, `account_busy` if too many are being fetched, or `unavailable`
 * if no worker answers.
 */
export async function readProof(
  ctx: CoreContext,
  caller: Caller,
  input: ReadProofInput,
  { waitMs = null, signal }: ReadProofOptions = {},
): Promise<KeptProof> {
  const { accountId } = caller;
  const id = globalThis.crypto.randomUUID();
  const kept = await withAccount(ctx.store, accountId, async (tx) => {
    const shipment = await readShipment(tx, accountId, { id: input.shipmentId, test: caller.test });
    if (shipment === null) throw new LandfallError('shipment_not_found', 'Shipment not found.');
    const question = questionOf(shipment, input.proofId);
    const { shipmentId, proofId, proof } = question;
    const found = await readKeptProof(tx, accountId, { shipmentId, proofId, piece: proof.piece });
    if (found !== null) return found;
    if (await leaveQuestion(tx, accountId, { id, kind: 'proof', question })) return null;
    const { maxOpen } = questionLimits.proof;
    throw new LandfallError(
      'account_busy',
      `This account fetches ${maxOpen} documents already. Fetch fewer in parallel and retry in 5 s.`,
      { retryAfterS: 5 },
    );
  });
  if (kept !== null) return kept;
  const asked = { accountId, id, kind: 'proof', waitMs, ...(signal === undefined ? {} : { signal }) } as const;
  const { answer, content } = await waitForAnswer(ctx, asked);
  if (answer.outcome === 'failed') throw errorOf(answer);
  if (content === null) throw new LandfallError('internal_error', 'A worker answered without the document.');
  return { mediaType: answer.mediaType, content };
}

/** Keeps a fetched document until its shipment is removed. Does nothing if it has been removed already. */
export function keepProof(
  ctx: CoreContext,
  accountId: string,
  proof: Parameters<typeof keepInStore>[2],
): Promise<void> {
  return withSystem(ctx.store, (tx) => keepInStore(tx, accountId, proof));
}

/**
 * Checks that the shipment has the proof, without fetching it. Throws the errors that `readProof` throws before it
 * asks.
 */
export async function checkProof(ctx: CoreContext, caller: Caller, input: ReadProofInput): Promise<void> {
  const { accountId, test } = caller;
  const shipment = await withAccount(ctx.store, accountId, (tx) =>
    readShipment(tx, accountId, { id: input.shipmentId, test }),
  );
  if (shipment === null) throw new LandfallError('shipment_not_found', 'Shipment not found.');
  questionOf(shipment, input.proofId);
}

function questionOf(shipment: Shipment, proofId: string): ProofQuestion {
  const { id, carrier, carrierName, transportMode, identifiers, journey } = shipment;
  const shown = journey.delivery.proof.find((proof) => proof.id === proofId);
  const stated = identifyProofs(journey.facts).find((proof) => proof.shown.id === proofId)?.stated;
  if (shown === undefined || stated === undefined) throw notFound(shipment);
  const connector = shipment.test ? testConnector : connectorFor(carrier, transportMode);
  if (!shown.available || connector === null)
    throw new LandfallError('proof_unavailable', `${carrierName} does not supply this document to programs.`);
  return {
    shipmentId: id,
    proofId,
    proof: stated,
    carrier: findCarrier(carrier)?.code ?? carrier,
    connector,
    transportMode,
    identifiers,
    demonstration: isDemonstration(shipment),
  };
}

function notFound({ journey }: Shipment): LandfallError {
  const ids = journey.delivery.proof.map(({ id }) => id);
  if (ids.length > 0)
    return new LandfallError('proof_not_found', `Proof of delivery not found. This shipment has: ${ids.join(', ')}.`);
  const isDelivered = journey.status === 'delivered';
  return new LandfallError(
    'proof_not_found',
    isDelivered
      ? 'The carrier stated no proof of delivery for this shipment.'
      : 'This shipment has no proof of delivery yet. Retry after its delivery.',
  );
}

const codes: Record<ProofFailure, ErrorCode> = {
  credentials_missing: 'carrier_credentials_missing',
  rate_limited: 'carrier_rate_limited',
  unavailable: 'proof_unavailable',
};
const defaultRetryAfterS = 60;

function errorOf({ failure, detail, retryAfterMs }: FailedProof): LandfallError {
  const seconds = retryAfterMs === null ? null : Math.max(1, Math.ceil(retryAfterMs / 1000));
  const retryAfterS = failure === 'rate_limited' ? (seconds ?? defaultRetryAfterS) : seconds;
  return new LandfallError(codes[failure], detail, retryAfterS === null ? {} : { retryAfterS });
}
