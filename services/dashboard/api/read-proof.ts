import { readJson, send } from './call.ts';
import { problemOf } from './problem-error.ts';
import { withinDeadline } from './within-deadline.ts';

/** A worker asks the carrier, which may take 40 s. */
const proofDeadlineMs = 60_000;

/** A document as a `data:` URL, which the page may show and the browser can save. */
export type ProofDocument = { url: string; fileName: string; isImage: boolean };

/** Fetches a proof of delivery. Throws `ProblemError` for every status but success. */
export function readProof(shipmentId: string, proofId: string): Promise<ProofDocument> {
  return withinDeadline(
    async (signal) => {
      const params = { shipment_id: shipmentId, proof_id: proofId };
      const response = await send('getShipmentProof', { params }, { signal, ms: proofDeadlineMs });
      if (!response.ok) throw problemOf(response.status, readJson(await response.text()), response.headers);
      const file = await response.blob();
      const named = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '');
      return {
        url: await dataUrlOf(file),
        fileName: named?.[1] ?? proofId,
        isImage: file.type.startsWith('image/'),
      };
    },
    { ms: proofDeadlineMs },
  );
}

function dataUrlOf(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
