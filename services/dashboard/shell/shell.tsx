import { useQuery } from '@tanstack/react-query';
import { Outlet, useNavigate } from '@tanstack/react-router';
import { Suspense, useEffect, useRef, useState } from 'react';
import { FlashNote } from '../parts/flash-note.tsx';
import { lazyPart, OnceOpen } from '../parts/lazy-parts.tsx';
import { countFailures } from '../screens/failures/group-failures.ts';
import { useSession } from '../screens/session/use-session.ts';
import { overviewQuery } from '../screens/shipments/overview.ts';
import { shownScreens } from './commands.ts';
import { Palette, preloadPalette } from './palette.tsx';
import { Rail, TabBar } from './rail.tsx';
import type { Screen } from './screens.ts';
import { StallBanner } from './stall-banner.tsx';
import { PrintedLine, TopBar } from './top-bar.tsx';
import { UpToDate } from './up-to-date.tsx';
import { useChangeFeed } from './use-change-feed.ts';

const KeysDialog = lazyPart(async () => (await import('./keys-dialog.tsx')).KeysDialog);
const MoreSheet = lazyPart(async () => (await import('./more-sheet.tsx')).MoreSheet);

const maxTabs = 4;
const onPhone = ['/', '/failures', '/map', '/operations', '/carriers'];

/** The frame around every screen: rail and top bar. */
export function Shell() {
  const { simulated, user } = useSession();
  const [open, setOpen] = useState<'palette' | 'keys' | 'more' | null>(null);
  const failures = countFailures(useQuery(overviewQuery).data?.failures ?? []).needing;
  const screens = shownScreens(user.is_operator);
  const tabbed = onPhone.flatMap((to) => screens.filter((screen) => screen.to === to)).slice(0, maxTabs);
  const close = () => setOpen(null);
  const openPalette = () => setOpen('palette');
  useChangeFeed();
  useEffect(preloadPalette, []);
  useShellKeys({ openPalette, openKeys: () => setOpen('keys'), screens });
  return (
    <div className="flex h-dvh print:block print:h-auto">
      <a href="#screen" className="sr-only focus:not-sr-only focus:absolute focus:z-40 focus:bg-bg focus:p-2">
        Skip to content
      </a>
      <Rail failures={failures} />
      <div className="flex min-w-0 flex-1 flex-col print:block">
        <PrintedLine />
        <TopBar openPalette={openPalette} />
        <UpToDate isStrip />
        <StallBanner />
        {simulated && (
          <aside aria-label="Simulated carriers" className="shrink-0 bg-sunk px-4 py-1 text-label text-t2">
            Carriers are simulated. Tracking data is not real.
          </aside>
        )}
        <main
          id="screen"
          tabIndex={-1}
          className="relative min-h-0 flex-1 overflow-auto outline-none print:overflow-visible"
        >
          <Suspense fallback={null}>
            <Outlet />
          </Suspense>
        </main>
        <TabBar screens={tabbed} failures={failures} openMore={() => setOpen('more')} />
      </div>
      <FlashNote />
      <Palette isOpen={open === 'palette'} close={close} showKeys={() => setOpen('keys')} />
      <OnceOpen isOpen={open === 'keys'}>
        <KeysDialog isOpen={open === 'keys'} close={close} screens={screens} />
      </OnceOpen>
      <OnceOpen isOpen={open === 'more'}>
        <MoreSheet
          isOpen={open === 'more'}
          close={close}
          screens={screens.filter((screen) => !tabbed.includes(screen))}
        />
      </OnceOpen>
    </div>
  );
}

type Keys = { openPalette: () => void; openKeys: () => void; screens: readonly Screen[] };

/** Maximum time between the keys of a sequence. */
const maxSequenceMs = 1200;

/** The global keys: `/` and Ctrl+K, `?`, and `g` with a letter for each screen. Only Ctrl+K works in text fields. */
function useShellKeys(keys: Keys): void {
  const navigate = useNavigate();
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    let startedAt = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent) => {
      const { openPalette, openKeys, screens } = latest.current;
      if (event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey) && !event.altKey) {
        event.preventDefault();
        openPalette();
        return;
      }
      if (event.metaKey || event.ctrlKey || event.altKey || event.isComposing || isTaken(event.target)) return;
      const isSecond = event.timeStamp - startedAt < maxSequenceMs;
      startedAt = Number.NEGATIVE_INFINITY;
      const screen = isSecond ? screens.find((one) => one.keys === `g ${event.key}`) : undefined;
      if (screen !== undefined) navigate({ to: screen.to });
      else if (event.key === 'g') startedAt = event.timeStamp;
      else if (event.key === '/') openPalette();
      else if (event.key === '?') openKeys();
      else return;
      event.preventDefault();
      // The second key of a sequence must not trigger the keys of the screen.
      event.stopImmediatePropagation();
    };
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, [navigate]);
}

/** The target is a text field or an open dialog or menu, which has its own keys. */
function isTaken(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox]') !== null
  );
}
