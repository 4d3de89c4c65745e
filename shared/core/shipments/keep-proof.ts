import type { ProofMediaType } from '#shared/domain/carriers/proof.ts';
import { keepProof as keepInStore, type ProofKey } from '#shared/store/shipments/proofs.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** Keeps a fetched document until its shipment is removed. Does nothing if it has been removed already. */
export function keepProof(
  ctx: CoreContext,
  accountId: string,
  proof: ProofKey & { mediaType: ProofMediaType; content: Uint8Array },
): Promise<void> {
  return withSystem(ctx.store, (tx) => keepInStore(tx, accountId, proof));
}
