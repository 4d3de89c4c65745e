import { type GeoPermissibleObjects, geoGraticule, geoPath } from 'd3-geo';
import { useMemo } from 'react';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import type { LngLat } from '#shared/domain/positions/sea-waypoints.ts';
import type { RouteEstimate } from '#shared/route-map/estimate-on-route.ts';
import { fitRoute } from '#shared/route-map/fit-route.ts';
import { type Anchor, placeLabels } from '#shared/route-map/place-labels.ts';
import { pointsOf, type RouteLine } from '#shared/route-map/route-line.ts';
import { placeCode, placeName, type Stop } from '#shared/route-map/stops.ts';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { relativeWords } from '../../../parts/time-words.ts';
import { carrierDay } from '../carrier-time.ts';
import { estimateText, routeWords } from './route-words.ts';

const graticule = geoGraticule().step([15, 15])();

export type RouteProps = {
  line: RouteLine;
  stops: readonly Stop[];
  shipment: WireShipment;
  /** The coastlines; undefined until they are loaded. */
  land: GeoPermissibleObjects | undefined;
  /** For the preview beside a list. */
  isSmall?: boolean;
  /** Drawn while no position is known. */
  estimate?: RouteEstimate | null;
};

/** Pixels: `k` times the fitted picture, moved by `x` and `y`. */
export type View = { k: number; x: number; y: number };

const fitted: View = { k: 1, x: 0, y: 0 };

type PictureProps = RouteProps & { size: { width: number; height: number }; view?: View };

/**
 * The route on a globe: travelled paths solid, paths ahead dashed, the last position as a ring, an estimated one as a
 * dashed ring. Marks and labels keep their size in every view.
 */
export function RoutePicture({
  line,
  stops,
  shipment,
  land,
  isSmall = false,
  estimate = null,
  size,
  view = fitted,
}: PictureProps) {
  const now = useNow();
  const { width, height } = size;
  const side = Math.min(130, width * 0.16);
  const routeKey = JSON.stringify([line.done, line.ahead, pointsOf(line)]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key contains everything of the line that the projection depends on
  const { projection, path, done, ahead } = useMemo(() => {
    const frame = {
      width,
      height,
      ...(isSmall ? { top: 20, bottom: 18 } : { top: 48, bottom: 44 }),
      right: side,
      left: side,
    };
    const made = fitRoute([...line.done, ...line.ahead], pointsOf(line), frame).precision(0.1);
    const drawing = geoPath(made).digits(2);
    const chain = (coordinates: LngLat[]) =>
      drawing({ type: 'LineString', coordinates: coordinates.map(([lng, lat]) => [lng, lat]) }) ?? '';
    return { projection: made, path: drawing, done: line.done.map(chain), ahead: line.ahead.map(chain) };
  }, [routeKey, width, height, side, isSmall]);
  const landPath = useMemo(() => (land === undefined ? '' : (path(land) ?? '')), [land, path]);
  const graticulePath = useMemo(() => path(graticule) ?? '', [path]);
  const shown = ({ x, y }: { x: number; y: number }) => ({ x: x * view.k + view.x, y: y * view.k + view.y });
  const at = (point: LngLat): [number, number] => {
    const [x, y] = projection([point[0], point[1]]) ?? [0, 0];
    const moved = shown({ x, y });
    return [moved.x, moved.y];
  };
  const position = line.position === null ? null : at(line.position.at);
  const anchors = anchorsOf({ line, shipment, estimate }, at, now);
  const samples = samplesOf([...done, ...ahead], 8 / view.k).map(shown);
  const labels = placeLabels(isSmall ? endsOf(anchors, line) : anchors, samples, size);
  return (
    <svg
      role="img"
      aria-label={routeWords(stops, shipment, { estimate, now })}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className="block max-w-full"
    >
      <g transform={`translate(${view.x} ${view.y}) scale(${view.k})`}>
        <path d={graticulePath} fill="none" className="stroke-graticule" vectorEffect="non-scaling-stroke" />
        <path d={landPath} className="fill-land" />
        <g fill="none" className="stroke-accent *:[vector-effect:non-scaling-stroke]" strokeLinejoin="round">
          {done.map((d) => (
            <path key={d} d={d} strokeWidth={2} strokeLinecap="round" />
          ))}
          {ahead.map((d) => (
            <path key={d} d={d} strokeWidth={1.5} strokeDasharray="2 5" strokeLinecap="round" />
          ))}
        </g>
      </g>
      {line.ports.map(({ stop, at: point, isApproximate }) => {
        const [x, y] = at(point);
        const isAhead = stop.state === 'ahead';
        return (
          <circle
            key={stop.key}
            cx={x}
            cy={y}
            r={isApproximate ? 4 : 3}
            strokeWidth={1.5}
            strokeDasharray={isApproximate ? '2 1.5' : undefined}
            className={isAhead || isApproximate ? `stroke-accent fill-sea` : 'fill-accent stroke-sea'}
          />
        );
      })}
      {position !== null && (
        <g transform={`translate(${position[0]} ${position[1]})`} className="stroke-accent" fill="none">
          <circle r={6.5} strokeWidth={1.5} className="fill-sea" />
          <circle r={2} className="fill-accent" stroke="none" />
        </g>
      )}
      {estimate !== null && (
        <g transform={`translate(${at(estimate.at).join(' ')})`} data-estimated="">
          <title>{estimateText(estimate, now)}</title>
          <circle r={6.5} strokeWidth={1.5} strokeDasharray="3 2.4" className="fill-sea stroke-accent" />
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

type Drawn = { line: RouteLine; shipment: WireShipment; estimate: RouteEstimate | null };

function anchorsOf(
  { line, shipment, estimate }: Drawn,
  at: (point: LngLat) => [number, number],
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
  const underWay = shipment.legs.findLast(({ departure }) => departure.actual !== null)?.vehicle ?? null;
  if (estimate !== null) {
    const [x, y] = at(estimate.at);
    const title = shortened(underWay?.name ?? underWay?.flight ?? 'Estimated position');
    return [...anchors, { id: 'estimate', x, y, title, detail: 'estimated', weight: 5 }];
  }
  if (position === null || position.seen === null) return anchors;
  const [x, y] = at(position.at);
  if (position.isAtPort) {
    return anchors.map((anchor) =>
      anchor.x === x && anchor.y === y ? { ...anchor, weight: anchor.weight + 2 } : anchor,
    );
  }
  const vehicle = position.seen.vehicle ?? underWay;
  const title = shortened(vehicle?.name ?? vehicle?.flight ?? 'Last position');
  return [
    ...anchors,
    { id: 'position', x, y, title, detail: `last position ${relativeWords(position.seen.at, now)}`, weight: 5 },
  ];
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

/** Points along drawn paths, a step apart, which labels avoid. */
function samplesOf(paths: readonly string[], step: number): { x: number; y: number }[] {
  return paths.flatMap((d) => {
    const points = [...d.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }));
    return points.flatMap((point, index) => {
      const before = points[index - 1];
      if (before === undefined) return [point];
      const steps = Math.max(1, Math.ceil(Math.hypot(point.x - before.x, point.y - before.y) / step));
      return Array.from({ length: steps }, (_, index) => ({
        x: before.x + ((point.x - before.x) * (index + 1)) / steps,
        y: before.y + ((point.y - before.y) * (index + 1)) / steps,
      }));
    });
  });
}
