import { Link } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { chosen } from '../api/call.ts';
import { readFeedState, watchFeedState } from '../api/change-feed.ts';
import { useNow } from '../parts/hooks/use-now.ts';
import { Icon } from '../parts/icon.tsx';
import { momentWords, zoneWords } from '../parts/time-words.ts';
import { useAccount } from '../screens/session/use-session.ts';
import { AccountMenu } from './account-menu.tsx';

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

/** Whether the page is up to date, and since when. On a phone it is shown only if not. */
export function UpToDate({ isStrip = false }: { isStrip?: boolean }) {
  const { readAt, isConnected } = useSyncExternalStore(watchFeedState, readFeedState);
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  const isCurrent = isOnline && isConnected;
  if ((readAt === 0 || isStrip) && isCurrent) return null;
  const at = new Date(readAt).toISOString();
  const since = readAt === 0 ? '' : `${momentWords(at, { seconds: true }).split(' ').at(-1)} ${zoneWords(at)}`;
  const state = isCurrent ? 'Up to date' : `${isOnline ? 'No connection' : 'Offline'}${since === '' ? '' : ' since'}`;
  return (
    <p
      role="status"
      aria-live={isCurrent ? 'off' : 'polite'}
      className={`items-center gap-2 whitespace-nowrap text-label tabular-nums ${isCurrent ? 'text-t2' : 'text-t1'} ${isStrip ? 'hidden bg-sunk px-4 py-1 max-sm:flex print:hidden' : 'flex'}`}
    >
      <span aria-hidden="true" className={`size-1.5 rounded-full ${isCurrent ? 'bg-green' : 'bg-red'}`} />
      {state} {since}
      {!isCurrent && <span className="text-t2">· retrying</span>}
    </p>
  );
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
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
