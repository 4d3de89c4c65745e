import type { WireShipment } from '#shared/contract/wire-schemas.ts';
import type { WireTimes, WireVehicle } from '../../../api/wire.ts';
import { Delta } from '../../../parts/moment.tsx';
import { dayWords } from '../../../parts/time-words.ts';
import { useNow } from '../../../parts/use-now.ts';
import { type CarrierTime, carrierMoment, hoursLater, viewerWords } from '../carrier-time.ts';
import { placeCode, placeName, type Stop } from './route-stops.ts';

/** One stop: what was planned, what happened or is expected, by how much that differs. */
export function LegStop({
  stop,
  shipment,
  isLast,
  isUnderWay,
}: {
  stop: Stop;
  shipment: WireShipment;
  isLast: boolean;
  isUnderWay: boolean;
}) {
  const now = useNow();
  const { place, arrival, departure, onward } = stop;
  const freeDay = isLast ? earliest(shipment.containers.flatMap(({ last_free_day }) => last_free_day ?? [])) : null;
  const vehicle = onward?.vehicle ?? null;
  const ends =
    isLast && arrival !== null && isBare(arrival) ? (shipment.delivery.actual ?? shipment.delivery.estimated) : null;
  const decisive = isLast || (stop.state === 'ahead' && arrival !== null) ? arrival : departure;
  return (
    <div className="min-w-0 flex-1">
      <h3 className="flex items-baseline gap-1.5">
        <span className="truncate font-semibold text-section" title={placeName(place)}>
          {placeName(place)}
        </span>
        <span className="font-mono text-label text-t3">{placeCode(place)}</span>
      </h3>
      <dl className="grid grid-cols-[60px_minmax(0,1fr)] text-label leading-5">
        {ends !== null && (
          <>
            <dt className="text-t3">{shipment.delivery.actual === null ? 'Delivery' : 'Delivered'}</dt>
            <dd className="truncate font-medium text-t1">
              <LocalTime time={ends} />
            </dd>
          </>
        )}
        {decisive !== null && ends === null && (
          <Called times={decisive} done={decisive === arrival ? 'Arrived' : 'Left'} />
        )}
        {decisive !== arrival && arrival?.actual && (
          <>
            <dt className="text-t3">Arrived</dt>
            <dd className="truncate text-t2">
              <LocalTime time={arrival.actual} />
            </dd>
          </>
        )}
        {freeDay !== null && (
          <>
            <dt className="text-t3">Free until</dt>
            <dd className="text-t2">{dayWords(freeDay, null, now)}</dd>
          </>
        )}
        {vehicle !== null && !isUnderWay && (
          <>
            <dt className="text-t3">{vehicle.flight !== null && vehicle.name === null ? 'Flight' : 'Vessel'}</dt>
            <dd
              className="truncate text-t2"
              title={[vehicleTitle(vehicle), vehicle.voyage].filter((part) => part !== null).join(', ')}
            >
              {[vehicleTitle(vehicle), vehicle.voyage].filter((part) => part !== null).join(', ')}
            </dd>
          </>
        )}
      </dl>
    </div>
  );
}

function Called({ times, done }: { times: WireTimes; done: string }) {
  const { planned, estimated, actual } = times;
  const told = actual ?? estimated;
  const hours = hoursLater(planned, told);
  return (
    <>
      {planned !== null && (
        <>
          <dt className="text-t3">Planned</dt>
          <dd className="flex gap-2 truncate text-t2">
            <LocalTime time={planned} className="truncate" />
            {hours !== null && <Delta hours={hours} className="leading-5" />}
          </dd>
        </>
      )}
      {told !== null && (
        <>
          <dt className="text-t3">{actual === null ? 'Expected' : done}</dt>
          <dd className="truncate font-medium text-t1">
            <LocalTime time={told} />
          </dd>
        </>
      )}
      {planned === null && told === null && (
        <>
          <dt className="text-t3">{done === 'Left' ? 'Leaves' : 'Arrives'}</dt>
          <dd className="text-t3">not told yet</dd>
        </>
      )}
    </>
  );
}

function isBare({ planned, estimated, actual }: WireTimes): boolean {
  return planned === null && estimated === null && actual === null;
}

function earliest(days: readonly string[]): string | null {
  return days.toSorted()[0] ?? null;
}

/** A carrier's time by the clock where it happened; by the viewer's on hover. */
export function LocalTime({ time, className }: { time: CarrierTime; className?: string }) {
  const now = useNow();
  return (
    <time dateTime={time.at} title={viewerWords(time, now)} className={className}>
      {carrierMoment(time, now)}
    </time>
  );
}

/** The vessel or the flight; what it is called, else what it is. */
export function vehicleTitle({ name, flight, imo }: WireVehicle): string {
  return name ?? flight ?? (imo === null ? 'Vessel not named' : `IMO ${imo}`);
}

/** `voyage 615E, IMO 9619921`. */
export function vehicleVoyage({ name, flight, voyage, imo }: WireVehicle): string {
  const parts = [
    name !== null && flight !== null ? flight : null,
    voyage === null ? null : `voyage ${voyage}`,
    imo === null || (name === null && flight === null) ? null : `IMO ${imo}`,
  ];
  return parts.filter((part) => part !== null).join(', ');
}
