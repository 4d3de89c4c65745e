import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { placeName } from '#shared/route-map/stops.ts';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { dayWords, relativeWords } from '../../../parts/time-words.ts';
import { Delta } from '../../../parts/timestamp.tsx';
import { type CarrierTime, carrierClock, carrierDay, carrierZone, viewerWords } from '../carrier-time.ts';
import { Fact } from '../fact.tsx';
import { EtaChart } from './eta-chart.tsx';

/** The arrival, its delay, and how the estimate changed. Nothing where the delivery takes its place. */
export function EtaFact({ shipment }: { shipment: WireShipment }) {
  const now = useNow();
  const { title, time, kind, of } = arrivalOf(shipment, now);
  if (of === 'delivery') return null;
  if (time === null) {
    return (
      <Fact title={title} value={null}>
        <p className="text-body text-t2">No date from {shipment.carrier_name} yet.</p>
      </Fact>
    );
  }
  const { delay_hours: delay, overdue_hours: overdueHours } = shipment;
  const history = shipment.eta_history.filter((entry) => entry.kind === 'arrival');
  const isPast = Date.parse(time.at) <= now;
  const [first] = history;
  return (
    <Fact title={title} value={[time.at, kind]}>
      <p className="flex items-baseline gap-2.5">
        <time
          dateTime={time.at}
          title={viewerWords(time, now)}
          className="font-semibold text-headline tracking-[-0.015em] tabular-nums"
        >
          {[carrierDay(time, now), carrierClock(time)].join(' ').trim()}
        </time>
        <span className="text-body text-t2">
          {[carrierZone(time), kind === 'actual' || !isPast ? relativeWords(time.at, now) : '']
            .filter((part) => part !== '')
            .join(', ')}
        </span>
        <span className="ml-auto">
          <Delta hours={delay} overdueHours={overdueHours} className="text-body" />
        </span>
      </p>
      {kind !== 'actual' && isPast && (
        <p className="mt-0.5 text-body text-amber">
          Expected {relativeWords(time.at, now)}. {shipment.carrier_name} has not reported an arrival.
        </p>
      )}
      {history.length + (kind === 'actual' && history.length > 0 && delay !== 0 ? 1 : 0) > 1 && (
        <EtaChart history={history} times={shipment.arrival} now={now} />
      )}
      {history.length === 1 && first !== undefined && kind !== 'actual' && (
        <p className="mt-0.5 text-label text-t3">Unchanged since {dayWords(first.seen_at, null, now)}.</p>
      )}
      {kind === 'planned' && (
        <p className="mt-0.5 text-label text-t3">Planned time. No estimate from the carrier yet.</p>
      )}
    </Fact>
  );
}

type Known = Pick<WireShipment, 'transport_mode' | 'eta' | 'arrival' | 'delivery' | 'destination'>;
export type Arrival = {
  title: string;
  time: CarrierTime | null;
  kind: 'actual' | 'estimated' | 'planned';
  of: 'arrival' | 'delivery';
};

/** The time in the headline: the actual arrival or delivery, otherwise the ETA. */
export function arrivalOf(shipment: Known, now: number): Arrival {
  const { transport_mode: mode, eta, arrival, delivery, destination } = shipment;
  const place = destination === null ? '' : ` in ${placeName(destination)}`;
  const isDelivery = delivery.actual !== null || (eta === null && mode === 'parcel');
  const of = eta?.kind === 'delivery' || (arrival.actual === null && isDelivery) ? 'delivery' : 'arrival';
  const { actual, estimated } = of === 'delivery' ? delivery : arrival;
  if (actual !== null)
    return { title: of === 'delivery' ? 'Delivered' : `Arrived${place}`, time: actual, kind: 'actual', of };
  if (eta === null)
    return { title: of === 'delivery' ? 'Delivery' : `Arrives${place}`, time: null, kind: 'planned', of };
  const isPast = Date.parse(eta.time.at) <= now;
  const title = of === 'delivery' ? 'Delivery' : `${isPast ? 'Expected' : 'Arrives'}${place}`;
  return { title, time: eta.time, kind: estimated === null ? 'planned' : 'estimated', of };
}
