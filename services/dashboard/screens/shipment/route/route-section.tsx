import type { GeoPermissibleObjects } from 'd3-geo';
import { type ComponentType, type ReactNode, useMemo } from 'react';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import type { Locate } from '#shared/domain/lists/map-places.ts';
import { estimateOnRoute } from '#shared/route-map/estimate-on-route.ts';
import { lineStops, type ShownRoute, shownRoute } from '#shared/route-map/shown-route.ts';
import { placeName } from '#shared/route-map/stops.ts';
import { useElementSize } from '../../../parts/hooks/use-element-size.ts';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { Icon, type IconName } from '../../../parts/icon.tsx';
import { LegsLine } from './legs-line.tsx';
import { RoutePicture, type RouteProps } from './route-picture.tsx';

type Props = {
  shipment: WireShipment;
  land: GeoPermissibleObjects | undefined;
  /** Locates places without coordinates. Null until it is loaded. */
  locate: Locate | null;
};

type SectionProps = Props & { Drawing?: ComponentType<RouteProps> };

/**
 * The map and the stops; where too few places have coordinates, the places as text. `Drawing`: another map than a
 * picture.
 */
export function RouteSection({ shipment, land, locate, Drawing = RouteMap }: SectionProps) {
  const route = useRoute(shipment, locate);
  const stops = lineStops(route.stops, shipment.legs.length > 0);
  return (
    <section aria-label="Route" className="print:break-inside-avoid">
      {route.line === null && locate === null ? (
        <div className="h-[280px] border-line border-b bg-sea max-sm:h-[240px]" />
      ) : route.line === null ? (
        <NoMap shipment={shipment} route={route} />
      ) : (
        <>
          <Drawing line={route.line} stops={route.stops} shipment={shipment} land={land} />
          {route.unplaced.length > 0 && (
            <MapNote>
              Not on the map, without coordinates: <bdi>{listed(route.unplaced)}</bdi>
            </MapNote>
          )}
          {route.approximate.length > 0 && (
            <MapNote>
              Approximate, based on the city name: <bdi>{listed(route.approximate)}</bdi>
            </MapNote>
          )}
        </>
      )}
      {stops.length > 0 && <LegsLine stops={stops} shipment={shipment} />}
    </section>
  );
}

function useRoute(shipment: WireShipment, locate: Locate | null): ShownRoute {
  return useMemo(
    () => shownRoute(shipment, { reported: shipment.current_position, ...(locate === null ? {} : { locate }) }),
    [shipment, locate],
  );
}

function MapNote({ children }: { children: ReactNode }) {
  return (
    <p className="border-line border-b px-6 py-1.5 text-label text-t2 [overflow-wrap:anywhere] max-sm:px-4">
      {children}
    </p>
  );
}

function RouteMap(props: RouteProps) {
  const [ref, size] = useElementSize<HTMLDivElement>();
  const height = props.isSmall ? 'h-[120px] shrink-0' : 'h-[280px] max-sm:h-[220px] print:h-[220px]';
  return (
    <div ref={ref} className={`overflow-hidden border-line border-b bg-sea ${height}`}>
      {size !== null && size.width > 0 && <RoutePicture {...props} size={size} />}
    </div>
  );
}

/** The map alone, for the preview; nothing where too few places have coordinates. */
export function RoutePreview({ shipment, land, locate }: Props) {
  const now = useNow();
  const { stops, line } = useRoute(shipment, locate);
  if (line === null) return null;
  const estimate = estimateOnRoute(line, now);
  return <RouteMap line={line} stops={stops} shipment={shipment} land={land} isSmall estimate={estimate} />;
}

const modes: Record<string, IconName> = { ocean: 'ocean', air: 'air', road: 'road', rail: 'rail', parcel: 'parcel' };

/** Replaces the map when too few places have coordinates. */
function NoMap({ shipment, route: { stops, unplaced } }: { shipment: WireShipment; route: ShownRoute }) {
  // A country alone is no place on the way.
  const named = stops.filter(({ place }) => place.name || place.unlocode || place.iata || place.lat !== null);
  const places = [...new Set(named.map(({ place }) => placeName(place)))];
  const placed = places.find((name) => !unplaced.includes(name));
  return (
    <div className="flex h-[136px] flex-col justify-center gap-2 border-line border-b bg-sea px-6 max-sm:px-4 print:h-auto print:py-3">
      <p className="flex min-w-0 items-center gap-2.5 font-medium text-body">
        <Icon name={modes[shipment.transport_mode] ?? 'parcel'} className="text-t3" />
        <span className="min-w-0 truncate">{places.length === 0 ? 'No known places yet' : places.join(' → ')}</span>
      </p>
      <p className="text-label text-t2">{noMapWords(shipment.carrier_name, places.length, placed)}</p>
    </div>
  );
}

function noMapWords(carrier: string, count: number, placed: string | undefined): string {
  if (count === 0) return `The map appears when ${carrier} reports a place.`;
  if (placed !== undefined) return `No map: only the coordinates of ${placed} are known.`;
  return `No map: ${carrier} reports these places without coordinates.`;
}

const maxListed = 4;

function listed(names: readonly string[]): string {
  const more = names.length - maxListed;
  return [...names.slice(0, maxListed), ...(more > 0 ? [`${more} more`] : [])].join(' · ');
}
