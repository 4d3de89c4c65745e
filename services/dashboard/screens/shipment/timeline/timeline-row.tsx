import { type ReactNode, useId, useState } from 'react';
import type { WireEvent } from '#shared/contract/record/shipment-parts.ts';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { coordinateWords, placeName } from '#shared/route-map/stops.ts';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { Icon } from '../../../parts/icon.tsx';
import { StatusGlyph, WarningMark } from '../../../parts/status-icons.tsx';
import { relativeWords } from '../../../parts/time-words.ts';
import { whoStates } from '../../../parts/words/source-words.ts';
import { carrierClock, carrierDay, carrierZone, viewerWords } from '../carrier-time.ts';
import { useGlow } from '../fact.tsx';
import { kindOf, shortUnitWords, unitOf, unitsOf, unitWords } from './event-unit.ts';
import { aboutWords, eventWords, isProblem } from './event-words.ts';
import type { Row } from './timeline-rows.ts';

type Props = {
  row: Row;
  shipment: WireShipment;
  isFirst: boolean;
  isLast: boolean;
  /** Not shown on narrow screens. */
  isFolded: boolean;
  /** Renders the details of the line. Without it, the line does not open. */
  details?: ((row: Row) => ReactNode) | undefined;
};

/** One line of the timeline. It opens to the details and the carrier's data. */
export function TimelineRow({ row, shipment, isFirst, isLast, isFolded, details }: Props) {
  const now = useNow();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { event, standing } = row;
  const ref = useGlow<HTMLLIElement>([event.event_id, standing, row.events.length]);
  const decides = row.events.some(({ event_id }) => event_id === shipment.status_evidence?.event_id);
  const isFaint = standing !== 'happened' && standing !== 'doubted';
  const source = sourceWords(event, shipment);
  // Lines with several texts below each other need more space.
  const spacing = event.classifier === 'actual' ? '@max-xl:py-1.5' : '@max-3xl:py-1.5';
  const colour = isFaint ? 'text-t3' : 'text-t1';
  const struck = standing === 'replaced' || standing === 'retracted' ? 'line-through decoration-t4' : '';
  const rail = standing === 'ahead' ? 'border-dashed' : '';
  return (
    <li ref={ref} className={`relative ${isOpen ? 'bg-sunk' : ''} ${isFolded ? 'max-lg:not-print:hidden' : ''}`}>
      <span
        aria-hidden="true"
        className={`absolute left-[30.5px] border-line2 border-l max-sm:left-[22.5px] ${rail} ${isFirst ? 'top-4' : 'top-0'} ${isLast && !isOpen ? 'h-4' : 'bottom-0'}`}
      />
      <Line isOpen={isOpen} id={id} toggle={details === undefined ? null : () => setOpen(!isOpen)}>
        <Mark row={row} decides={decides} status={shipment.status} isOpen={isOpen} />
        <time
          dateTime={event.time.at}
          title={viewerWords(event.time, now)}
          className={`hidden whitespace-nowrap tabular-nums @xl:block ${isFaint ? 'text-t3' : 'text-t1'}`}
        >
          {carrierDay(event.time, now)}
        </time>
        <span className="hidden whitespace-nowrap text-t2 tabular-nums @xl:block" title={viewerWords(event.time, now)}>
          {carrierClock(event.time)} <span className="text-label text-t3">{carrierZone(event.time)}</span>
        </span>
        <span className="hidden whitespace-nowrap text-label text-t3 tabular-nums @xl:block">
          {relativeWords(event.time.at, now)}
        </span>
        <span className={`min-w-0 truncate ${spacing} ${colour}`} title={titleWords(row, shipment, now)}>
          <bdi className={`${decides ? 'font-semibold' : ''} ${struck}`}>{eventWords(event)}</bdi>
          {decides && <span className="text-t2"> sets the status</span>}
          <Suffix row={row} shipment={shipment} now={now} />
          <span className="block truncate text-label text-t3 @xl:hidden">
            {[
              [carrierDay(event.time, now), carrierClock(event.time), carrierZone(event.time)].join(' ').trim(),
              placeWords(event),
            ]
              .filter((part) => part !== '')
              .join(' · ')}
          </span>
          {event.classifier !== 'actual' && (
            <bdi className="block whitespace-normal text-label text-t3 @3xl:hidden">{source}</bdi>
          )}
        </span>
        <span className="whitespace-nowrap text-label text-t3 tabular-nums @xl:hidden">
          {relativeWords(event.time.at, now)}
        </span>
        <span className={`hidden truncate @xl:block ${isFaint ? 'text-t3' : 'text-t2'}`} title={placeWords(event)}>
          <bdi>{placeWords(event)}</bdi>
        </span>
        <bdi
          className={`hidden min-w-0 text-t3 @3xl:block ${event.classifier === 'actual' ? 'truncate' : 'py-1.5 [overflow-wrap:anywhere]'}`}
          title={source}
        >
          {source}
        </bdi>
        {details !== undefined && (
          <Icon name={isOpen ? 'up' : 'right'} size={14} className="justify-self-end text-t3 print:hidden" />
        )}
      </Line>
      {details !== undefined && (
        <div id={id} hidden={!isOpen}>
          {isOpen && details(row)}
        </div>
      )}
    </li>
  );
}

