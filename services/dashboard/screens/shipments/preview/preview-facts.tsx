import type { ReactNode } from 'react';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { Facts } from '../../../parts/facts.tsx';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { FreshnessMark, StatusGlyph, WarningMark } from '../../../parts/status-icons.tsx';
import { deltaWords, momentWords, relativeWords, zoneWords } from '../../../parts/time-words.ts';
import { Delta, Timestamp } from '../../../parts/timestamp.tsx';
import { wordOf } from '../../../parts/words/code-words.ts';
import { carrierZone } from '../../shipment/carrier-time.ts';
import { arrivalOf } from '../../shipment/facts/eta-fact.tsx';
import { eventName } from '../../shipment/timeline/event-words.ts';
import {
  deliveryHeadline,
  detailSentence,
  pointKindWords,
  punctualityWords,
  returnWords,
} from '../../shipment/words/delivery-words.ts';
import { baseWordsOf } from '../../shipment/words/eta-labels.ts';
import { etaSteps } from '../../shipment/words/eta-steps.ts';
import { trackingText } from '../../shipment/words/refresh-words.ts';
import { statusReason } from '../../shipment/words/status-reason.ts';

const maxEvents = 5;

/** Status, arrival, exceptions, the history of the ETA, the last events, and the state of tracking. */
export function PreviewFacts({ shipment }: { shipment: WireShipment }) {
  const now = useNow();
  const open = shipment.exceptions.filter(({ resolved_at }) => resolved_at === null);
  const tracking = trackingText(shipment, now);
  const detail = detailSentence(shipment, now);
  const events = shipment.events.filter(
    ({ classifier, superseded_by }) => classifier === 'actual' && superseded_by === null,
  );
  return (
    <>
      <div className="border-line border-b px-4 py-3">
        <Facts
          columns="grid-cols-[80px_minmax(0,1fr)]"
          className="gap-x-3 gap-y-2"
          rows={{
            Status: (
              <>
                <span className="flex items-center gap-1.5">
                  <StatusGlyph status={shipment.status} />
                  {wordOf(shipment.status)}
                </span>
                {detail !== null && <span className="block">{detail}</span>}
                <span className="block text-t2">{statusReason(shipment, now)}</span>
              </>
            ),
            ...arrivalRow(shipment, now),
            Assignee: shipment.assignee?.name ?? null,
            Notes: shipment.notes_count === 0 ? null : shipment.notes_count.toLocaleString('en'),
            'Collect at': pickupWords(shipment),
            'Received by': shipment.delivery.received_by,
            Return: returnWords(shipment, now),
            [open.length === 1 ? 'Exception' : 'Exceptions']: open.length === 0 ? null : <Exceptions open={open} />,
          }}
        />
      </div>
      {etaHistory(shipment).length > 1 && (
        <Section title="ETA history">
          <EtaLine shipment={shipment} now={now} />
        </Section>
      )}
      {events.length > 0 && (
        <Section title="Last events">
          <ol className="flex flex-col gap-1">
            {events.slice(0, maxEvents).map((event) => (
              <li key={event.event_id} className="flex gap-3">
                <Timestamp
                  at={event.time.at}
                  zone={event.time.timezone}
                  className="w-16 shrink-0 whitespace-nowrap text-label text-t2 leading-5"
                />
                <span className="min-w-0 truncate" dir="auto">
                  {eventName(event.code)}
                  {event.location?.name && <span className="text-t2"> · {event.location.name}</span>}
                </span>
              </li>
            ))}
          </ol>
        </Section>
      )}
      {shipment.tracking !== null && (
        <Section title="Tracking">
          <p className="flex gap-2">
            <span className="mt-[5px]">
              <FreshnessMark freshness={shipment.tracking.freshness} />
            </span>
            <span>
              {tracking.label}. {tracking.text}
            </span>
          </p>
        </Section>
      )}
    </>
  );
}

function arrivalRow(shipment: WireShipment, now: number): Record<string, ReactNode> {
  const { time, kind, of } = arrivalOf(shipment, now);
  if (of === 'delivery') return deliveryRow(shipment, now);
  if (time === null) return {};
  const moment = `${momentWords(time.at, { zone: time.timezone, now })} ${zoneWords(time.at, time.timezone)}`;
  const isKnown = shipment.delay_hours !== null || shipment.overdue_hours !== null;
  return {
    [kind === 'actual' ? 'Arrived' : 'Arrives']: (
      <>
        <span dir="auto">{[shipment.destination?.name, moment].filter(Boolean).join(', ')}</span>
        <span className="flex items-baseline gap-1.5 text-t2">
          {relativeWords(time.at, now)}
          {isKnown && (
            <>
              <span aria-hidden="true">·</span>{' '}
              <Delta hours={shipment.delay_hours} overdueHours={shipment.overdue_hours} />
            </>
          )}
        </span>
      </>
    ),
  };
}

