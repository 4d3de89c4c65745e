import { Button } from '../../../parts/button.tsx';
import { numberLocale } from '../../../parts/words/locale.ts';

type Props = {
  loaded: number;
  total: string | null;
  hasMore: boolean;
  isLoading: boolean;
  more: () => void;
  /** The whole list is being loaded. */
  isLoadingAll: boolean;
  setLoadingAll: (isWanted: boolean) => void;
};

const keys = [
  { keys: ['J', 'K'], label: 'move' },
  { keys: ['Space'], label: 'preview' },
  { keys: ['Enter'], label: 'open' },
  { keys: ['X'], label: 'select' },
  { keys: ['R'], label: 'refresh', isWide: true },
  { keys: ['T'], label: 'tag', isWide: true },
  { keys: ['A'], label: 'archive', isWide: true },
  { keys: ['E'], label: 'edit', isWide: true },
  { keys: ['C'], label: 'copy', isWide: true },
  { keys: ['?'], label: 'all shortcuts' },
];

/** The keys of the list, and how many rows are loaded. */
export function ListFooter({ loaded, total, hasMore, isLoading, more, isLoadingAll, setLoadingAll }: Props) {
  return (
    <footer className="flex h-9 shrink-0 items-center gap-4 border-line border-t px-4 text-label text-t3 max-sm:hidden print:hidden">
      <ul aria-label="Keys" className="flex gap-4">
        {keys.map(({ keys: pressed, label, isWide = false }) => (
          <li key={label} className={`flex items-center gap-1 ${isWide ? 'max-xl:hidden' : ''}`}>
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
        {loaded === 0 ? '' : `1–${loaded.toLocaleString(numberLocale())}${total === null ? '' : ` of ${total}`}`}
      </span>
      {hasMore && isLoadingAll && (
        <Button kind="quiet" onClick={() => setLoadingAll(false)}>
          Stop loading
        </Button>
      )}
      {hasMore && !isLoadingAll && (
        <span className="flex">
          <Button kind="quiet" busy={isLoading} onClick={more}>
            Load more
          </Button>
          <Button kind="quiet" onClick={() => setLoadingAll(true)}>
            Load all
          </Button>
        </span>
      )}
    </footer>
  );
}
