import {
  type ComponentType,
  type LazyExoticComponent,
  lazy,
  type ReactElement,
  type ReactNode,
  Suspense,
  useEffect,
  useState,
} from 'react';
import { loadModule } from '../api/load-module.ts';
import { ProblemNote } from './page-states.tsx';
import { SkeletonRows } from './skeleton.tsx';

// biome-ignore lint/suspicious/noExplicitAny: the properties of a component are its own
type AnyComponent = ComponentType<any>;

/** A part of a page that is loaded when it is first shown. While Landfall does not answer, loading is tried again. */
export function lazyPart<Part extends AnyComponent>(load: () => Promise<Part>): LazyExoticComponent<Part> {
  return lazy(async () => ({ default: await loadModule(load) }));
}

/** Loads a dialog when it first opens. It then stays mounted, so that closing it can return the focus. */
export function OnceOpen({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  return wasOpen || isOpen ? <Suspense fallback={null}>{children}</Suspense> : null;
}

type Screen = (() => ReactElement) & { preload: () => Promise<void> };

/**
 * A screen that is loaded when it is opened or about to be. If Landfall does not answer, the page stays and opens the
 * screen once it does. The page is loaded again only if a newer build has replaced the file.
 */
export function lazyScreen(load: () => Promise<ComponentType>): Screen {
  let loaded: ComponentType | null = null;
  const keep = (component: ComponentType) => {
    loaded = component;
  };
  const LazyScreen = () => {
    const [, setOpened] = useState(false);
    if (loaded !== null) {
      const Loaded = loaded;
      return <Loaded />;
    }
    return <Opening load={async (onWaiting) => keep(await loadModule(load, { onWaiting }))} opened={setOpened} />;
  };
  // The screen retries a failed import.
  return Object.assign(LazyScreen, { preload: () => load().then(keep, () => undefined) });
}

type OpeningProps = { load: (onWaiting: () => void) => Promise<void>; opened: (isOpen: true) => void };

function Opening({ load, opened }: OpeningProps) {
  const [isWaiting, setWaiting] = useState(false);
  const [error, setError] = useState<unknown>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a screen is loaded once
  useEffect(() => {
    load(() => setWaiting(true)).then(
      () => opened(true),
      (problem: unknown) => !reloadOnce() && setError(problem),
    );
  }, []);
  if (error !== null) return <ProblemNote error={error} retry={() => window.location.reload()} className="p-4" />;
  if (!isWaiting) return <SkeletonRows rows={8} cells={['w-32', 'w-40', 'w-24']} label="Loading the screen" />;
  return (
    <p role="status" className="p-4 text-body text-t2">
      <span className="font-medium text-t1">Landfall is unreachable.</span> This screen opens as soon as Landfall
      answers.
    </p>
  );
}

const reloadedKey = 'landfall.reloaded';
const minReloadMs = 60_000;

/** Loads the page again, but not in a loop. False: it was just done. */
function reloadOnce(): boolean {
  try {
    const before = Number(sessionStorage.getItem(reloadedKey) ?? 0);
    if (Date.now() - before < minReloadMs) return false;
    sessionStorage.setItem(reloadedKey, String(Date.now()));
  } catch {
    // Without storage nothing would stop a loop.
    return false;
  }
  window.location.reload();
  return true;
}
