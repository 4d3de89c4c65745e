import type { ReactNode } from 'react';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { Facts } from '../../../parts/facts.tsx';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { relativeWords } from '../../../parts/time-words.ts';
import { Delta } from '../../../parts/timestamp.tsx';
import { carrierMoment, carrierZone, viewerWords } from '../carrier-time.ts';
import { Fact, FoldedList } from '../fact.tsx';
import {
  type Attempt,
  attemptsOf,
  type DeliveryHeadline,
  deliveryHeadline,
  movedWords,
  punctualityWords,
} from '../words/delivery-words.ts';
import { EtaChart } from './eta-chart.tsx';
import { arrivalOf } from './eta-fact.tsx';

type Props = {
  shipment: WireShipment;
  /** The proofs of delivery, shown where there are some. */
  proof: ReactNode;
};

/** The delivery to the consignee: its window, whether the promise is kept, failed attempts, and who received it. */
export function DeliveryFact({ shipment, proof }: Props) {
  const now = useNow();
  const { delivery } = shipment;
  const attempts = attemptsOf(shipment.events);
  const isMain = arrivalOf(shipment, now).of === 'delivery';
  if (!isMain && !isStated(shipment)) return null;
  const history = shipment.eta_history.filter(({ kind }) => kind === 'delivery');
  const moved = movedWords(shipment, now);
  const rows = {
    Attempts: delivery.attempts === 0 ? null : <Attempts count={delivery.attempts} attempts={attempts} now={now} />,
    'Received by': delivery.received_by,
    'Left at': delivery.left_at,
    Proof: delivery.proof.length === 0 ? null : proof,
  };
  return (
    <Fact title={deliveryHeadline(shipment, now).title} value={[delivery]}>
      <Headline shipment={shipment} isMain={isMain} now={now} />
      {isMain && moved !== null && <p className="mt-0.5 text-label text-t2">{moved}</p>}
      {isMain && hasRevisions(history) && <EtaChart history={history} times={delivery} now={now} />}
      {Object.values(rows).some((row) => row !== null) && (
        <Facts columns="grid-cols-[88px_minmax(0,1fr)]" className="mt-1.5 gap-y-0.5" rows={rows} />
      )}
    </Fact>
  );
}

/** True when anything is known about the delivery of a shipment whose headline is the arrival. */
function isStated({ delivery }: WireShipment): boolean {
  const { window, attempts, received_by: by, left_at: at, proof, actual } = delivery;
  return window !== null || attempts > 0 || by !== null || at !== null || proof.length > 0 || actual !== null;
}

function hasRevisions(history: WireShipment['eta_history']): boolean {
  return new Set(history.map(({ eta }) => eta.at)).size > 1;
}

function Headline({ shipment, isMain, now }: { shipment: WireShipment; isMain: boolean; now: number }) {
  const { delivery, carrier_name: carrier } = shipment;
  const headline = deliveryHeadline(shipment, now);
  const { title, words, time, isExpected } = headline;
  if (words === '') return <p className="text-body text-t2">No date from {carrier} yet.</p>;
  const isOverdue = isExpected && isMain && shipment.overdue_hours !== null;
  const kept = isOverdue || title === 'Collection' ? null : punctualityWords(shipment, now);
  // The sentence says "on time" already.
  const hasDelta =
    isMain && time !== null && title !== 'Collection' && !(kept !== null && delivery.on_time === 'on_time');
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2.5">
        <time
          dateTime={time?.at}
          title={time === null ? undefined : viewerWords(time, now)}
          className="font-semibold text-headline tracking-[-0.015em] tabular-nums"
        >
          {words}
        </time>
        {time !== null && <span className="text-body text-t2">{asideWords(headline, now)}</span>}
        {hasDelta && (
          <span className="ml-auto">
            <Delta
              hours={delivery.delay_hours}
              overdueHours={isOverdue ? shipment.overdue_hours : null}
              onTime={delivery.on_time}
              className="text-body"
            />
          </span>
        )}
      </p>
      {isOverdue && time !== null && (
        <p className="mt-0.5 text-body text-amber">
          Expected {relativeWords(time.at, now)}. {carrier} has not reported a delivery.
        </p>
      )}
      {kept !== null && (
        <p className={`mt-0.5 text-body ${delivery.on_time === 'late' ? 'text-amber' : 'text-t2'}`}>{kept}</p>
      )}
    </>
  );
}

/** `CEST, in 3 h`; of a window that has begun, when it ends. */
function asideWords({ time, from, isExpected }: DeliveryHeadline, now: number): string {
  if (time === null) return '';
  const isAhead = Date.parse(time.at) > now;
  const next = from !== null && Date.parse(from.at) > now ? from : time;
  const words = next === from || from === null ? relativeWords(next.at, now) : `ends ${relativeWords(next.at, now)}`;
  return [carrierZone(time), (isAhead || !isExpected) && time.precision !== 'date' ? words : '']
    .filter((part) => part !== '')
    .join(', ');
}

/** Shows the number of failed delivery attempts, and those among the events with their reasons. */
function Attempts({ count, attempts, now }: { count: number; attempts: readonly Attempt[]; now: number }) {
  return (
    <>
      {count === 1 ? '1 failed' : `${count} failed`}
      <FoldedList
        rows={attempts}
        max={3}
        noun="attempts"
        row={({ eventId, time, reason }) => (
          <li key={eventId} className="text-t2">
            <time dateTime={time.at} title={viewerWords(time, now)} className="tabular-nums">
              {carrierMoment(time, now)}
            </time>
            {reason !== null && <span dir="auto">: {reason}</span>}
          </li>
        )}
      />
    </>
  );
}
