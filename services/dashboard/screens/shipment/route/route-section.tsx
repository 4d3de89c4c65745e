import type { GeoPermissibleObjects } from 'd3-geo';
import type { WireShipment } from '#shared/contract/shipments/shipment-schemas.ts';
import { routeLine } from '#shared/route-map/route-line.ts';
import { placeName, stopsOf } from '#shared/route-map/stops.ts';
import { Icon, type IconName } from '../../../parts/icon.tsx';
import { LegsLine } from './legs-line.tsx';
import { RouteMap } from './route-map.tsx';

type Props = { shipment: WireShipment; land: GeoPermissibleObjects | undefined };

/** The map and the stops; without coordinates the places as text. */
export function RouteSection({ shipment, land }: Props) {
  const stops = stopsOf(shipment);
  const line = routeLine(stops, shipment.latest_event);
  return (
    <section aria-label="Route" className="print:break-inside-avoid">
      {line === null ? (
        <NoMap shipment={shipment} />
      ) : (
        <RouteMap line={line} stops={stops} shipment={shipment} land={land} />
      )}
      {stops.length > 0 && <LegsLine stops={stops} shipment={shipment} />}
    </section>
  );
}

/** The map alone, for the preview; nothing without coordinates. */
export function RoutePreview({ shipment, land }: Props) {
  const stops = stopsOf(shipment);
  const line = routeLine(stops, shipment.latest_event);
  return line === null ? null : <RouteMap line={line} stops={stops} shipment={shipment} land={land} isSmall />;
}

const modes: Record<string, IconName> = { ocean: 'ocean', air: 'air', road: 'road', rail: 'rail', parcel: 'parcel' };

/** Replaces the map when no place has coordinates. */
function NoMap({ shipment }: { shipment: WireShipment }) {
  const inOrder = shipment.events.toSorted((left, right) => Date.parse(left.time.at) - Date.parse(right.time.at));
  // A country alone is no place on the way.
  const places = [
    ...new Set(
      inOrder.flatMap(({ location }) =>
        location?.name || location?.unlocode || location?.iata ? [placeName(location)] : [],
      ),
    ),
  ];
  return (
    <div className="flex h-[136px] flex-col justify-center gap-2 border-line border-b bg-sea px-6 max-sm:px-4 print:h-auto print:py-3">
      <p className="flex min-w-0 items-center gap-2.5 font-medium text-body">
        <Icon name={modes[shipment.transport_mode] ?? 'parcel'} className="text-t3" />
        <span className="min-w-0 truncate">{places.length === 0 ? 'No known places yet' : places.join(' → ')}</span>
      </p>
      <p className="text-label text-t2">
        {places.length === 0
          ? `The map appears when ${shipment.carrier_name} reports a place.`
          : `No map: ${shipment.carrier_name} reports these places without coordinates.`}
      </p>
    </div>
  );
}
