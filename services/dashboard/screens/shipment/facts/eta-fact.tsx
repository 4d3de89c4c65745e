import type { WireShipment } from '#shared/contract/shipments/shipment-schemas.ts';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { Delta } from '../../../parts/moment.tsx';
import { dayWords, relativeWords } from '../../../parts/time-words.ts';
import { type CarrierTime, carrierClock, carrierDay, carrierZone, viewerWords } from '../carrier-time.ts';
import { Fact } from '../fact.tsx';
import { placeName } from '../route/route-stops.ts';
import { EtaChart } from './eta-chart.tsx';

/** The arrival, its delay, and how the estimate changed. */
export function EtaFact({ shipment }: { shipment: WireShipment }) {
  const now = useNow();
  const { title, time, kind } = arrivalOf(shipment, now);
  if (time === null) {
    return (
      <Fact title={title} value={null}>
        <p className="text-body text-t2">No date from {shipment.carrier_name} yet.</p>
      </Fact>
    );
  }
  const { eta_history: history, arrival } = shipment;
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
          <Delta hours={arrival.delay_hours} className="text-body" />
        </span>
      </p>
      {kind !== 'actual' && isPast && (
        <p className="mt-0.5 text-body text-amber">
          Expected {relativeWords(time.at, now)}. {shipment.carrier_name} has not reported an arrival.
        </p>
      )}
      {history.length + (kind === 'actual' && history.length > 0 && arrival.delay_hours !== 0 ? 1 : 0) > 1 && (
        <EtaChart history={history} arrival={arrival} now={now} />
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

type Known = Pick<WireShipment, 'arrival' | 'delivery' | 'destination' | 'events'>;
export type Arrival = { title: string; time: CarrierTime | null; kind: 'actual' | 'estimated' | 'planned' };

/** The time in the headline: the actual arrival, else the expected one, else the delivery. */
export function arrivalOf({ arrival, delivery, destination }: Known, now: number): Arrival {
  const place = destination === null ? '' : ` in ${placeName(destination)}`;
  if (arrival.actual !== null) return { title: `Arrived${place}`, time: arrival.actual, kind: 'actual' };
  const expected = arrival.estimated ?? arrival.planned;
  if (expected !== null) {
    const title = Date.parse(expected.at) <= now ? `Expected${place}` : `Arrives${place}`;
    return { title, time: expected, kind: arrival.estimated === null ? 'planned' : 'estimated' };
  }
  if (delivery.actual !== null) return { title: 'Delivered', time: delivery.actual, kind: 'actual' };
  if (delivery.estimated !== null) return { title: 'Delivery', time: delivery.estimated, kind: 'estimated' };
  return { title: `Arrives${place}`, time: null, kind: 'planned' };
}
