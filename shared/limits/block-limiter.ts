import type { CountStore, WindowCount } from './count-store.ts';
import { withDeadline } from './with-deadline.ts';

/** Where a key stands in its window. `remaining` is exact for one process and a close guess for several. */
export type Standing = { admitted: boolean; quota: number; remaining: number; resetS: number };

export type LimiterStats = {
  /** Takes that the store answered. */
  takes: number;
  /** Takes that failed or took too long. */
  failures: number;
  /** Requests that were let through uncounted because the store was away. */
  uncounted: number;
  away: boolean;
};

export type BlockLimiter = {
  windowS: number;
  /** Counts one request of the key. Answers at once while the process has points of the window; else takes the next block. Never throws. */
  admit: (key: string, quota: number) => Standing | Promise<Standing>;
  /** Where the key stands as far as this process knows; counts nothing. */
  standing: (key: string, quota: number) => Standing;
  /**
   * What each key has used of its window: all processes together, less what this one holds and has not used. Counts nothing. Null: the store of counts
   * is away.
   */
  usage: (keys: readonly string[]) => Promise<Usage[] | null>;
  stats: () => LimiterStats;
};

/** `endsInS` null: no window has begun. */
export type Usage = { used: number; endsInS: number | null };

export type BlockLimiterOptions = CountStore & {
  windowS: number;
  /** Milliseconds that the store may take to answer. */
  timeoutMs: number;
  /** Told at most once a minute that the store of counts is away and requests pass uncounted. */
  onAway: (error: unknown, stats: LimiterStats) => void;
  /** Monotonic milliseconds. */
  now?: () => number;
};

type Window = {
  /** Points of the block that are still free. */
  left: number;
  /** Points that this process used in the window. */
  used: number;
  /** Points that all processes took, as of our last take. */
  consumed: number;
  /** Monotonic milliseconds. */
  endsAtMs: number;
  taking: Promise<void> | null;
  waiting: number;
};

const mostWindows = 50_000;
const retryAwayMs = 1000;
const tellAwayMs = 60_000;

/**
 * Fixed windows whose counts are shared by all processes, which take blocks of points instead of asking for each request. While the store
 * is away everything is admitted; only a probe a second goes to it, and nobody waits for that.
 *
 * What all processes admit in one window of the store is at most the quota: points are counted before they are used, and a process ends its
 * window no later than the store does. A process may keep unused points of its block, at most 5 % of the quota, so a key that is spread over
 * many processes can be refused that much early.
 */
