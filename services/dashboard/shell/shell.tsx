import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useSession } from '../session/use-session.ts';
import { overviewQuery } from './overview.ts';
import { Palette } from './palette.tsx';
import { Rail } from './rail.tsx';
import { TabBar } from './tab-bar.tsx';
import { TopBar } from './top-bar.tsx';
import { useChangeFeed } from './use-change-feed.ts';

/** The frame that never moves: rail, top bar, and the screen between them. */
export function Shell() {
  const { simulated } = useSession();
  useChangeFeed();
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const failures = useQuery(overviewQuery).data?.failures.reduce((sum, { count }) => sum + count, 0) ?? 0;
  const openPalette = () => setPaletteOpen(true);
  return (
    <div className="flex h-dvh print:block print:h-auto">
      <a href="#screen" className="sr-only focus:not-sr-only focus:absolute focus:z-40 focus:bg-bg focus:p-2">
        Skip to the content
      </a>
      <Rail failures={failures} />
      <div className="flex min-w-0 flex-1 flex-col">
        <TopBar openPalette={openPalette} />
        {simulated && (
          <aside aria-label="Simulated carriers" className="shrink-0 bg-sunk px-4 py-1 text-label text-t2">
            Simulated carriers: nothing here happens in the world.
          </aside>
        )}
        <main id="screen" tabIndex={-1} className="min-h-0 flex-1 overflow-auto outline-none print:overflow-visible">
          <Suspense fallback={null}>
            <Outlet />
          </Suspense>
        </main>
        <TabBar failures={failures} openMore={openPalette} />
      </div>
      <Palette open={isPaletteOpen} setOpen={setPaletteOpen} />
    </div>
  );
}
