import { type GeoPermissibleObjects, geoGraticule, geoNaturalEarth1, geoPath } from 'd3-geo';
import { useMemo } from 'react';
import { useElementSize } from '../../parts/hooks/use-element-size.ts';
import { useLand } from '../../parts/land.ts';
import { numberLocale } from '../../parts/words/locale.ts';
import { type Cluster, clustersOf, type Spot } from './place-clusters.ts';

const graticule = geoGraticule().step([20, 20])();

/** The latitudes with ports and airports. */
const inhabited: GeoPermissibleObjects = {
  type: 'MultiPoint',
  coordinates: [
    [-168, 10],
    [190, 10],
    [11, 73],
    [11, -56],
  ],
};

type Props = { spots: readonly Spot[]; chosen: readonly string[]; choose: (keys: readonly string[]) => void };

/** A world map with a circle per place, dashed between places. A chosen circle filters the list beside it. */
export function WorldMap({ spots, chosen, choose }: Props) {
  const [ref, size] = useElementSize<HTMLDivElement>();
  return (
    <div ref={ref} className="relative h-full overflow-hidden bg-sea max-lg:h-[52vw] max-lg:min-h-[220px]">
      {size !== null && size.width > 0 && <Picture spots={spots} chosen={chosen} choose={choose} size={size} />}
    </div>
  );
}

function Picture({
  spots,
  chosen,
  choose,
  size: { width, height },
}: Props & { size: { width: number; height: number } }) {
  const land = useLand();
  const path = useMemo(() => {
    // Rotated so that the edge runs through the Bering Strait and splits no land.
    const projection = geoNaturalEarth1().rotate([-11, 0]).precision(0.4);
    projection.fitExtent(
      [
        [0, 12],
        [width, height - 12],
      ],
      inhabited,
    );
    projection.clipExtent([
      [0, 0],
      [width, projection([11, -58])?.[1] ?? height],
    ]);
    return geoPath(projection).digits(1);
  }, [width, height]);
  const landPath = useMemo(() => (land === undefined ? '' : (path(land) ?? '')), [land, path]);
  const clusters = useMemo(
    () => clustersOf(spots, (at) => path.centroid({ type: 'Point', coordinates: at })),
    [spots, path],
  );
  return (
    <>
      <svg aria-hidden="true" width={width} height={height} className="block">
        <path d={path(graticule) ?? ''} fill="none" className="stroke-graticule" />
        <path d={landPath} className="fill-land" />
      </svg>
      <ul aria-label="Places with shipments">
        {clusters.map((cluster) => (
          <li key={cluster.key}>
            <Circle cluster={cluster} isChosen={cluster.keys.some((key) => chosen.includes(key))} choose={choose} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Circle({ cluster, isChosen, choose }: { cluster: Cluster; isChosen: boolean; choose: Props['choose'] }) {
  const { name, keys, x, y, radius, count, isMoving, late } = cluster;
  const others = keys.length > 1 ? ` and ${keys.length - 1} more ${keys.length === 2 ? 'place' : 'places'}` : '';
  const label = `${name}${others}: ${count.toLocaleString(numberLocale())} ${count === 1 ? 'shipment' : 'shipments'}${late > 0 ? `, ${late} late by a day or more` : ''}`;
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      aria-label={label}
      title={label}
      onClick={() => choose(isChosen ? [] : keys)}
      className={`absolute grid place-items-center rounded-full border-[1.5px] ${isMoving ? 'border-dashed' : ''} font-medium text-label tabular-nums ${isChosen ? 'z-10 border-accent bg-accent text-on-accent' : 'border-accent bg-sel text-t1 hover:z-10 hover:bg-bg'}`}
      style={{ left: x - radius, top: y - radius, width: radius * 2, height: radius * 2 }}
    >
      {count.toLocaleString(numberLocale(), { notation: count < 10_000 ? 'standard' : 'compact' })}
      {late > 0 && (
        <span
          aria-hidden="true"
          className="absolute -top-0.5 -right-0.5 size-2 rounded-full bg-amber ring-2 ring-sea"
        />
      )}
    </button>
  );
}