export function openBlockLimiter(options: BlockLimiterOptions): BlockLimiter {
  const { windowS, takePoints, readCounts } = options;
  const now = options.now ?? (() => performance.now());
  const windows = new Map<string, Window>();
  const stats: LimiterStats = { takes: 0, failures: 0, uncounted: 0, away: false };
  let probeAtMs = 0;
  let toldAtMs = Number.NEGATIVE_INFINITY;

  const openWindow = (key: string): Window => {
    const window = { left: 0, used: 0, consumed: 0, endsAtMs: 0, taking: null, waiting: 0 };
    windows.delete(key);
    windows.set(key, window);
    if (windows.size > mostWindows) evict(windows, now());
    return window;
  };

  const take = async (key: string, window: Window, quota: number): Promise<void> => {
    const sentAtMs = now();
    if (window.endsAtMs <= sentAtMs) Object.assign(window, { left: 0, used: 0, consumed: 0 });
    const points = blockSize(window, quota);
    try {
      const count = await withDeadline(takePoints(key, points), options.timeoutMs, 'counts');
      stats.takes += 1;
      stats.away = false;
      fill(window, count, { points, quota, sentAtMs, nowMs: now() });
    } catch (error) {
      stats.failures += 1;
      stats.away = true;
      probeAtMs = now() + retryAwayMs;
      if (now() - toldAtMs < tellAwayMs) return;
      toldAtMs = now();
      options.onAway(error, { ...stats });
    }
  };

  const takeOnce = (key: string, window: Window, quota: number): Promise<void> => {
    window.taking ??= take(key, window, quota).finally(() => {
      window.taking = null;
    });
    return window.taking;
  };

  /** Null: the window is unknown, over, or its block is used up while the quota is not. */
  const admitLocally = (window: Window | undefined, quota: number): Standing | null => {
    if (window === undefined || window.endsAtMs <= now()) return null;
    if (window.left > 0) {
      window.left -= 1;
      window.used += 1;
      return standingOf(window, quota, { admitted: true, nowMs: now() });
    }
    return window.consumed >= quota ? standingOf(window, quota, { admitted: false, nowMs: now() }) : null;
  };

  const admitUncounted = (key: string, quota: number): Standing => {
    stats.uncounted += 1;
    if (now() >= probeAtMs) {
      probeAtMs = now() + retryAwayMs;
      void takeOnce(key, windows.get(key) ?? openWindow(key), quota);
    }
    return { admitted: true, quota, remaining: quota, resetS: windowS };
  };

  const admitFromStore = async (key: string, quota: number): Promise<Standing> => {
    for (;;) {
      if (stats.away) return admitUncounted(key, quota);
      const window = windows.get(key) ?? openWindow(key);
      window.waiting += 1;
      await takeOnce(key, window, quota);
      window.waiting -= 1;
      const standing = admitLocally(window, quota);
      if (standing !== null) return standing;
    }
  };

  return {
    windowS,
    admit: (key, quota) => {
      const standing = admitLocally(windows.get(key), quota);
      if (standing !== null) return standing;
      return stats.away ? admitUncounted(key, quota) : admitFromStore(key, quota);
    },
    standing: (key, quota) => {
      const window = windows.get(key);
      if (window === undefined || window.endsAtMs <= now())
        return { admitted: true, quota, remaining: quota, resetS: windowS };
      return standingOf(window, quota, { admitted: window.left > 0 || window.consumed < quota, nowMs: now() });
    },
    usage: async (keys) => {
      const counts = await withDeadline(readCounts(keys), options.timeoutMs, 'counts').catch(() => null);
      return counts?.map((count, index) => usageOf(count, windows.get(keys[index] ?? ''), now())) ?? null;
    },
    stats: () => ({ ...stats }),
  };
}

function usageOf(count: WindowCount | null, window: Window | undefined, nowMs: number): Usage {
  if (count === null || count.msLeft <= 0) return { used: 0, endsInS: null };
  const held = window === undefined || window.endsAtMs <= nowMs ? 0 : window.left;
  return { used: Math.max(0, count.consumed - held), endsInS: Math.ceil(count.msLeft / 1000) };
}

/**
 * From 1 % of the quota up to 5 %, as much as the process has used so far: a key that asks a process seldom shall not lie on points that
 * another process needs. Towards the end of the quota at most half of what is left.
 */
function blockSize(window: Window, quota: number): number {
  const wanted = Math.max(quota / 100, window.used, window.waiting);
  const remaining = Math.max(quota - window.consumed, 0);
  return Math.max(1, Math.floor(Math.min(wanted, quota / 20, remaining / 2)));
}

type Take = { points: number; quota: number; sentAtMs: number; nowMs: number };

function fill(window: Window, count: WindowCount, { points, quota, sentAtMs, nowMs }: Take): void {
  const before = count.consumed - points;
  window.left += Math.min(points, Math.max(quota - before, 0));
  window.consumed = count.consumed;
  // Counted from when we asked, so that we stop using the points before the store forgets them; a millisecond at least, for the one who asked.
  window.endsAtMs = Math.max(sentAtMs + count.msLeft, nowMs + 1);
}

function standingOf(
  window: Window,
  quota: number,
  { admitted, nowMs }: { admitted: boolean; nowMs: number },
): Standing {
  const remaining = Math.max(quota - window.consumed, 0) + window.left;
  return {
    admitted,
    quota,
    remaining: Math.min(remaining, quota),
    resetS: Math.max(1, Math.ceil((window.endsAtMs - nowMs) / 1000)),
  };
}

/** The oldest windows stand in front. One that still runs loses its block: its points are counted but nobody uses them. */
function evict(windows: Map<string, Window>, nowMs: number): void {
  for (const [key, window] of windows) {
    if (window.endsAtMs > nowMs && windows.size <= mostWindows) return;
    windows.delete(key);
  }
}
