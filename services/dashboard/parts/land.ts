import { useQuery } from '@tanstack/react-query';
import type { GeoPermissibleObjects } from 'd3-geo';
import { feature } from 'topojson-client';
import landUrl from 'world-atlas/land-50m.json?url';

/** The coastlines (Natural Earth, 1:50 million), loaded once; undefined until then. */
export function useLand(): GeoPermissibleObjects | undefined {
  return useQuery({
    queryKey: ['land'],
    queryFn: fetchLand,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  }).data;
}

async function fetchLand(): Promise<GeoPermissibleObjects> {
  const response = await fetch(landUrl);
  if (!response.ok) throw new Error(`coastlines unavailable: status ${response.status}`);
  const topology = await response.json();
  return feature(topology, topology.objects.land) as GeoPermissibleObjects;
}
