import { Link } from '@tanstack/react-router';
import { GridCell, GridRow } from '../../../parts/grid.tsx';

type Props = { title: 'needs' | 'rest'; index: number; count: number | null; sortWords: string; hasMore: boolean };

/** A line between groups: what they are, and how many. */
export function GroupLine({ title, index, count, sortWords, hasMore }: Props) {
  return (
    <GridRow index={index} className="h-8 border-line border-b bg-sunk">
      <GridCell className="flex h-8 items-center gap-2 px-4 text-label">
        <span className="font-semibold text-t1">
          {title === 'needs' ? 'Needs you today' : `Everything else, ${sortWords}`}
        </span>
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
      </GridCell>
    </GridRow>
  );
}
