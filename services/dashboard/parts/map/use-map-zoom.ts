import { select } from 'd3-selection';
import 'd3-transition';
import { type D3ZoomEvent, type ZoomBehavior, type ZoomTransform, zoom, zoomTransform } from 'd3-zoom';
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { prefersLessMotion } from '../hooks/use-media-query.ts';
import { isTaken } from '../hooks/use-screen-keys.ts';

export type Size = { width: number; height: number };

type Options = {
  size: Size | null;
  /** Smallest and largest scale. */
  scales: readonly [number, number];
  /** Corners that the view stays within, in units of the map. */
  bounds: readonly [readonly [number, number], readonly [number, number]];
  /** The page does not scroll: the wheel zooms without a key, and one finger moves the map. */
  isWholePage: boolean;
  onZoom: (transform: ZoomTransform) => void;
  /** At the end of a gesture, of a key, and of a button. */
  onEnd?: (transform: ZoomTransform) => void;
};

/** Hint about moving the map, shown for a moment after a gesture that scrolled the page instead. */
export type GestureHint = 'wheel' | 'touch' | null;

export type MapZoom = {
  zoomBy: (factor: number) => void;
  moveBy: (x: number, y: number) => void;
  /** Shows a view at once, or on the way to it. */
  show: (transform: ZoomTransform, how?: 'at once' | 'moving') => void;
  onKeyDown: (event: KeyboardEvent) => void;
  hint: GestureHint;
};

const stepPx = 120;
const durationMs = 220;
const hintMs = 1600;
/** Of one wheel event, in powers of two: browsers report a notch with Ctrl as ten. */
const maxWheelStep = 0.5;

const arrows: Record<string, readonly [number, number]> = {
  ArrowLeft: [stepPx, 0],
  ArrowRight: [-stepPx, 0],
  ArrowUp: [0, stepPx],
  ArrowDown: [0, -stepPx],
};

/**
 * Zooming and moving a map by wheel, drag, touch, double click and keys. Where the page scrolls too, the wheel needs
 * Ctrl or ⌘ and touch needs two fingers, so that the map never takes the scrolling of the page.
 */
export function useMapZoom(ref: RefObject<HTMLElement | null>, options: Options): MapZoom {
  const latest = useRef(options);
  const behavior = useRef<ZoomBehavior<HTMLElement, unknown> | null>(null);
  const [hint, setHint] = useState<GestureHint>(null);
  const { size, scales, bounds, isWholePage } = options;
  useEffect(() => {
    latest.current = options;
  });

  const isMeasured = size !== null;
  useEffect(() => {
    const element = ref.current;
    if (element === null || !isMeasured) return;
    const made = zoom<HTMLElement, unknown>()
      .clickDistance(4)
      .filter((event: MouseEvent | TouchEvent) => isOwn(event, latest.current.isWholePage))
      .wheelDelta((event) => {
        const delta = -event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.002) * (event.ctrlKey ? 10 : 1);
        return Math.min(Math.max(delta, -maxWheelStep), maxWheelStep);
      })
      .on('zoom', ({ transform }: D3ZoomEvent<HTMLElement, unknown>) => latest.current.onZoom(transform))
      .on('end', ({ transform }: D3ZoomEvent<HTMLElement, unknown>) => latest.current.onEnd?.(transform));
    behavior.current = made;
    select(element).call(made);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const explain = (event: WheelEvent | TouchEvent) => {
      if (isOwn(event, latest.current.isWholePage)) return;
      clearTimeout(timer);
      setHint(event.type === 'wheel' ? 'wheel' : 'touch');
      timer = setTimeout(() => setHint(null), hintMs);
    };
    element.addEventListener('wheel', explain, { passive: true });
    element.addEventListener('touchmove', explain, { passive: true });
    return () => {
      clearTimeout(timer);
      element.removeEventListener('wheel', explain);
      element.removeEventListener('touchmove', explain);
      select(element).on('.zoom', null);
      behavior.current = null;
    };
  }, [ref, isMeasured]);

  useEffect(() => {
    if (size === null) return;
    const [[left, top], [right, bottom]] = bounds;
    behavior.current
      ?.extent([
        [0, 0],
        [size.width, size.height],
      ])
      .scaleExtent([scales[0], scales[1]])
      .translateExtent([
        [left, top],
        [right, bottom],
      ]);
  }, [size, scales, bounds]);

  useEffect(() => {
    // The browser must know before the first touch whose gesture it is.
    if (ref.current !== null) ref.current.style.touchAction = isWholePage ? 'none' : 'pan-x pan-y';
  }, [ref, isWholePage]);

  return useMemo(() => {
    const run = (change: (made: ZoomBehavior<HTMLElement, unknown>, element: HTMLElement) => void) => {
      if (behavior.current !== null && ref.current !== null) change(behavior.current, ref.current);
    };
    const moving = (element: HTMLElement) =>
      select(element)
        .transition()
        .duration(prefersLessMotion() ? 0 : durationMs);
    const zoomBy = (factor: number) => run((made, element) => made.scaleBy(moving(element), factor));
    const moveBy = (x: number, y: number) =>
      run((made, element) => {
        const { k } = zoomTransform(element);
        made.translateBy(moving(element), x / k, y / k);
      });
    const onKeyDown = (event: KeyboardEvent) => {
      const by = arrows[event.key];
      if (isTaken(event.nativeEvent) || (by === undefined && zoomKeys[event.key] === undefined)) return;
      event.preventDefault();
      if (by !== undefined) moveBy(...by);
      else zoomBy(zoomKeys[event.key] ?? 1);
    };
    const show: MapZoom['show'] = (transform, how = 'at once') =>
      run((made, element) =>
        how === 'moving' ? made.transform(moving(element), transform) : made.transform(select(element), transform),
      );
    return { zoomBy, moveBy, show, onKeyDown, hint };
  }, [ref, hint]);
}

/** Factors of the keys. */
export const zoomKeys: Readonly<Record<string, number>> = { '+': 2, '=': 2, '-': 0.5, _: 0.5 };

/** True when a gesture moves the map. Others scroll the page. */
function isOwn(event: MouseEvent | TouchEvent, isWholePage: boolean): boolean {
  if ('touches' in event) return isWholePage || event.touches.length > 1;
  if (event.type === 'wheel') return isWholePage || event.ctrlKey || event.metaKey;
  return event.button === 0 && !event.ctrlKey;
}
