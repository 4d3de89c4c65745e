import type { SpotKind } from '#shared/domain/lists/map-places.ts';
import type { Circle } from './circles.ts';
import { kindClasses } from './map-mark.tsx';

const kinds: readonly { kind: SpotKind; name: string }[] = [
  { kind: 'place', name: 'At a place' },
  { kind: 'approximate', name: 'Approximate, based on the city name' },
  { kind: 'reported', name: 'Reported position' },
  { kind: 'estimated', name: 'Estimated from departure and ETA' },
];

/** Explains the edges of circles, for the kinds that the map contains. */
export function MapLegend({ circles }: { circles: readonly Circle[] }) {
  const known = new Set(circles.map(({ kind }) => kind));
  if (circles.some(({ estimated }) => estimated > 0)) known.add('estimated');
  if (circles.some(({ approximate }) => approximate > 0)) known.add('approximate');
  const shown = kinds.filter(({ kind }) => known.has(kind));
  if (shown.length < 2 && !known.has('estimated') && !known.has('approximate')) return null;
  return (
    <ul
      aria-label="Legend"
      className="flex flex-wrap gap-x-4 gap-y-1 bg-bg px-4 py-2 text-axis text-t2 max-sm:border-line max-sm:border-t sm:pointer-events-none sm:absolute sm:bottom-3 sm:left-3 sm:z-20 sm:rounded-control sm:border sm:border-line sm:px-2.5 sm:py-1.5"
    >
      {shown.map(({ kind, name }) => (
        <li key={kind} className="flex items-center gap-2">
          <span aria-hidden="true" className={`size-3 rounded-full border-accent ${kindClasses[kind]}`} />
          {name}
        </li>
      ))}
    </ul>
  );
}
