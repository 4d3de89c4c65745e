import { type ReactNode, useState } from 'react';
import type { WireEvent } from '#shared/contract/record/shipment-parts.ts';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { Chip } from '../../../parts/chip.tsx';
import { type FactRows, Facts } from '../../../parts/facts.tsx';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { Skeleton } from '../../../parts/skeleton.tsx';
import { momentWords, spanWords, zoneWords } from '../../../parts/time-words.ts';
import { capital, wordOf } from '../../../parts/words/code-words.ts';
import { detailWords } from '../../../parts/words/detail-words.ts';
import { moneyWords } from '../../../parts/words/free-time-words.ts';
import { holdText } from '../../../parts/words/hold-words.ts';
import { weightWords } from '../../../parts/words/measure-words.ts';
import { pushedBy } from '../../../parts/words/source-words.ts';
import { windowWords } from '../../../parts/words/window-words.ts';
import { carrierMoment } from '../carrier-time.ts';
import { useRaw } from '../use-shipment.ts';
import { kindOf, maxUnsearched, unitOf, unitWords } from './event-unit.ts';
import { freeDayText, rawFields } from './event-words.ts';
import type { Row } from './timeline-rows.ts';
import { UnitPicker } from './unit-picker.tsx';
import { VoidEvent } from './void-event.tsx';

const zoneSources: Record<string, string> = {
  carrier: 'from the carrier',
  scans: 'from other scans at this place',
  location: 'from the location',
  city: 'from the city',
  postal_code: 'from the postal code',
  state: 'main time zone of the state',
  assumed_utc: 'not reported, UTC assumed',
};

/** The carrier's data for an event, and how Landfall normalized it. */
export function EventDetails({
  row,
  shipment,
  events,
}: {
  row: Row;
  shipment: WireShipment;
  events: readonly WireEvent[];
}) {
  const now = useNow();
  const [chosenId, setChosenId] = useState(row.event.event_id);
  const event = row.events.find(({ event_id }) => event_id === chosenId) ?? row.event;
  const replaces = events.filter(({ superseded_by }) => superseded_by === event.event_id);
  const replacedBy = events.find(({ event_id }) => event_id === event.superseded_by);
  const texts = [...new Set([event.description, event.carrier_description])].filter((text) => text !== null);
  return (
    <div className="pr-4 pb-4 pl-[46px] max-sm:pl-[38px]">
      {row.events.length > 1 && (
        <fieldset className="mb-3 flex flex-wrap gap-1.5">
          <legend className="mb-1 text-label text-t2">
            Reported for {row.events.length} {kindOf(event)}s
          </legend>
          {row.events.length > maxUnsearched ? (
            <UnitPicker
              kind={kindOf(event)}
              units={row.events.map((one) => ({ number: unitOf(one) ?? '', status: null }))}
              chosen={unitOf(event)}
              choose={(number) => {
                const of = row.events.find((one) => unitOf(one) === number);
                if (of !== undefined) setChosenId(of.event_id);
              }}
            />
          ) : (
            row.events.map((one) => (
              <Chip
                key={one.event_id}
                active={one.event_id === event.event_id}
                onClick={() => setChosenId(one.event_id)}
                title={carrierMoment(one.time, now)}
                className="font-mono text-number"
              >
                {unitWords(kindOf(one), unitOf(one) ?? '')}
              </Chip>
            ))
          )}
        </fieldset>
      )}
      <div className="grid gap-x-8 gap-y-4 @2xl:grid-cols-[minmax(0,1.35fr)_minmax(0,1fr)]">
        <section>
          <h3 className="mb-1 text-label text-t2">{dataWords(event.source, shipment.carrier_name)}</h3>
          {texts.map((text) => (
            <p
              key={text}
              className="mb-1 max-h-40 overflow-y-auto whitespace-pre-wrap break-words text-body"
              dir="auto"
            >
              {text}
            </p>
          ))}
          <Raw shipmentId={shipment.shipment_id} event={event} />
          <VoidEvent event={event} shipment={shipment} />
        </section>
        <section>
          <h3 className="mb-1 text-label text-t2">Normalized event</h3>
          <Facts
            columns="grid-cols-[88px_minmax(0,1fr)]"
            className="text-label leading-5"
            rows={{
              Event: (
                <span className="font-mono text-number">
                  {event.code}, {event.classifier}
                </span>
              ),
              Place: event.leg_role === 'unknown' ? null : (legRoles[event.leg_role] ?? wordOf(event.leg_role)),
              'Applies to': appliesTo(event),
              ...detailRows(event, shipment, now),
              Time: carrierMoment(event.time, now),
              'Time zone': event.time.precision === 'date' ? 'no time of day reported' : zoneSourceWords(event),
              Received: <ReceivedAt event={event} now={now} />,
              Vehicle: event.vehicle === null ? null : vehicleWords(event.vehicle),
              Replaces:
                replaces.length === 0
                  ? null
                  : replaces.map((one) => (
                      <span key={one.event_id} className="block">
                        {one.classifier === 'actual' ? 'the event of' : 'the estimate of'}{' '}
                        {carrierMoment(one.time, now)}
                      </span>
                    )),
              'Replaced by':
                event.superseded_by === null
                  ? null
                  : replacedBy === undefined
                    ? 'a later event'
                    : carrierMoment(replacedBy.time, now),
              Note: event.flags.length === 0 ? null : event.flags.map((flag) => flags[flag] ?? wordOf(flag)).join(', '),
              ID: <span className="select-all break-all font-mono text-number">{event.event_id}</span>,
            }}
          />
        </section>
      </div>
    </div>
  );
}

