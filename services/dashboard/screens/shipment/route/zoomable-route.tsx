import { zoomIdentity } from 'd3-zoom';
import { useMemo, useRef, useState } from 'react';
import { estimateOnRoute } from '#shared/route-map/estimate-on-route.ts';
import { useElementSize } from '../../../parts/hooks/use-element-size.ts';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { MapControls } from '../../../parts/map/map-controls.tsx';
import { MapSurface } from '../../../parts/map/map-surface.tsx';
import { type Size, useMapZoom } from '../../../parts/map/use-map-zoom.ts';
import { RoutePicture, type RouteProps, type View } from './route-picture.tsx';
import { estimateText } from './route-words.ts';

const scales = [1, 12] as const;

/** The map of a route to zoom and move, with an estimated position until one is known. */
export function ZoomableRoute(props: RouteProps) {
  const [ref, size] = useElementSize<HTMLDivElement>();
  const now = useNow();
  const estimate = estimateOnRoute(props.line, now);
  return (
    <div
      ref={ref}
      className="relative h-[280px] overflow-clip border-line border-b bg-sea max-sm:h-[240px] print:h-[220px]"
    >
      {size !== null && size.width > 0 && <Surface {...props} estimate={estimate} size={size} />}
      {estimate !== null && (
        <p className="pointer-events-none absolute bottom-2 left-2 max-w-[70%] rounded-control bg-bg px-2 py-1 text-axis text-t2 max-sm:max-w-[calc(100%-4.5rem)]">
          <span
            aria-hidden="true"
            className="mr-1.5 inline-block size-2.5 rounded-full border-[1.5px] border-accent border-dashed align-[-1px]"
          />
          {estimateText(estimate, now)}
        </p>
      )}
    </div>
  );
}

function Surface({ size, ...props }: RouteProps & { size: Size }) {
  const ref = useRef<HTMLElement>(null);
  const [view, setView] = useState<View>(zoomIdentity);
  const bounds = useMemo(() => [[0, 0] as const, [size.width, size.height] as const] as const, [size]);
  const zoom = useMapZoom(ref, { size, scales, bounds, isWholePage: false, onZoom: setView });
  return (
    <>
      <MapSurface
        ref={ref}
        label="Map of the route"
        keys="Arrow keys move the map, plus and minus zoom."
        onKeyDown={zoom.onKeyDown}
      >
        <RoutePicture {...props} size={size} view={view} />
      </MapSurface>
      <MapControls
        zoom={zoom}
        fit={{ label: 'Whole route', run: () => zoom.show(zoomIdentity, 'moving') }}
        canZoom={{ in: view.k < scales[1] * 0.999, out: view.k > 1.001 }}
      />
    </>
  );
}
