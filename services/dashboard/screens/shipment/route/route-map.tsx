import { type GeoPermissibleObjects, geoGraticule, geoPath } from 'd3-geo';
import { useMemo } from 'react';
import type { WireShipment } from '#shared/contract/shipments/shipment-schemas.ts';
import type { LngLat } from '#shared/domain/positions/sea-waypoints.ts';
import { fitRoute } from '#shared/route-map/fit-route.ts';
import { type Anchor, placeLabels } from '#shared/route-map/place-labels.ts';
import { pointsOf, type RouteLine } from '#shared/route-map/route-line.ts';
import { placeCode, placeName, type Stop } from '#shared/route-map/stops.ts';
import { useElementSize } from '../../../parts/hooks/use-element-size.ts';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { relativeWords } from '../../../parts/time-words.ts';
import { carrierDay } from '../carrier-time.ts';
import { routeWords } from './route-words.ts';

const graticule = geoGraticule().step([15, 15])();

type MapProps = {
  line: RouteLine;
  stops: readonly Stop[];
  shipment: WireShipment;
  /** The coastlines; undefined until they are loaded. */
  land: GeoPermissibleObjects | undefined;
  /** For the preview beside a list. */
  isSmall?: boolean;
};

/** The route on a globe: travelled paths solid, paths ahead dashed, the last position as a ring. */
export function RouteMap({ line, stops, shipment, land, isSmall = false }: MapProps) {
  const [ref, size] = useElementSize<HTMLDivElement>();
  const height = isSmall ? 'h-[120px] shrink-0' : 'h-[280px] max-sm:h-[220px] print:h-[220px]';
  return (
    <div ref={ref} className={`overflow-hidden border-line border-b bg-sea ${height}`}>
      {size !== null && size.width > 0 && (
        <Picture line={line} stops={stops} shipment={shipment} land={land} isSmall={isSmall} size={size} />
      )}
    </div>
  );
}

type PictureProps = Required<MapProps> & { size: { width: number; height: number } };

