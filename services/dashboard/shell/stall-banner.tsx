import { useQuery } from '@tanstack/react-query';
import { spanWords } from '../parts/time-words.ts';
import { overviewQuery } from '../screens/shipments/overview.ts';

/** On every screen while shipments are due and no refresh completes: the shown data looks current, but isn't. */
export function StallBanner() {
  const stalledS = useQuery(overviewQuery).data?.stalled_s ?? null;
  if (stalledS === null) return null;
  return (
    <aside
      aria-label="Refreshes stopped"
      role="status"
      className="flex shrink-0 items-center gap-2 bg-sunk px-4 py-1 text-label text-t1"
    >
      <span aria-hidden="true" className="size-1.5 rounded-full bg-red" />
      Shipments are due, but no refresh has completed for {spanWords(stalledS * 1000)}. Data may be out of date.
    </aside>
  );
}
