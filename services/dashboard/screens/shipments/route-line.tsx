import { placeTitle, placeWords } from './row-words.ts';
import type { RowPlace } from './shipment-row.ts';

type Props = { origin: RowPlace | null; destination: RowPlace | null; progress: number | null; className?: string };

/** Where from and where to, and between them how much of the way is done. */
export function RouteLine({ origin, destination, progress, className = '' }: Props) {
  if (origin === null && destination === null) return <span className="text-t3">–</span>;
  return (
    <span className={`flex min-w-0 items-center gap-2 ${className}`}>
      <Place place={origin} />
      <span className="relative h-px min-w-5 flex-1 bg-line2">
        {progress !== null && progress > 0 && (
          <span className="absolute -top-[0.5px] left-0 h-[2px] bg-t2" style={{ width: `${progress * 100}%` }} />
        )}
        {progress !== null && progress < 1 && (
          <span
            className="absolute -top-[2.5px] size-1.5 rounded-full bg-t1 ring-2 ring-(--ground)"
            style={{ left: `calc(${progress * 100}% - 3px)` }}
          />
        )}
      </span>
      <Place place={destination} end />
    </span>
  );
}

function Place({ place, end = false }: { place: RowPlace | null; end?: boolean }) {
  const isCode = place?.code !== null && place?.code !== undefined;
  return (
    <span
      title={placeTitle(place)}
      className={`min-w-9 shrink-0 text-t2 ${end ? 'text-right' : ''} ${isCode ? 'font-mono text-number tracking-[-0.025em]' : 'max-w-[52px] truncate text-label'}`}
    >
      {placeWords(place) || '–'}
    </span>
  );
}
