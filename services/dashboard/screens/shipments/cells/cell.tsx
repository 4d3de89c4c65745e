import { Identifier } from '../../../parts/identifier.tsx';
import { FreshnessMark, StatusGlyph, WarningMark } from '../../../parts/status-icons.tsx';
import { dayWords, momentWords, relativeWords, zoneWords } from '../../../parts/time-words.ts';
import { Delta } from '../../../parts/timestamp.tsx';
import { wordOf } from '../../../parts/words/code-words.ts';
import { weekdayWords } from '../../../parts/words/free-time-words.ts';
import { numberLocale } from '../../../parts/words/locale.ts';
import { type ColumnKey, columnRows } from '../column-table.ts';
import {
  ageText,
  arrivalWords,
  cardText,
  carrierName,
  deliveryText,
  lastEventText,
  metadataWords,
  placeTitle,
  placeWords,
  progressOf,
  vehicleWords,
} from '../row-words.ts';
import type { RowPlace, RowTime, ShipmentRow } from '../shipment-row.ts';
import { Containers, Cost, DaysLeft, dash, FreeTimeState } from './free-time-cells.tsx';

type Props = { column: ColumnKey; row: ShipmentRow; now: number };

/** The content of a column. */
export function Cell({ column, row, now }: Props) {
  switch (column) {
    case 'number':
      return <Identifier kind={row.number.kind} value={row.number.value} className="text-number text-t1" />;
    case 'reference':
      return <Text text={row.reference === null ? '–' : row.references.join(', ')} />;
    case 'carrier':
      return <Text text={carrierName(row.carrier)} />;
    case 'route':
      return (
        <RouteLine
          origin={row.origin}
          destination={row.destination}
          progress={progressOf(row, now)}
          className="w-full"
        />
      );
    case 'status':
      return (
        <span className="flex items-center gap-1.5 whitespace-nowrap text-t1">
          <StatusGlyph status={row.status} />
          {wordOf(row.status)}
        </span>
      );
    case 'departure':
      return <Departure departure={row.departure} now={now} />;
    case 'vessel':
      return <Text text={vehicleWords(row.vehicle) || '–'} />;
    case 'metadata':
      return <Text text={metadataWords(row.metadata)} />;
    case 'containerCount':
      return (
        <span className="ml-auto tabular-nums">
          {row.containerCount ? row.containerCount.toLocaleString(numberLocale()) : '–'}
        </span>
      );
    case 'eta':
      return <Eta arrival={row.arrival} now={now} />;
    case 'delta':
      return <RowDelta row={row} className="ml-auto" />;
    case 'delivery':
      return <Text text={deliveryText(row, now) ?? ''} />;
    case 'event':
      return <LastEvent row={row} now={now} />;
    case 'containers':
      return <Containers freeTime={row.freeTime} />;
    case 'clock':
      return <FreeTimeState row={row} />;
    case 'freeDay':
      return row.freeTime?.lastFreeDay == null ? dash : weekdayWords(row.freeTime.lastFreeDay, now);
    case 'daysLeft':
      return <DaysLeft days={row.freeTime?.daysLeft ?? null} />;
    case 'cost':
      return <Cost freeTime={row.freeTime} />;
    case 'tags':
      return <Text text={row.tags.join(', ')} />;
    case 'assignee':
      return <Text text={row.assignee?.name ?? ''} />;
    case 'created':
      return <span title={exactly(row.createdAt)}>{relativeWords(row.createdAt, now)}</span>;
    case 'seen':
      return <Seen row={row} now={now} />;
    default:
      return <Plain column={column} row={row} />;
  }
}

/** A field as it is. */
function Plain({ column, row }: Omit<Props, 'now'>) {
  const field = columnRows.find(({ key }) => key === column)?.plain;
  const value = field === undefined ? null : row[field];
  if (typeof value === 'number')
    return <span className="ml-auto tabular-nums">{value.toLocaleString(numberLocale())}</span>;
  return <Text text={typeof value === 'boolean' ? (value ? 'Yes' : 'No') : (value ?? '–')} />;
}

function Text({ text }: { text: string }) {
  return (
    <span className="truncate" title={text} dir="auto">
      {text}
    </span>
  );
}

