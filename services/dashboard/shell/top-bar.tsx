import { Link } from '@tanstack/react-router';
import { chosen } from '../api/call.ts';
import { useNow } from '../parts/hooks/use-now.ts';
import { Icon } from '../parts/icon.tsx';
import { momentWords, zoneWords } from '../parts/time-words.ts';
import { useAccount } from '../screens/session/use-session.ts';
import { AccountMenu } from './account-menu.tsx';
import { UpToDate } from './up-to-date.tsx';

/** The account, the search, and whether the page is up to date. */
export function TopBar({ openPalette }: { openPalette: () => void }) {
  const canWrite = useAccount().role !== 'viewer';
  return (
    <header className="flex h-12 shrink-0 items-center gap-6 border-line border-b px-4 max-sm:gap-2 print:hidden">
      <div className="min-w-0 max-sm:flex-1">
        <AccountMenu />
      </div>
      <button
        type="button"
        onClick={openPalette}
        aria-label="Search or paste a number"
        aria-keyshortcuts="/ Control+K Meta+K"
        className="flex h-8 w-[440px] min-w-8 items-center gap-2 rounded-control border border-line2 px-2.5 text-t3 hover:bg-hover max-sm:w-8 max-sm:justify-center max-sm:border-transparent max-sm:px-0 max-sm:text-t1"
      >
        <Icon name="search" size={16} />
        <span className="truncate max-sm:hidden">Search or paste a number</span>
        <kbd className="ml-auto rounded-badge border border-line2 px-1.5 font-sans text-axis text-t3 max-sm:hidden">
          /
        </kbd>
      </button>
      {canWrite && (
        <Link
          to="/add"
          aria-label="Track a shipment"
          className="hidden size-8 place-items-center rounded-control text-t1 max-sm:grid"
        >
          <Icon name="plus" />
        </Link>
      )}
      <div className="ml-auto flex items-center gap-3 max-sm:hidden">
        <UpToDate />
        <span className="rounded-badge border border-line2 px-1.5 text-axis text-t3 max-md:hidden" aria-hidden="true">
          {isApple() ? '⌘' : 'Ctrl'} K
        </span>
      </div>
    </header>
  );
}

function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}

/** The account and the time of a printed page. */
export function PrintedLine() {
  const account = useAccount();
  const at = new Date(useNow()).toISOString();
  return (
    <p className="hidden px-4 pb-2 text-label text-t2 print:block">
      {account.name}
      {chosen.mode === 'test' && ', test shipments'} · Landfall, {momentWords(at, { now: 0 })} {zoneWords(at)}
    </p>
  );
}
