import type { LookKind } from './look-words.ts';

/** One bar a look, oldest first: low and grey without news, tall with news, hatched when slowed down, red when it failed. */
export function LookBars({ bars }: { bars: readonly LookKind[] }) {
  return (
    <div aria-hidden="true" className="flex h-[18px] min-w-0 items-end gap-[3px] overflow-hidden">
      {bars.map((kind, index) => (
        // Bars have no identity but their place.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <span key={index} className={`w-1.5 shrink-0 rounded-bar ${looks[kind]}`} />
      ))}
    </div>
  );
}

const looks: Record<LookKind, string> = {
  quiet: 'h-2 bg-bar',
  news: 'h-4 bg-accent',
  slowed: 'h-3 bg-amber hatched',
  failed: 'h-3 bg-red',
};
