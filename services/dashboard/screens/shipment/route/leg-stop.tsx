import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { delayHoursOf } from '#shared/domain/record/promised-times.ts';
import { placeCode, placeName, type Stop } from '#shared/route-map/stops.ts';
import type { WireTimes, WireVehicle } from '../../../api/wire.ts';
import { type FactRows, Facts } from '../../../parts/facts.tsx';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { dayWords } from '../../../parts/time-words.ts';
import { Delta } from '../../../parts/timestamp.tsx';
import { type CarrierTime, carrierMoment, viewerWords } from '../carrier-time.ts';
import { type DeliveryHeadline, deliveryHeadline } from '../words/delivery-words.ts';

/** One stop: planned, actual and expected times, and their difference. `isBrief`: its main time alone. */
export function LegStop({
  stop,
  shipment,
  isLast,
  isUnderWay,
  isBrief,
}: {
  stop: Stop;
  shipment: WireShipment;
  isLast: boolean;
  isUnderWay: boolean;
  isBrief: boolean;
}) {
  const now = useNow();
  const { place, arrival, delayHours, departure, onward } = stop;
  const freeDay = isLast
    ? earliest(shipment.containers.flatMap(({ last_free_day }) => last_free_day.effective ?? []))
    : null;
  const vehicle = onward?.vehicle ?? null;
  // Of a delivery, the window says more than the times.
  const isDelivery = isLast && arrival !== null && (isBare(arrival) || arrival === shipment.delivery);
  const end = isDelivery ? deliveryHeadline(shipment, now) : null;
  const decisive = isLast || (stop.state === 'ahead' && arrival !== null) ? arrival : departure;
  const call = decisive === arrival ? { done: 'Arrived' as const, hours: delayHours } : departing(departure);
  const calls = callRows(decisive, { ...call, isBrief });
  return (
    <div className="min-w-0 flex-1 @2xl:listed:grid @2xl:listed:grid-cols-[210px_minmax(0,1fr)] @2xl:listed:gap-x-4">
      <h3 className="flex items-baseline gap-1.5">
        <span className="truncate font-semibold text-section" title={placeName(place)}>
          {placeName(place)}
        </span>
        <span className="font-mono text-label text-t3">{placeCode(place)}</span>
      </h3>
      <Facts
        columns="grid-cols-[60px_minmax(0,1fr)] @2xl:listed:grid-cols-[60px_minmax(0,1fr)_60px_minmax(0,1fr)]"
        className="text-label leading-5"
        rows={{
          ...(end === null || end.words === '' ? calls : { [end.title]: <End {...end} /> }),
          ...(decisive !== arrival && arrival?.actual && !isBrief
            ? { Arrived: <StopTime time={arrival.actual} /> }
            : {}),
          'Free until': freeDay === null ? null : <span className="text-t2">{dayWords(freeDay, null, now)}</span>,
          ...(vehicle === null || isUnderWay ? {} : vehicleRow(vehicle)),
        }}
      />
    </div>
  );
}

type Call = { done: 'Arrived' | 'Departed'; hours: number | null };
type ShownCall = Call & { isBrief: boolean };

/** Departures have no first promise: they are compared with the plan. */
function departing(times: WireTimes | null): Call {
  return { done: 'Departed', hours: delayHoursOf(times?.planned ?? null, times?.actual ?? times?.estimated ?? null) };
}

/**
 * Planned and actual or expected time of a call; `done` names an actual one. The delay is that of the latter, and what
 * it is counted from may be another time than the plan.
 */
function callRows(times: WireTimes | null, { done, hours, isBrief }: ShownCall): FactRows {
  if (times === null) return {};
  const { planned, estimated, actual } = times;
  const time = actual ?? estimated;
  if (planned === null && time === null)
    return { [done === 'Departed' ? 'Departs' : 'Arrives']: <span className="text-t3">no time yet</span> };
  return {
    Planned:
      planned === null || (isBrief && time !== null) ? null : (
        <StopTime time={planned} hours={time === null ? hours : null} />
      ),
    [actual === null ? 'Expected' : done]: time === null ? null : <StopTime time={time} hours={hours} isStrong />,
  };
}

function vehicleRow(vehicle: WireVehicle): FactRows {
  const text = [vehicleTitle(vehicle), vehicle.voyage].filter((part) => part !== null).join(', ');
  return {
    [vehicle.flight !== null && vehicle.name === null ? 'Flight' : 'Vessel']: (
      <span className="block truncate text-t2" title={text}>
        {text}
      </span>
    ),
  };
}

type StopTimeProps = { time: CarrierTime; hours?: number | null; isStrong?: boolean };

function StopTime({ time, hours = null, isStrong = false }: StopTimeProps) {
  return (
    <span className="flex gap-2">
      <LocalTime time={time} className={`truncate ${isStrong ? 'font-medium text-t1' : 'text-t2'}`} />
      {hours !== null && <Delta hours={hours} className="shrink-0 leading-5" />}
    </span>
  );
}

/** The window of an expected delivery, otherwise its time, or that there is none. */
function End({ time, from, words }: DeliveryHeadline) {
  if (time !== null && from === null) return <StopTime time={time} isStrong />;
  return <span className="block truncate font-medium text-t1">{words}</span>;
}

function isBare({ planned, estimated, actual }: WireTimes): boolean {
  return planned === null && estimated === null && actual === null;
}

function earliest(days: readonly string[]): string | null {
  return days.toSorted()[0] ?? null;
}

/** A carrier's time in the time zone of the place; in the viewer's on hover. */
export function LocalTime({ time, className }: { time: CarrierTime; className?: string }) {
  const now = useNow();
  return (
    <time dateTime={time.at} title={viewerWords(time, now)} className={className}>
      {carrierMoment(time, now)}
    </time>
  );
}

/** The vessel or flight by its name, else by its IMO number. */
export function vehicleTitle({ name, flight, imo }: WireVehicle): string {
  return name ?? flight ?? (imo === null ? 'Unnamed vessel' : `IMO ${imo}`);
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