function zoneSourceWords({ source, time: { zone_source: zoneSource } }: WireEvent): string {
  const pusher = pushedBy(source);
  if (zoneSource === 'carrier' && pusher !== null) return `from ${pusher}`;
  return zoneSources[zoneSource] ?? zoneSource;
}

/** Names the source of the data. */
function dataWords(source: string, carrier: string): string {
  const pusher = pushedBy(source);
  if (pusher !== null) return `Pushed by ${pusher}`;
  return source === 'client' ? 'Your request' : `Data from ${carrier}`;
}

function appliesTo(event: WireEvent): string {
  const unit = unitOf(event);
  return unit === null ? 'the whole shipment' : `${kindOf(event)} ${unitWords(kindOf(event), unit)}`;
}

/** Rows for the details of an event beyond its code, place and time. */
function detailRows({ details }: WireEvent, shipment: WireShipment, now: number): FactRows {
  if (details === null) return {};
  const { status_detail: detail, window, pieces_count: pieces, weight_kg: kg, uld, available } = details;
  const all = shipment.pieces_count;
  return {
    Detail: detail === null ? null : detailWords(detail),
    Window: window === null ? null : capital(windowWords(window, now)),
    Pieces: pieces === null ? null : all === null || all <= pieces ? pieces : `${pieces} of ${all}`,
    Weight: kg === null ? null : weightWords(kg),
    ULD: uld === null ? null : <span className="font-mono text-number">{uld}</span>,
    Available: available === null ? null : available ? 'yes' : 'no',
    Holds: lines(details.holds?.map(holdText)),
    'Free until': lines(details.last_free_days?.map((day) => freeDayText(day, now))),
    Fees: lines(details.fees?.map(({ type, ...money }) => `${wordOf(type)} ${moneyWords(money)}`)),
  };
}

/** Each text in a line of its own; null without any. */
function lines(texts: readonly string[] | null | undefined): ReactNode {
  if (texts == null || texts.length === 0) return null;
  return texts.map((text) => (
    <span key={text} className="block">
      {text}
    </span>
  ));
}

const legRoles: Record<string, string> = {
  origin: 'place of receipt',
  pol: 'port of loading',
  transshipment: 'transshipment',
  pod: 'port of discharge',
  destination: 'final destination',
  inland: 'inland',
};
const flags: Record<string, string> = {
  superseded: 'replaced by a later event',
  voided: 'retracted by its source',
  other_trip: 'of another trip of the container',
  suspect_future: 'more than a day in the future, ignored until then',
};

function ReceivedAt({ event, now }: { event: WireEvent; now: number }) {
  const lagMs = Date.parse(event.received_at) - Date.parse(event.time.at);
  return (
    <>
      {momentWords(event.received_at, { now })} {zoneWords(event.received_at)}
      {event.classifier === 'actual' && lagMs > 60_000 && <span className="text-t3">, {spanWords(lagMs)} later</span>}
    </>
  );
}

function vehicleWords({ name, imo, voyage, flight }: NonNullable<WireEvent['vehicle']>): string {
  return [name, flight, voyage === null ? null : `voyage ${voyage}`, imo === null ? null : `IMO ${imo}`]
    .filter((part) => part !== null)
    .join(', ');
}

function Raw({ shipmentId, event }: { shipmentId: string; event: WireEvent }) {
  const { data, isPending, error, refetch } = useRaw(shipmentId, event);
  if (isPending)
    return (
      <p>
        <Skeleton className="w-3/4" />
      </p>
    );
  if (error !== null) return <ProblemNote error={error} retry={() => refetch()} />;
  if (data.raw === null) return <p className="text-label text-t3">The original data was not stored.</p>;
  if (typeof data.raw === 'string')
    return (
      <pre className="max-h-64 overflow-auto whitespace-pre-wrap break-all font-mono text-number text-t2">
        {data.raw}
      </pre>
    );
  const { fields, left } = rawFields(data.raw);
  return (
    <dl className="grid grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)] gap-x-3 font-mono text-number">
      {fields.map(({ name, value }) => (
        <div key={name} className="contents">
          <dt className="min-w-0 break-words text-t3">{name}</dt>
          <dd className="min-w-0 break-words" dir="auto">
            {value}
          </dd>
        </div>
      ))}
      {(left > 0 || data.truncated) && (
        <dd className="col-span-2 font-sans text-label text-t3">
          {left > 0 ? `${left} more fields` : 'Truncated: only the beginning is stored.'}
        </dd>
      )}
    </dl>
  );
}
