import { geoGraticule } from 'd3-geo';
import { type ZoomTransform, zoomIdentity } from 'd3-zoom';
import { type CSSProperties, memo, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { WireMapShipments } from '#shared/contract/lists/map-wire.ts';
import { wayBetween } from '#shared/route-map/along-way.ts';
import { type Box, contains, type MapView, worldBounds } from '#shared/route-map/world-projection.ts';
import { useElementSize } from '../../parts/hooks/use-element-size.ts';
import { useMediaQuery } from '../../parts/hooks/use-media-query.ts';
import { useScreenKeys } from '../../parts/hooks/use-screen-keys.ts';
import { useLand } from '../../parts/land.ts';
import { MapControls } from '../../parts/map/map-controls.tsx';
import { MapSurface } from '../../parts/map/map-surface.tsx';
import { type Size, useMapZoom, zoomKeys } from '../../parts/map/use-map-zoom.ts';
import type { Circle } from './circles.ts';
import { MapLegend } from './map-legend.tsx';
import { MapMark } from './map-mark.tsx';
import { detailOf, landOf, landPath } from './world-land.ts';
import {
  boxOf,
  maxScale,
  readView,
  type ViewText,
  viewToAsk,
  wholeWorld,
  worldPath,
  worldScale,
  writeView,
} from './world-view.ts';

const graticule = worldPath(geoGraticule().step([20, 20])()) ?? '';

type Props = {
  circles: readonly Circle[];
  chosen: Circle | null;
  /** The ways of the chosen circle. */
  ways: WireMapShipments['ways'];
  choose: (circle: Circle | null) => void;
  /** The visible part, at the end of each gesture. */
  setAsked: (next: (before: MapView | null) => MapView) => void;
  view: ViewText;
  setView: (view: ViewText) => void;
};

/** A world map to zoom and move, with a circle per place. A chosen circle filters the list beside it. */
export function WorldMap(props: Props) {
  const [ref, size] = useElementSize<HTMLDivElement>();
  return (
    <div className="relative lg:h-full">
      <div ref={ref} className="relative h-full overflow-clip bg-sea max-lg:h-[62vw] max-lg:min-h-[260px]">
        {size !== null && size.width > 0 && size.height > 0 && <Picture {...props} size={size} />}
      </div>
      <MapLegend circles={props.circles} />
    </div>
  );
}

/** Area and detail that stay drawn until the view leaves them: circles and coastlines are computed for both. */
type Drawn = { box: Box; detail: number };

function drawnFor(transform: ZoomTransform, size: Size): Drawn {
  return { box: boxOf(transform, size, 0.4), detail: detailOf(transform.k) };
}

/** The same box as long as it does, because its coastlines take longer than a frame. */
function drawnNext(before: Drawn, transform: ZoomTransform, size: Size): Drawn {
  const isEnough = contains(before.box, boxOf(transform, size)) && before.detail === detailOf(transform.k);
  return isEnough ? before : drawnFor(transform, size);
}

function Picture({ circles, chosen, ways, choose, setAsked, view, setView, size }: Props & { size: Size }) {
  const surface = useRef<HTMLElement>(null);
  const picture = useRef<SVGGElement>(null);
  const marks = useRef<HTMLUListElement>(null);
  const shown = useRef<ZoomTransform>(zoomIdentity);
  const written = useRef<ViewText | null>(null);
  const [drawn, setDrawn] = useState<Drawn>(() => drawnFor(readView(view, size), size));
  const [ends, setEnds] = useState({ in: true, out: false });
  // On a wide screen the map fills the page, and nothing else scrolls.
  const isWholePage = useMediaQuery('(width >= 64rem)');
  const scales = useMemo(() => [worldScale(size), maxScale] as const, [size]);

  // Each frame moves what is drawn; React draws again only when the view needs more.
  const onZoom = (transform: ZoomTransform) => {
    shown.current = transform;
    picture.current?.setAttribute('transform', transform.toString());
    const style = marks.current?.style;
    for (const name of ['x', 'y', 'k'] as const) style?.setProperty(`--${name}`, String(transform[name]));
    setDrawn((before) => drawnNext(before, transform, size));
    const next = { in: transform.k < maxScale * 0.999, out: transform.k > scales[0] * 1.001 };
    setEnds((before) => (before.in === next.in && before.out === next.out ? before : next));
  };
  const onEnd = (transform: ZoomTransform) => {
    setAsked((before) => viewToAsk(before, transform, size));
    const next = writeView(transform, size);
    if (next.center === view.center && next.zoom === view.zoom) return;
    written.current = next;
    setView(next);
  };
  const zoom = useMapZoom(surface, { size, scales, bounds: worldBounds, isWholePage, onZoom, onEnd });
  const { show, zoomBy } = zoom;

  // Follows the URL, unless it is this map that has written it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another size shows the same view
  useEffect(() => {
    const own = written.current;
    const isFirst = shown.current === zoomIdentity;
    if (!isFirst && own !== null && own.center === view.center && own.zoom === view.zoom) return;
    written.current = view;
    show(readView(view, size));
  }, [view.center, view.zoom]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the size changes
  useEffect(() => show(readView(written.current ?? view, size)), [size]);

  const showWorld = useCallback(() => show(wholeWorld(size), 'moving'), [show, size]);
  useScreenKeys({
    ...Object.fromEntries(Object.entries(zoomKeys).map(([key, factor]) => [key, () => zoomBy(factor)])),
    '0': showWorld,
  });
  const reveal = useCallback(
    ({ x, y }: Circle) => {
      const { k, x: left, y: top } = shown.current;
      const isVisible = (at: number, span: number) => at > 24 && at < span - 24;
      if (isVisible(x * k + left, size.width) && isVisible(y * k + top, size.height)) return;
      show(zoomIdentity.translate(size.width / 2 - x * k, size.height / 2 - y * k).scale(k), 'moving');
    },
    [show, size],
  );
  const visible = useMemo(
    () => circles.filter(({ x, y }) => contains(drawn.box, { left: x, right: x, top: y, bottom: y })),
    [circles, drawn.box],
  );
  return (
    <>
      <MapSurface
        ref={surface}
        label="World map"
        keys="Arrow keys move the map, plus and minus zoom, and 0 shows the whole world."
        onKeyDown={zoom.onKeyDown}
      >
        <svg aria-hidden="true" width={size.width} height={size.height} className="block">
          <g ref={picture}>
            <path d={graticule} fill="none" className="stroke-graticule" vectorEffect="non-scaling-stroke" />
            <Coast box={drawn.box} detail={drawn.detail} />
            {chosen !== null && <Ways ways={ways} />}
          </g>
        </svg>
        <ul
          ref={marks}
          aria-label="Places with shipments"
          className="absolute top-0 left-0"
          style={{ '--x': shown.current.x, '--y': shown.current.y, '--k': shown.current.k } as CSSProperties}
        >
          {visible.map((circle) => (
            <MapMark key={circle.key} circle={circle} isChosen={circle === chosen} choose={choose} reveal={reveal} />
          ))}
        </ul>
      </MapSurface>
      <MapControls zoom={zoom} fit={{ label: 'Whole world', run: showWorld }} canZoom={ends} />
    </>
  );
}

const Coast = memo(function Coast({ box, detail }: Pick<Drawn, 'box' | 'detail'>) {
  const land = useLand();
  const projected = useMemo(() => (land === undefined ? null : landOf(land)), [land]);
  const path = useMemo(
    () => (projected === null ? '' : landPath(projected, { box, detail })),
    [projected, box, detail],
  );
  return <path d={path} className="fill-land" />;
});

/** The lines on which the estimated positions of a circle lie. */
function Ways({ ways }: Pick<Props, 'ways'>) {
  const lines = useMemo(
    () =>
      ways.map(({ from, to, mode }) => {
        const way = wayBetween([from.lng, from.lat], [to.lng, to.lat], { mode });
        return worldPath({ type: 'LineString', coordinates: way.map(([lng, lat]) => [lng, lat]) }) ?? '';
      }),
    [ways],
  );
  return (
    <g fill="none" className="stroke-accent" strokeLinecap="round">
      {lines.map((line) => (
        <path key={line} d={line} strokeWidth={1.5} strokeDasharray="2 5" vectorEffect="non-scaling-stroke" />
      ))}
    </g>
  );
}