export function Eta({ arrival, now }: { arrival: RowTime | null; now: number }) {
  if (arrival === null) return <span className="text-t3">–</span>;
  return (
    <time dateTime={arrival.at} title={arrivalTitle(arrival)} className="whitespace-nowrap text-t1">
      {arrivalWords(arrival, now)}
    </time>
  );
}

function Departure({ departure, now }: { departure: RowTime | null; now: number }) {
  if (departure === null) return <span className="text-t3">–</span>;
  return (
    <time
      dateTime={departure.at}
      title={titleOf(departure, departure.isActual ? 'Departed' : 'Departs')}
      className="whitespace-nowrap"
    >
      {arrivalWords(departure, now)}
    </time>
  );
}

function arrivalTitle(arrival: RowTime): string {
  return titleOf(arrival, arrival.isActual ? 'Arrived' : 'Arrives');
}

function titleOf({ at, timezone, precision, local }: RowTime, verb: string): string {
  if (precision === 'date') return `${verb} ${dayWords((local ?? at).slice(0, 10))}`;
  return `${verb} ${momentWords(at, { zone: timezone })} ${zoneWords(at, timezone)} · ${exactly(at)} your time`;
}

/** The difference to the promise. */
export function RowDelta({ row, className }: { row: ShipmentRow; className?: string }) {
  const { delayHours, overdueHours, onTime } = row;
  // A shipment that ended without delivery is neither late nor on time.
  if (['returned', 'failed', 'cancelled'].includes(row.status)) return null;
  return <Delta hours={delayHours} overdueHours={overdueHours} onTime={onTime} {...(className && { className })} />;
}

/** The last event, or on a phone what is to be known about the delivery. */
export function LastEvent({ row, now, isCard = false }: { row: ShipmentRow; now: number; isCard?: boolean }) {
  const { text, severity } = isCard ? cardText(row, now) : lastEventText(row, now);
  return (
    <span
      className="flex min-w-0 items-center gap-1.5"
      title={row.event === null ? text : `${text} · ${exactly(row.event.at)}`}
    >
      {severity !== null && <WarningMark severity={severity} size={13} />}
      <span className={`truncate ${severity === null ? '' : 'text-t1'}`} dir="auto">
        {text}
      </span>
    </span>
  );
}

export function Seen({ row, now }: { row: ShipmentRow; now: number }) {
  const title = row.seenAt === null ? 'No response from the carrier yet' : `Last response ${exactly(row.seenAt)}`;
  return (
    <span
      title={title}
      className="flex w-full items-center justify-between gap-1 whitespace-nowrap text-label text-t3 tabular-nums"
    >
      <FreshnessMark freshness={row.freshness} />
      {ageText(row.seenAt, now)}
    </span>
  );
}

function exactly(at: string): string {
  return `${momentWords(at)} ${zoneWords(at)}`;
}

type RouteProps = {
  origin: RowPlace | null;
  destination: RowPlace | null;
  progress: number | null;
  className?: string;
};

/** Origin and destination, with the progress between them. */
export function RouteLine({ origin, destination, progress, className = '' }: RouteProps) {
  if (origin === null && destination === null) return <span className="text-t3">–</span>;
  return (
    <span className={`flex min-w-0 items-center gap-2 ${className}`}>
      <Place place={origin} />
      <span className="relative h-px min-w-5 flex-1 bg-line2">
        {progress !== null && progress > 0 && (
          <span className="absolute -top-[0.5px] left-0 h-[2px] bg-t2" style={{ width: `${progress * 100}%` }} />
        )}
        {progress !== null && progress < 1 && (
          <span
            className="absolute -top-[2.5px] size-1.5 rounded-full bg-t1 ring-2 ring-(--ground)"
            style={{ left: `calc(${progress * 100}% - 3px)` }}
          />
        )}
      </span>
      <Place place={destination} end />
    </span>
  );
}

function Place({ place, end = false }: { place: RowPlace | null; end?: boolean }) {
  const isCode = place?.code !== null && place?.code !== undefined;
  return (
    <span
      title={placeTitle(place)}
      className={`min-w-9 shrink-0 text-t2 ${end ? 'text-right' : ''} ${isCode ? 'font-mono text-number tracking-[-0.025em]' : 'max-w-[52px] truncate text-label'}`}
    >
      {placeWords(place) || '–'}
    </span>
  );
}
