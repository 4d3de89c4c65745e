import { Button } from '../../../parts/button.tsx';

type Props = { loaded: number; total: string | null; hasMore: boolean; isLoading: boolean; more: () => void };

const keys = [
  { keys: ['J', 'K'], label: 'move' },
  { keys: ['Space'], label: 'preview' },
  { keys: ['Enter'], label: 'open' },
  { keys: ['X'], label: 'select' },
  { keys: ['?'], label: 'all shortcuts' },
];

/** The keys of the list, and how many rows are loaded. */
export function ListFooter({ loaded, total, hasMore, isLoading, more }: Props) {
  return (
    <footer className="flex h-9 shrink-0 items-center gap-4 border-line border-t px-4 text-label text-t3 max-sm:hidden print:hidden">
      <ul aria-label="Keys" className="flex gap-4">
        {keys.map(({ keys: pressed, label }) => (
          <li key={label} className="flex items-center gap-1">
            {pressed.map((key) => (
              <kbd key={key} className="rounded-badge border border-line2 px-1.5 font-sans text-axis">
                {key}
              </kbd>
            ))}
            <span className="ml-0.5">{label}</span>
          </li>
        ))}
      </ul>
      <span className="ml-auto tabular-nums" role="status" aria-live="off">
        {loaded === 0 ? '' : `1–${loaded.toLocaleString('en')}${total === null ? '' : ` of ${total}`}`}
      </span>
      {hasMore && (
        <Button kind="quiet" busy={isLoading} onClick={more}>
          Load more
        </Button>
      )}
    </footer>
  );
}
