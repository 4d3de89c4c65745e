import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { OnceOpen } from '../parts/once-open.tsx';
import { useSession } from '../screens/session/use-session.ts';
import { shownScreens } from './commands.ts';
import { overviewQuery } from './overview.ts';
import { Palette, preloadPalette } from './palette.tsx';
import { PrintedLine } from './printed-line.tsx';
import { Rail } from './rail.tsx';
import { TabBar } from './tab-bar.tsx';
import { TopBar } from './top-bar.tsx';
import { UpToDate } from './up-to-date.tsx';
import { useChangeFeed } from './use-change-feed.ts';
import { useShellKeys } from './use-shell-keys.ts';

const KeysDialog = lazy(async () => ({ default: (await import('./keys-dialog.tsx')).KeysDialog }));
const MoreSheet = lazy(async () => ({ default: (await import('./more-sheet.tsx')).MoreSheet }));

/** What a phone shows below; the rest is behind "More". */
const tabs = 4;
const onPhone = ['/', '/failures', '/map', '/operations', '/carriers'];

/** The frame that never moves: rail, top bar, and the screen between them. */
export function Shell() {
  const { simulated, user } = useSession();
  const [open, setOpen] = useState<'palette' | 'keys' | 'more' | null>(null);
  const failures = useQuery(overviewQuery).data?.failures.reduce((sum, { count }) => sum + count, 0) ?? 0;
  const screens = shownScreens(user.is_operator);
  const tabbed = onPhone.flatMap((to) => screens.filter((screen) => screen.to === to)).slice(0, tabs);
  const close = () => setOpen(null);
  const openPalette = () => setOpen('palette');
  useChangeFeed();
  useEffect(preloadPalette, []);
  useShellKeys({ openPalette, openKeys: () => setOpen('keys'), screens });
  return (
    <div className="flex h-dvh print:block print:h-auto">
      <a href="#screen" className="sr-only focus:not-sr-only focus:absolute focus:z-40 focus:bg-bg focus:p-2">
        Skip to the content
      </a>
      <Rail failures={failures} />
      <div className="flex min-w-0 flex-1 flex-col print:block">
        <PrintedLine />
        <TopBar openPalette={openPalette} />
        <UpToDate isStrip />
        {simulated && (
          <aside aria-label="Simulated carriers" className="shrink-0 bg-sunk px-4 py-1 text-label text-t2">
            Simulated carriers: nothing here happens in the world.
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