type LineProps = { isOpen: boolean; id: string; toggle: (() => void) | null; children: ReactNode };

/** A button if the line opens, otherwise plain. */
function Line({ isOpen, id, toggle, children }: LineProps) {
  const layout =
    'relative grid min-h-8 w-full grid-cols-[14px_minmax(0,1fr)_auto_16px] items-center gap-x-2 pr-4 pl-6 text-left max-sm:pl-4 @xl:grid-cols-[14px_52px_92px_68px_minmax(0,1.25fr)_minmax(0,1fr)_16px] @3xl:grid-cols-[14px_62px_98px_72px_minmax(0,1.45fr)_minmax(0,1fr)_minmax(0,128px)_16px] @4xl:grid-cols-[14px_62px_98px_72px_minmax(0,1.45fr)_minmax(0,1fr)_minmax(0,152px)_16px]';
  if (toggle === null) return <div className={layout}>{children}</div>;
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls={id}
      onClick={toggle}
      className={`${layout} ${isOpen ? 'bg-sunk' : 'hover:bg-hover'}`}
    >
      {children}
    </button>
  );
}

function Mark({ row, decides, status, isOpen }: { row: Row; decides: boolean; status: string; isOpen: boolean }) {
  const ground = isOpen ? 'bg-sunk' : 'bg-bg';
  if (decides)
    return (
      <span className={`relative rounded-full ${ground}`}>
        <StatusGlyph status={status} />
      </span>
    );
  if (row.standing === 'happened' && isProblem(row.event.code))
    return (
      <span className={`relative ${ground}`}>
        <WarningMark severity="warning" />
      </span>
    );
  const className = row.standing === 'happened' ? 'bg-t2' : `border-[1.5px] border-t3 ${ground}`;
  return (
    <span
      aria-hidden="true"
      className={`relative mx-auto size-[7px] rounded-full ring-2 ${isOpen ? 'ring-sunk' : 'ring-bg'} ${className}`}
    />
  );
}

/** Shows the subject of the event, the number of containers or pieces, and why a superseded event does not count. */
function Suffix({ row, shipment, now }: { row: Row; shipment: WireShipment; now: number }) {
  const numbers = [...new Set(row.events.flatMap((event) => unitOf(event) ?? []))];
  const all = unitsOf(shipment).all.length;
  const [first] = numbers;
  const words = [
    ...(all > 1 && first !== undefined && numbers.length < all
      ? [numbers.length === 1 ? shortUnitWords(kindOf(row.event), first) : `${numbers.length} of ${all}`]
      : []),
    ...aboutWords(row.event, shipment.pieces_count, now),
    ...(notes[row.standing] === undefined ? [] : [notes[row.standing]]),
  ];
  return words.length === 0 ? null : <span className="text-label text-t3 tabular-nums"> · {words.join(' · ')}</span>;
}

/** The whole line, as far as it may be cut. */
function titleWords({ event, events }: Row, shipment: WireShipment, now: number): string {
  const numbers = [...new Set(events.flatMap((one) => unitOf(one) ?? []))].map((one) => unitWords(kindOf(event), one));
  return [eventWords(event), ...aboutWords(event, shipment.pieces_count, now), numbers.join(', ')]
    .filter((part) => part !== '')
    .join(' · ');
}

const notes: Partial<Record<Row['standing'], string>> = {
  overdue: 'expected, not confirmed',
  replaced: 'replaced',
  retracted: 'retracted',
  outdated: 'outdated',
  other_trip: 'another trip',
  doubted: 'dated in the future',
};

function placeWords({ location }: WireEvent): string {
  if (location === null) return '';
  const name =
    location.name === null && location.unlocode === null && location.iata === null
      ? (coordinateWords(location) ?? '')
      : placeName(location);
  return [name, location.facility].filter((part) => part !== null && part !== '' && part !== name).length > 0 &&
    location.facility !== null
    ? `${name}, ${location.facility}`
    : name;
}

/** The source, and whether the event is an expectation. */
function sourceWords({ source, classifier }: WireEvent, { carrier_name: carrier }: WireShipment): string {
  const words = whoStates(source, carrier);
  if (classifier === 'planned') return `${words}, plan`;
  return classifier === 'estimated' ? `${words}, estimate` : words;
}
