import type { WireShipment } from '#shared/contract/shipments/shipment-schemas.ts';
import { wordOf } from '../../../parts/code-words.ts';
import { groupIdentifier } from '../../../parts/identifier.tsx';

/** The proofs of delivery that the carrier offers. */
export function ProofList({ shipment }: { shipment: WireShipment }) {
  return (
    <ul>
      {shipment.delivery.proof.map(({ id, kind, piece, available }) => (
        <li key={id}>
          {wordOf(kind)}
          {piece !== null && <span className="text-t2"> of {groupIdentifier('tracking_number', piece)}</span>}
          {!available && <span className="text-t3">, not available</span>}
        </li>
      ))}
    </ul>
  );
}
