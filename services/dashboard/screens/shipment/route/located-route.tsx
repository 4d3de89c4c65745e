import { queryOptions, useQuery } from '@tanstack/react-query';
import type { GeoPermissibleObjects } from 'd3-geo';
import { useMemo } from 'react';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { type Locate, mapBounds, type NamedPlace } from '#shared/domain/lists/map-places.ts';
import { locateIn, namedPlaces } from '#shared/route-map/shown-route.ts';
import { call } from '../../../api/call.ts';
import { RoutePreview, RouteSection } from './route-section.tsx';
import { ZoomableRoute } from './zoomable-route.tsx';

const nothing: Locate = () => null;

type Props = { shipment: WireShipment; land: GeoPermissibleObjects | undefined };

/** The route on the page of a shipment. */
export function LocatedRoute({ shipment, land }: Props) {
  return <RouteSection shipment={shipment} land={land} locate={useLocate(shipment)} Drawing={ZoomableRoute} />;
}

/** The map in the preview. */
export function LocatedPreview({ shipment, land }: Props) {
  return <RoutePreview shipment={shipment} land={land} locate={useLocate(shipment)} />;
}

/** Points of places never change. */
function cityPointsQuery(places: readonly NamedPlace[]) {
  return queryOptions({
    queryKey: ['city points', places],
    queryFn: async ({ signal }) => (await call('listCityPoints', { body: { places: [...places] } }, { signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: places.length > 0,
  });
}

/** Loads the ports' coordinates for the map of a shipment: records give only names. Null until they are loaded. */
function useLocate(shipment: WireShipment): Locate | null {
  const places = useMemo(
    () =>
      namedPlaces(shipment)
        .map(({ name, country }) => ({ name, country }))
        .filter(({ name }) => name.length <= 200)
        .slice(0, mapBounds.cities),
    [shipment],
  );
  const { data, isError } = useQuery(cityPointsQuery(places));
  return useMemo(
    () => (places.length === 0 || isError ? nothing : data === undefined ? null : locateIn(data)),
    [places, data, isError],
  );
}
