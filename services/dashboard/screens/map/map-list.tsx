import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { leadingIdentifier } from '#shared/domain/words/group-identifier.ts';
import { Identifier } from '../../parts/identifier.tsx';
import { StatusGlyph } from '../../parts/status-icons.tsx';
import { Delta, Timestamp } from '../../parts/timestamp.tsx';
import { wordOf } from '../../parts/words/code-words.ts';
import { numberLocale } from '../../parts/words/locale.ts';
import type { MapShipment } from './map-queries.ts';

const maxRows = 100;

type Props = {
  shipments: readonly MapShipment[];
  /** The total if these are only the first. */
  total?: number | undefined;
  /** Shown after the number of further shipments. */
  rest?: ReactNode;
};

/** Shipments in two lines each: number and arrival, route and delay. */
export function MapList({ shipments, total = shipments.length, rest }: Props) {
  const shown = shipments.slice(0, maxRows);
  return (
    <ul>
      {shown.map((shipment) => (
        <Line key={shipment.shipment_id} shipment={shipment} />
      ))}
      {total > shown.length && (
        <li className="border-line border-b px-4 py-2 text-label text-t3">
          And {(total - shown.length).toLocaleString(numberLocale())} more{rest}
        </li>
      )}
    </ul>
  );
}

function Line({ shipment }: { shipment: MapShipment }) {
  const {
    shipment_id: shipmentId,
    identifiers,
    reference,
    status,
    origin,
    destination,
    arrival,
    eta,
    delay_hours: delay,
    overdue_hours: overdueHours,
  } = shipment;
  const lead = leadingIdentifier(identifiers);
  const expected = arrival.actual ?? eta?.time ?? null;
  const code = (place: MapShipment['origin']) => place?.iata ?? place?.unlocode ?? place?.name ?? '–';
  return (
    <li className="border-line border-b">
      <Link
        to="/shipments/$shipmentId"
        params={{ shipmentId }}
        className="grid grid-cols-[14px_minmax(0,1fr)_auto] items-center gap-x-2.5 px-4 py-1.5 hover:bg-hover"
      >
        <span title={wordOf(status)} className="inline-flex">
          <StatusGlyph status={status} />
          <span className="sr-only">{wordOf(status)}</span>
        </span>
        <span className="flex min-w-0 items-baseline gap-2">
          {lead === null ? shipmentId : <Identifier kind={lead.kind} value={lead.value} />}
          <span className="truncate text-label text-t3">{reference}</span>
        </span>
        <span className="text-right text-label text-t2 tabular-nums">
          {expected === null ? '' : <Timestamp at={expected.at} zone={expected.timezone} />}
        </span>
        <span className="col-start-2 truncate text-label text-t3">
          {origin === null && destination === null ? 'No known places yet' : `${code(origin)} → ${code(destination)}`}
        </span>
        <Delta hours={delay} overdueHours={overdueHours} className="text-right" />
      </Link>
    </li>
  );
}
