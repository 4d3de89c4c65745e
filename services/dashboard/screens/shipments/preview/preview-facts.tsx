import type { ReactNode } from 'react';
import type { WireShipment } from '#shared/contract/wire-schemas.ts';
import { wordOf } from '../../../parts/code-words.ts';
import { FreshnessMark, StatusGlyph, WarningMark } from '../../../parts/marks.tsx';
import { Delta, Moment } from '../../../parts/moment.tsx';
import { momentWords, relativeWords, zoneWords } from '../../../parts/time-words.ts';
import { useNow } from '../../../parts/use-now.ts';
import { becauseWords } from '../../shipment/facts/because.ts';
import { seenWords } from '../../shipment/facts/refresh-words.ts';
import { EtaSteps } from './eta-steps.tsx';

const mostEvents = 5;

/** Status and why, arrival, exceptions, how the ETA moved, the last events, and whether the carrier answers. */
export function PreviewFacts({ shipment }: { shipment: WireShipment }) {
  const now = useNow();
  const open = shipment.exceptions.filter(({ resolved_at }) => resolved_at === null);
  const seen = seenWords(shipment, now);
  const events = shipment.events.filter(
    ({ classifier, superseded_by }) => classifier === 'actual' && superseded_by === null,
  );
  return (
    <>
      <dl className="flex flex-col gap-2 border-line border-b px-4 py-3">
        <Fact name="Status">
          <span className="flex items-center gap-1.5">
            <StatusGlyph status={shipment.status} />
            {wordOf(shipment.status)}
          </span>
          <span className="block text-t2">{becauseWords(shipment, now)}</span>
        </Fact>
        <Arrives shipment={shipment} now={now} />
        {open.map((exception) => (
          <Fact key={`${exception.event_id} ${exception.code}`} name="Exception">
            <span className="flex items-start gap-1.5">
              <span className="mt-[3px]">
                <WarningMark severity={exception.severity} />
              </span>
              {wordOf(exception.code)}
            </span>
            <span className="block text-t2">
              {exception.message}, since <Moment at={exception.opened_at} exact />
            </span>
          </Fact>
        ))}
      </dl>
      {shipment.eta_history.length > 1 && (
        <Section title="How the ETA moved">
          <EtaSteps history={shipment.eta_history} delayHours={shipment.arrival.delay_hours} />
        </Section>
      )}
      {events.length > 0 && (
        <Section title="Last events">
          <ol className="flex flex-col gap-1">
            {events.slice(0, mostEvents).map((event) => (
              <li key={event.event_id} className="flex gap-3">
                <Moment
                  at={event.time.at}
                  zone={event.time.timezone}
                  className="w-16 shrink-0 whitespace-nowrap text-label text-t2 leading-5"
                />
                <span className="min-w-0 truncate" dir="auto">
                  {wordOf(event.code)}
                  {event.location?.name && <span className="text-t2"> · {event.location.name}</span>}
                </span>
              </li>
            ))}
          </ol>
        </Section>
      )}
      {shipment.tracking !== null && (
        <Section title="Can we see it">
          <p className="flex gap-2">
            <span className="mt-[5px]">
              <FreshnessMark freshness={shipment.tracking.freshness} />
            </span>
            <span>
              {seen.lead} {seen.rest}
            </span>
          </p>
        </Section>
      )}
    </>
  );
}

function Arrives({ shipment, now }: { shipment: WireShipment; now: number }) {
  const { arrival, delivery, destination } = shipment;
  const time = arrival.actual ?? arrival.estimated ?? arrival.planned ?? delivery.actual ?? delivery.estimated;
  if (time === null) return null;
  const isActual = (arrival.actual ?? delivery.actual) !== null;
  return (
    <Fact name={isActual ? 'Arrived' : 'Arrives'}>
      <span dir="auto">
        {[
          destination?.name,
          `${momentWords(time.at, { zone: time.timezone, now })} ${zoneWords(time.at, time.timezone)}`,
        ]
          .filter(Boolean)
          .join(', ')}
      </span>
      <span className="flex items-baseline gap-1.5 text-t2">
        {relativeWords(time.at, now)}
        {arrival.delay_hours !== null && (
          <>
            <span aria-hidden="true">·</span> <Delta hours={arrival.delay_hours} />
          </>
        )}
      </span>
    </Fact>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex gap-3">
      <dt className="w-20 shrink-0 text-t3">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-line border-b px-4 py-3 last:border-b-0">
      <h2 className="mb-2 text-label text-t2">{title}</h2>
      {children}
    </section>
  );
}