function deliveryRow(shipment: WireShipment, now: number): Record<string, ReactNode> {
  const { title, words, time } = deliveryHeadline(shipment, now);
  const { delay_hours: hours, on_time: onTime } = shipment.delivery;
  if (time === null) return {};
  const kept = punctualityWords(shipment, now);
  return {
    [title]: (
      <>
        <span className="flex items-baseline gap-2">
          {[words, carrierZone(time)].join(' ').trim()}
          <Delta hours={hours} overdueHours={shipment.overdue_hours} onTime={onTime} />
        </span>
        {kept !== null && <span className="block text-t2">{kept}</span>}
      </>
    ),
  };
}

function pickupWords({ pickup_point: point }: WireShipment): string | null {
  if (point === null) return null;
  const { kind, name, address, place } = point;
  return [name ?? pointKindWords(kind), address, place?.name].filter(Boolean).join(', ');
}

function Exceptions({ open }: { open: WireShipment['exceptions'] }) {
  return open.map((exception) => (
    <span key={`${exception.event_id} ${exception.code}`} className="block not-first:mt-2">
      <span className="flex items-start gap-1.5">
        <span className="mt-[3px]">
          <WarningMark severity={exception.severity} />
        </span>
        {wordOf(exception.code)}
      </span>
      <span className="block text-t2">
        {exception.message}, since <Timestamp at={exception.opened_at} exact />
      </span>
    </span>
  ));
}

const chartSize = { width: 236, height: 52, margin: { left: 4, right: 4, top: 4, bottom: 4 } };

/** The revisions of the ETA as a step line, compared with the first promise. */
function EtaLine({ shipment, now }: { shipment: WireShipment; now: number }) {
  const {
    promised,
    actual,
    delay_basis: basis,
  } = shipment.eta?.kind === 'delivery' ? shipment.delivery : shipment.arrival;
  const history = etaHistory(shipment);
  const untilMs = actual === null ? now : Date.parse(actual.at);
  const chart = etaSteps(history, { ...chartSize, untilMs, promised });
  if (chart === null) return null;
  const { width, height } = chartSize;
  const { end, promisedY } = chart;
  const delay = shipment.delay_hours ?? 0;
  const isLate = delay > 0;
  const revisions = history.map(({ eta }) => momentWords(eta.at, { zone: eta.timezone })).join(', then ');
  return (
    <div className="flex items-stretch gap-2">
      <svg
        role="img"
        aria-label={`Expected ${revisions}`}
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        className="shrink text-t1"
      >
        {promisedY !== null && (
          <path d={`M4 ${promisedY}H${width - 4}`} stroke="var(--t3)" strokeDasharray="1.5 3" fill="none" />
        )}
        <path d={chart.line} stroke="currentColor" strokeWidth="1.5" fill="none" />
        {chart.dots.map(({ x, y }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: several revisions can have the same place
          <circle key={index} cx={x} cy={y} r="2" fill="currentColor" />
        ))}
        <circle cx={end.x} cy={end.y} r="2.5" className={isLate ? 'fill-amber' : 'fill-green'} />
      </svg>
      <span className="relative w-[78px] text-axis">
        <span className={`absolute whitespace-nowrap ${isLate ? 'text-amber' : 'text-t2'}`} style={{ top: end.y - 8 }}>
          {deltaWords(delay)}
        </span>
        {promisedY !== null && Math.abs(end.y - promisedY) > 12 && (
          <span className="absolute whitespace-nowrap text-t3" style={{ top: promisedY - 8 }}>
            {baseWordsOf(basis, promised !== null)}
          </span>
        )}
      </span>
    </div>
  );
}

/** The history of what the ETA is about. */
function etaHistory({ eta, eta_history: history }: WireShipment): WireShipment['eta_history'] {
  return history.filter(({ kind }) => kind === (eta?.kind ?? 'arrival'));
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-line border-b px-4 py-3 last:border-b-0">
      <h2 className="mb-2 text-label text-t2">{title}</h2>
      {children}
    </section>
  );
}
