import type { CoreContext } from '#shared/core/core-context.ts';
import { keepProof } from '#shared/core/record/read-proof.ts';
import type { ProofKind } from '#shared/domain/events/event.ts';
import { found, refresh } from './refreshed-shipment.ts';

/** The smallest file that counts as a PNG. */
const png = Buffer.from('89504e470d0a1a0a', 'hex');

/** Has a shipment delivered with two proofs of a kind, of which the second is kept, and returns its id. */
export async function plantProof(
  ctx: CoreContext,
  subject: { accountId: string; shipmentId: string },
  kind: ProofKind,
): Promise<string> {
  const delivered = found({ code: 'delivered', local: '2026-03-02T09:00' });
  if (delivered.outcome !== 'found') throw new Error('nothing was found');
  const proof = ['1', '2'].map((handle) => ({ kind, handle, piece: null }));
  await refresh(ctx, subject, { ...delivered, reading: { ...delivered.reading, facts: { proof } } });
  const proofId = `${kind}_2`;
  const { accountId, shipmentId } = subject;
  await keepProof(ctx, accountId, { shipmentId, proofId, piece: null, mediaType: 'image/png', content: png });
  return proofId;
}
