import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { placeName } from '#shared/route-map/stops.ts';
import { Facts } from '../../../parts/facts.tsx';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { Fact } from '../fact.tsx';
import { LocalTime } from '../route/leg-stop.tsx';
import { pointKindWords } from '../words/delivery-words.ts';

/** Shows where the addressee collects the shipment. */
export function PickupFact({ shipment }: { shipment: WireShipment }) {
  const now = useNow();
  const point = shipment.pickup_point;
  if (point === null) return null;
  const { kind, id, name, address, place, hours, kept_until: until } = point;
  const isWaiting = shipment.status === 'available_for_pickup';
  const isOver = isWaiting && until !== null && Date.parse(until.at) < now;
  const where = [address, place === null ? null : placeName(place)].filter((part) => part !== null).join(', ');
  return (
    <Fact title="Pickup point" aside={pointKindWords(kind)} value={point}>
      <p className="font-medium" dir="auto">
        {name ?? (where === '' ? `${pointKindWords(kind)}${id === null ? '' : ` ${id}`}` : where)}
      </p>
      {name !== null && where !== '' && (
        <p className="text-t2" dir="auto">
          {where}
        </p>
      )}
      <Facts
        columns="grid-cols-[88px_minmax(0,1fr)]"
        className="mt-1.5 gap-y-0.5"
        rows={{
          Hours: hours,
          'Kept until':
            until === null ? null : (
              <span className={isOver ? 'text-amber' : ''}>
                <LocalTime time={until} />
                {isOver && ' – collection period over'}
              </span>
            ),
          Number: id === null || (name?.includes(id) ?? false) ? null : id,
        }}
      />
    </Fact>
  );
}
