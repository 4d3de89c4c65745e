import type { RefreshKind } from './refresh-words.ts';

/** One bar per refresh, oldest first: low and grey without news, tall with news, hatched when slowed down, red when it failed. */
export function RefreshBars({ bars }: { bars: readonly RefreshKind[] }) {
  return (
    <div aria-hidden="true" className="flex h-[18px] min-w-0 items-end gap-[3px] overflow-hidden">
      {bars.map((kind, index) => (
        // Bars have no identity but their place.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <span key={index} className={`w-1.5 shrink-0 rounded-bar ${classNames[kind]}`} />
      ))}
    </div>
  );
}

const classNames: Record<RefreshKind, string> = {
  quiet: 'h-2 bg-bar',
  news: 'h-4 bg-accent',
  slowed: 'h-3 bg-amber hatched',
  failed: 'h-3 bg-red',
};
