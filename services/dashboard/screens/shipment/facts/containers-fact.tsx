import type { WireShipment } from '#shared/contract/shipments/shipment-schemas.ts';
import { wordOf } from '../../../parts/code-words.ts';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { Identifier } from '../../../parts/identifier.tsx';
import { StatusGlyph, WarningMark } from '../../../parts/marks.tsx';
import { dayWords } from '../../../parts/time-words.ts';
import { Fact, FoldedList } from '../fact.tsx';
import { containerType } from './container-type.ts';

const maxShown = 6;

/** Each container with its own status: containers of one shipment can be split up. */
export function ContainersFact({
  containers,
  container_status_counts: counts,
}: Pick<WireShipment, 'containers' | 'container_status_counts'>) {
  const now = useNow();
  if (containers.length === 0) return null;
  const spread = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${wordOf(status).toLowerCase()}`);
  return (
    <Fact
      title="Containers"
      aside={spread.join(', ')}
      value={containers.map(({ number, status, holds }) => [number, status, holds])}
    >
      <FoldedList
        rows={containers}
        max={maxShown}
        noun="containers"
        row={({ number, iso_type: isoType, status, seals, holds, last_free_day: freeDay }) => (
          <li key={number} className="min-h-7 py-1">
            <div className="flex items-center gap-2.5">
              <span title={wordOf(status)} className="inline-flex">
                <StatusGlyph status={status} />
                <span className="sr-only">{wordOf(status)}</span>
              </span>
              <Identifier kind="container" value={number} className="w-[112px] text-label" />
              <span className="max-w-[120px] shrink-0 truncate text-t2" title={isoType ?? ''}>
                {containerType(isoType)}
              </span>
              {seals.length > 0 && (
                <span className="ml-auto min-w-0 truncate text-label text-t3" title={`Seals ${seals.join(', ')}`}>
                  seal <span className="font-mono text-[11.5px] text-t2 tracking-[-0.025em]">{seals[0]}</span>
                  {seals.length > 1 && ` +${seals.length - 1}`}
                </span>
              )}
            </div>
            {(holds.length > 0 || freeDay !== null) && (
              <p className="flex items-center gap-1.5 pl-6 text-label text-t2">
                {holds.length > 0 && <WarningMark severity="warning" size={12} />}
                {[
                  ...holds.map(wordOf),
                  ...(freeDay === null ? [] : [`free until ${dayWords(freeDay, null, now)}`]),
                ].join(', ')}
              </p>
            )}
          </li>
        )}
      />
    </Fact>
  );
}
