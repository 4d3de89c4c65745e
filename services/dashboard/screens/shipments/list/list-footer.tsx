import { Button } from '../../../parts/button.tsx';

type Props = { read: number; total: string | null; hasMore: boolean; isReading: boolean; more: () => void };

const keys = [
  { keys: ['J', 'K'], words: 'move' },
  { keys: ['Space'], words: 'preview' },
  { keys: ['Enter'], words: 'open' },
  { keys: ['X'], words: 'select' },
  { keys: ['?'], words: 'all keys' },
];

/** The keys of the list, and how much of it is here. */
export function ListFooter({ read, total, hasMore, isReading, more }: Props) {
  return (
    <footer className="flex h-9 shrink-0 items-center gap-4 border-line border-t px-4 text-label text-t3 max-sm:hidden print:hidden">
      <ul aria-label="Keys" className="flex gap-4">
        {keys.map(({ keys: pressed, words }) => (
          <li key={words} className="flex items-center gap-1">
            {pressed.map((key) => (
              <kbd key={key} className="rounded-badge border border-line2 px-1.5 font-sans text-axis">
                {key}
              </kbd>
            ))}
            <span className="ml-0.5">{words}</span>
          </li>
        ))}
      </ul>
      <span className="ml-auto tabular-nums" role="status" aria-live="off">
        {read === 0 ? '' : `1–${read.toLocaleString('en')}${total === null ? '' : ` of ${total}`}`}
      </span>
      {hasMore && (
        <Button kind="quiet" busy={isReading} onClick={more}>
          Load more
        </Button>
      )}
    </footer>
  );
}
