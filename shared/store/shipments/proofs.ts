import type { ProofMediaType } from '#shared/domain/carriers/proof.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

export type KeptProof = { mediaType: ProofMediaType; content: Buffer };

/** `piece`: that of the proof. A document about another piece does not count. */
export type ProofKey = { shipmentId: string; proofId: string; piece: string | null };

/** A document that was fetched while documents were kept. Null: there is none. */
export async function readKeptProof(
  tx: Tx,
  accountId: string,
  { shipmentId, proofId, piece }: ProofKey,
): Promise<KeptProof | null> {
  const rows = await readRows<{ mediaType: ProofMediaType; content: Buffer }>(tx, {
    name: 'read-kept-proof',
    text: `
      select media_type, content from landfall.proofs
      where account_id = $1 and shipment_id = $2 and proof_id = $3 and piece is not distinct from $4`,
    values: [accountId, shipmentId, proofId, piece],
  });
  return rows[0] === undefined ? null : { mediaType: rows[0].mediaType, content: rows[0].content };
}

/** Keeps a document until its shipment is removed. Does nothing if it has been removed already. */
export async function keepProof(
  tx: Tx,
  accountId: string,
  { shipmentId, proofId, piece, mediaType, content }: ProofKey & { mediaType: ProofMediaType; content: Uint8Array },
): Promise<void> {
  await tx.query({
    name: 'keep-proof',
    text: `
      insert into landfall.proofs (account_id, shipment_id, proof_id, piece, media_type, content)
      select s.account_id, s.id, $3, $4, $5, $6 from landfall.shipments as s
      where s.account_id = $1 and s.id = $2
      for key share of s
      on conflict (account_id, shipment_id, proof_id) do update
      set piece = excluded.piece, media_type = excluded.media_type, content = excluded.content,
        fetched_at = excluded.fetched_at`,
    values: [accountId, shipmentId, proofId, piece, mediaType, content],
  });
}

/** `content`: in Base64. */
export type BundledProof = {
  proofId: string;
  piece: string | null;
  mediaType: ProofMediaType;
  fetchedAt: string;
  content: string;
};

/** The kept document with the next id. Null: there is none after it. */
export async function readNextProof(
  tx: Tx,
  accountId: string,
  { shipmentId, after }: { shipmentId: string; after: string | null },
): Promise<BundledProof | null> {
  const [row] = await readRows<{
    proofId: string;
    piece: string | null;
    mediaType: ProofMediaType;
    content: Buffer;
    fetchedAt: string;
  }>(tx, {
    name: 'read-next-proof',
    text: `
      select proof_id, piece, media_type, content, fetched_at from landfall.proofs
      where account_id = $1 and shipment_id = $2 and ($3::text is null or proof_id > $3)
      order by proof_id
      limit 1`,
    values: [accountId, shipmentId, after],
  });
  if (row === undefined) return null;
  return {
    proofId: row.proofId,
    piece: row.piece,
    mediaType: row.mediaType,
    fetchedAt: row.fetchedAt,
    content: row.content.toString('base64'),
  };
}
