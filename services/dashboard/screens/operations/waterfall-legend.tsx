import { durationWords } from '../carriers/carrier-words.ts';
import type { WireTrace } from './operations-types.ts';
import { sharesOf } from './waterfall-rows.ts';

/** Whose time it was. */
export function WaterfallLegend({ trace }: { trace: WireTrace }) {
  const { carrierMs, oursMs } = sharesOf(trace);
  return (
    <p className="ml-auto flex items-center gap-4 whitespace-nowrap text-label text-t2 tabular-nums">
      <span className="flex items-center gap-1.5">
        <span aria-hidden="true" className="size-2 rounded-bar bg-t2" />
        ours {durationWords(oursMs)}
      </span>
      <span className="flex items-center gap-1.5">
        <span aria-hidden="true" className="hatched size-2 rounded-bar border border-accent bg-accent" />
        carrier {durationWords(carrierMs)}
      </span>
    </p>
  );
}