function Picture({ line, stops, shipment, land, isSmall, size }: PictureProps) {
  const now = useNow();
  const { width, height } = size;
  const side = Math.min(130, width * 0.16);
  const routeKey = JSON.stringify([line.done, line.ahead, pointsOf(line)]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key contains everything of the line that the projection depends on
  const { projection, path } = useMemo(() => {
    const frame = {
      width,
      height,
      ...(isSmall ? { top: 20, bottom: 18 } : { top: 48, bottom: 44 }),
      right: side,
      left: side,
    };
    const fitted = fitRoute([...line.done, ...line.ahead], pointsOf(line), frame);
    return { projection: fitted, path: geoPath(fitted).digits(1) };
  }, [routeKey, width, height, side, isSmall]);
  const landPath = useMemo(() => (land === undefined ? '' : (path(land) ?? '')), [land, path]);
  const graticulePath = useMemo(() => path(graticule) ?? '', [path]);
  const at = (point: LngLat) => projection([point[0], point[1]]) ?? [0, 0];
  const chain = (coordinates: LngLat[]) =>
    path({ type: 'LineString', coordinates: coordinates.map(([lng, lat]) => [lng, lat]) }) ?? '';
  const [done, ahead] = [line.done.map(chain), line.ahead.map(chain)];
  const position = line.position === null ? null : at(line.position.at);
  const anchors = anchorsOf(line, at, shipment, now);
  const labels = placeLabels(isSmall ? endsOf(anchors, line) : anchors, samplesOf([...done, ...ahead]), size);
  return (
    <svg
      role="img"
      aria-label={routeWords(stops, shipment, now)}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className="block"
    >
      <path d={graticulePath} fill="none" className="stroke-graticule" />
      <path d={landPath} className="fill-land" />
      <g fill="none" className="stroke-accent" strokeLinejoin="round">
        {done.map((d) => (
          <path key={d} d={d} strokeWidth={2} strokeLinecap="round" />
        ))}
        {ahead.map((d) => (
          <path key={d} d={d} strokeWidth={1.5} strokeDasharray="2 5" strokeLinecap="round" />
        ))}
      </g>
      {line.ports.map(({ stop, at: point }) => {
        const [x, y] = at(point);
        const isAhead = stop.state === 'ahead';
        return (
          <circle
            key={stop.key}
            cx={x}
            cy={y}
            r={3}
            strokeWidth={1.5}
            className={isAhead ? `stroke-accent fill-sea` : 'fill-accent stroke-sea'}
          />
        );
      })}
      {position !== null && (
        <g transform={`translate(${position[0]} ${position[1]})`} className="stroke-accent" fill="none">
          <circle r={6.5} strokeWidth={1.5} className="fill-sea" />
          <circle r={2} className="fill-accent" stroke="none" />
        </g>
      )}
      {labels.map((label) => (
        <g
          key={label.id}
          textAnchor={label.align}
          strokeWidth={4}
          strokeLinejoin="round"
          className="stroke-sea"
          style={{ paintOrder: 'stroke' }}
        >
          <text x={label.textX} y={label.titleY} className="fill-t1 font-medium text-label">
            {label.title}
          </text>
          {label.detail !== '' && (
            <text x={label.textX} y={label.detailY} className="fill-t2 text-axis">
              {label.detail}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}

function anchorsOf(
  line: RouteLine,
  at: (point: LngLat) => [number, number],
  shipment: WireShipment,
  now: number,
): Anchor[] {
  const last = line.ports.length - 1;
  const anchors = line.ports.map(({ stop, at: point }, index): Anchor => {
    const [x, y] = at(point);
    return {
      id: stop.key,
      x,
      y,
      title: shortened(placeName(stop.place).split(' (')[0] ?? ''),
      detail: [placeCode(stop.place), callWords(stop, now)].filter((part) => part !== '').join(' · '),
      weight: index === last ? 4 : index === 0 ? 3 : 1,
    };
  });
  const { position } = line;
  if (position === null || position.event === null) return anchors;
  const [x, y] = at(position.at);
  const seen = relativeWords(position.event.time.at, now);
  if (position.isAtPort) {
    return anchors.map((anchor) =>
      anchor.x === x && anchor.y === y ? { ...anchor, weight: anchor.weight + 2 } : anchor,
    );
  }
  const vehicle =
    position.event.vehicle ?? shipment.legs.findLast(({ departure }) => departure.actual !== null)?.vehicle ?? null;
  const title = shortened(vehicle?.name ?? vehicle?.flight ?? 'Last position');
  return [...anchors, { id: 'position', x, y, title, detail: `last position ${seen}`, weight: 5 }];
}

/** Only the first and the last place, without details. */
function endsOf(anchors: readonly Anchor[], { ports }: RouteLine): Anchor[] {
  const ends = [ports[0], ports.at(-1)].map((port) => port?.stop.key);
  return anchors.filter(({ id }) => ends.includes(id)).map((anchor) => ({ ...anchor, detail: '' }));
}

const maxTitleChars = 26;

function shortened(text: string): string {
  const letters = [...text];
  return letters.length <= maxTitleChars ? text : `${letters.slice(0, maxTitleChars - 1).join('')}…`;
}

/** The actual or expected day of a call. */
export function callWords({ arrival, departure }: Stop, now: number): string {
  if (departure?.actual) return `left ${carrierDay(departure.actual, now)}`;
  if (arrival?.actual) return `arrived ${carrierDay(arrival.actual, now)}`;
  const expected = arrival?.estimated ?? arrival?.planned ?? departure?.estimated ?? departure?.planned ?? null;
  return expected === null ? '' : carrierDay(expected, now);
}

/** Points along drawn paths, which labels avoid. */
function samplesOf(paths: readonly string[]): { x: number; y: number }[] {
  return paths.flatMap((d) => {
    const points = [...d.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }));
    return points.flatMap((point, index) => {
      const before = points[index - 1];
      if (before === undefined) return [point];
      const steps = Math.max(1, Math.ceil(Math.hypot(point.x - before.x, point.y - before.y) / 8));
      return Array.from({ length: steps }, (_, step) => ({
        x: before.x + ((point.x - before.x) * (step + 1)) / steps,
        y: before.y + ((point.y - before.y) * (step + 1)) / steps,
      }));
    });
  });
}
