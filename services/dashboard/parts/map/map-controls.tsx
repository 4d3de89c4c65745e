import { Icon, type IconName } from '../icon.tsx';
import type { GestureHint, MapZoom } from './use-map-zoom.ts';

type Props = {
  zoom: MapZoom;
  /** Shows everything: `Whole world`, `Whole route`. */
  fit: { label: string; run: () => void };
  /** Directions in which the map can still zoom. */
  canZoom: { in: boolean; out: boolean };
};

/** The buttons of a map, and how its gestures work where the page scrolls. */
export function MapControls({ zoom, fit, canZoom }: Props) {
  return (
    <>
      <div className="absolute right-3 bottom-3 z-20 flex flex-col overflow-hidden rounded-control border border-line2 bg-bg print:hidden">
        <Control icon="plus" label="Zoom in" disabled={!canZoom.in} run={() => zoom.zoomBy(2)} />
        <Control icon="minus" label="Zoom out" disabled={!canZoom.out} run={() => zoom.zoomBy(0.5)} />
        <Control icon="whole" label={fit.label} disabled={!canZoom.out} run={fit.run} />
      </div>
      <p
        role="status"
        className={`pointer-events-none absolute inset-x-0 top-4 z-20 text-center text-label print:hidden ${zoom.hint === null ? 'invisible' : ''}`}
      >
        <span className="rounded-control border border-line2 bg-bg px-2.5 py-1.5 text-t1">{hintWords(zoom.hint)}</span>
      </p>
    </>
  );
}

function hintWords(hint: GestureHint): string {
  if (hint === null) return '';
  if (hint === 'touch') return 'Use two fingers to move the map';
  return `Hold ${/Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl'} and scroll to zoom`;
}

type ControlProps = { icon: IconName; label: string; disabled: boolean; run: () => void };

/** `aria-disabled`, so that a button keeps the focus when it reaches the end. */
function Control({ icon, label, disabled, run }: ControlProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-disabled={disabled}
      onClick={() => !disabled && run()}
      className="grid size-8 place-items-center border-line text-t2 not-first:border-t hover:bg-hover hover:text-t1 aria-disabled:text-t4 pointer-coarse:size-10"
    >
      <Icon name={icon} size={16} />
    </button>
  );
}
