import { type ReactNode, useState } from 'react';
import type { WireEvent } from '#shared/contract/wire-parts.ts';
import type { WireShipment } from '#shared/contract/wire-schemas.ts';
import { Chip } from '../../../parts/chip.tsx';
import { wordOf } from '../../../parts/code-words.ts';
import { groupIdentifier } from '../../../parts/group-identifier.ts';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { Skeleton } from '../../../parts/skeleton.tsx';
import { momentWords, spanWords, zoneWords } from '../../../parts/time-words.ts';
import { useNow } from '../../../parts/use-now.ts';
import { carrierMoment } from '../carrier-time.ts';
import { useRaw } from '../use-shipment.ts';
import { rawFields } from './event-words.ts';
import type { Row } from './timeline-rows.ts';

const zoneSources: Record<string, string> = {
  carrier: 'given by the carrier',
  location: 'that of the place',
  assumed_utc: 'not given, UTC assumed',
};

/** What the carrier literally said of an event, and what we made of it. */
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
  const afterMs = Date.parse(event.received_at) - Date.parse(event.time.at);
  const told = [...new Set([event.description, event.carrier_description])].filter((text) => text !== null);
  return (
    <div className="pr-4 pb-4 pl-[46px] max-sm:pl-[38px]">
      {row.events.length > 1 && (
        <fieldset className="mb-3 flex flex-wrap gap-1.5">
          <legend className="mb-1 text-label text-t2">Told of {row.events.length} containers</legend>
          {row.events.map((one) => (
            <Chip
              key={one.event_id}
              active={one.event_id === event.event_id}
              onClick={() => setChosenId(one.event_id)}
              title={carrierMoment(one.time, now)}
              className="font-mono text-number"
            >
              {groupIdentifier('container', one.container ?? '')}
            </Chip>
          ))}
        </fieldset>
      )}
      <div className="grid gap-x-8 gap-y-4 @2xl:grid-cols-[minmax(0,1.35fr)_minmax(0,1fr)]">
        <section>
          <h3 className="mb-1 text-label text-t2">
            What {event.source === 'client' ? 'you' : shipment.carrier_name} said
          </h3>
          {told.map((text) => (
            <p
              key={text}
              className="mb-1 max-h-40 overflow-y-auto whitespace-pre-wrap break-words text-body"
              dir="auto"
            >
              {text}
            </p>
          ))}
          <Raw shipmentId={shipment.shipment_id} event={event} />
        </section>
        <section>
          <h3 className="mb-1 text-label text-t2">What we made of it</h3>
          <dl className="grid grid-cols-[88px_minmax(0,1fr)] gap-y-0 text-label leading-5">
            <Line name="Event">
              <span className="font-mono text-number">
                {event.code}, {event.classifier}
              </span>
            </Line>
            {event.leg_role !== 'unknown' && (
              <Line name="On the way">{legRoles[event.leg_role] ?? wordOf(event.leg_role)}</Line>
            )}
            <Line name="Applies to">
              {event.container === null ? 'the whole shipment' : groupIdentifier('container', event.container)}
            </Line>
            <Line name="When">{carrierMoment(event.time, now)}</Line>
            <Line name="Time zone">
              {event.time.precision === 'date'
                ? 'a day without a clock time'
                : (zoneSources[event.time.zone_source] ?? event.time.zone_source)}
            </Line>
            <Line name="Received">
              {momentWords(event.received_at, { now })} {zoneWords(event.received_at)}
              {event.classifier === 'actual' && afterMs > 60_000 && (
                <span className="text-t3">, {spanWords(afterMs)} later</span>
              )}
            </Line>
            {event.vehicle !== null && <Line name="With">{vehicleWords(event.vehicle)}</Line>}
            {replaces.map((one) => (
              <Line key={one.event_id} name="Replaces">
                {one.classifier === 'actual' ? 'what it said:' : 'the estimate of'} {carrierMoment(one.time, now)}
              </Line>
            ))}
            {event.superseded_by !== null && (
              <Line name="Replaced by">
                {replacedBy === undefined ? 'a later event' : carrierMoment(replacedBy.time, now)}
              </Line>
            )}
            {event.flags.map((flag) => (
              <Line key={flag} name="Mark">
                {flags[flag] ?? wordOf(flag)}
              </Line>
            ))}
            <Line name="Id">
              <span className="select-all break-all font-mono text-number">{event.event_id}</span>
            </Line>
          </dl>
        </section>
      </div>
    </div>
  );
}

const legRoles: Record<string, string> = {
  origin: 'place of receipt',
  pol: 'port of loading',
  transshipment: 'transshipment',
  pod: 'port of discharge',
  destination: 'final place',
  inland: 'inland',
};
const flags: Record<string, string> = {
  superseded: 'replaced by a later event',
  voided: 'taken back by the carrier',
  suspect_future: 'more than a day ahead: does not count yet',
};

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
  if (data.raw === null) return <p className="text-label text-t3">Its literal words were not kept.</p>;
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
        <Line key={name} name={name}>
          {value}
        </Line>
      ))}
      {(left > 0 || data.truncated) && (
        <dd className="col-span-2 font-sans text-label text-t3">
          {left > 0 ? `${left} more fields` : 'Only the beginning is kept.'}
        </dd>
      )}
    </dl>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="min-w-0 break-words text-t3">{name}</dt>
      <dd className="min-w-0 break-words" dir="auto">
        {children}
      </dd>
    </>
  );
}
