import { Link } from '@tanstack/react-router';

type Props = { title: 'needs' | 'rest'; index: number; count: number | null; sortWords: string; hasMore: boolean };

/** A line between groups: what they are, and how many. */
export function GroupLine({ title, index, count, sortWords, hasMore }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: of the grid around.
    // biome-ignore lint/a11y/useFocusableInteractive: no row that is chosen.
    <div role="row" aria-rowindex={index} className="h-8 border-line border-b bg-sunk">
      {/* biome-ignore lint/a11y/useSemanticElements: of the grid around. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: no row that is chosen. */}
      <div role="gridcell" className="flex h-8 items-center gap-2 px-4 text-label">
        <span className="font-semibold text-t1">{title === 'needs' ? 'Needs you today' : `Everything else, ${sortWords}`}</span>
        {count !== null && <span className="text-t3 tabular-nums">{count.toLocaleString('en')}</span>}
        {hasMore && (
          <Link
            to="/"
            search={(previous: Record<string, unknown>) => ({ ...previous, view: 'needs' })}
            className="ml-auto text-accent hover:underline"
          >
            Show all
          </Link>
        )}
      </div>
    </div>
  );
}
