import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { Facts } from '../../../parts/facts.tsx';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { Identifier } from '../../../parts/identifier.tsx';
import { Fact } from '../fact.tsx';
import { returnWords } from '../words/delivery-words.ts';

/** The way back to the shipper. */
export function ReturnFact({ shipment }: { shipment: WireShipment }) {
  const now = useNow();
  const back = shipment.return;
  if (back === null) return null;
  const { reason, tracking_number: number } = back;
  return (
    <Fact title="Return" value={back}>
      <p>{returnWords(shipment, now)}</p>
      <Facts
        columns="grid-cols-[88px_minmax(0,1fr)]"
        className="mt-1 gap-y-0.5"
        rows={{
          Reason: reason,
          'Returned as':
            number === null ? null : <Identifier kind="tracking_number" value={number} className="text-label" />,
        }}
      />
    </Fact>
  );
}
