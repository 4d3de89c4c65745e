import { LRUCache } from 'lru-cache';
import { withDeadline } from '#shared/async/deadline.ts';
import { singleFlight } from '#shared/async/single-flight.ts';

/** The state of a window after a take, by the store's clock. `consumed` includes the points of this take. */
export type WindowCount = { consumed: number; msLeft: number };

/** The counts that all processes share. */
export type CountStore = {
  /** Takes points from the current window of a key. Never refuses: the caller compares with its quota. */
  takePoints: (key: string, points: number) => Promise<WindowCount>;
  /** The current window of each key, null if none has begun. Takes nothing. */
  readCounts: (keys: readonly string[]) => Promise<(WindowCount | null)[]>;
};

/** The state of a key in its window. `remaining` is exact for one process and an estimate for several. */
export type Standing = { admitted: boolean; quota: number; remaining: number; resetS: number };

export type LimiterStats = {
  /** Takes that succeeded. */
  takes: number;
  /** Takes that failed or took too long. */
  failures: number;
  /** Requests admitted uncounted because the store was unavailable. */
  uncounted: number;
  unavailable: boolean;
};

export type BlockLimiter = {
  windowS: number;
  /**
   * Counts one request of the key. Returns at once while the process has points of the window left; otherwise takes the
   * next block. Never throws.
   */
  admit: (key: string, quota: number) => Standing | Promise<Standing>;
  /** Returns a point that `admit` took. It is lost if its window has ended. */
  giveBack: (key: string) => void;
  /** The state of the key as far as this process knows. Counts nothing. */
  standing: (key: string, quota: number) => Standing;
  /**
   * Returns each key's usage of its window in all processes together, without the unused points that this process
   * holds. Counts nothing. Null: the store is unavailable.
   */
  usage: (keys: readonly string[]) => Promise<WindowUsage[] | null>;
  stats: () => LimiterStats;
};

/** `endsInS` null: no window has begun. */
export type WindowUsage = { used: number; endsInS: number | null };

export type BlockLimiterOptions = CountStore & {
  windowS: number;
  /** Milliseconds that the store may take to respond. */
  timeoutMs: number;
  /** Called at most once a minute while the store is unavailable and requests pass uncounted. */
  onUnavailable: (error: unknown, stats: LimiterStats) => void;
  /** Monotonic milliseconds. */
  now?: () => number;
};

type Window = {
  /** Points of the block that are still free. */
  left: number;
  /** Points that this process used in the window. */
  used: number;
  /** Points that all processes took, as of this process's last take. */
  consumed: number;
  /** Monotonic milliseconds. */
  endsAtMs: number;
  waiting: number;
};

/** A window that is evicted loses its block: the points are counted, but not used. */
const maxWindows = 50_000;
const probeEveryMs = 1000;
const reportEveryMs = 60_000;

/**
 * Fixed windows whose counts are shared by all processes. Each process takes points in blocks instead of one by one.
 * While the store is unavailable, every request is admitted at once, and one take a second probes the store.
 *
 * All processes together admit at most the quota in one window: points are counted before they are used, and a process
 * ends its window no later than the store does. A process may hold unused points of its block, at most 5 % of the
 * quota, so a key that is spread over many processes can be refused that much early.
 */
export function openBlockLimiter(options: BlockLimiterOptions): BlockLimiter {
  const { windowS, takePoints, readCounts } = options;
  const now = options.now ?? (() => performance.now());
  const windows = new LRUCache<string, Window>({ max: maxWindows });
  const stats: LimiterStats = { takes: 0, failures: 0, uncounted: 0, unavailable: false };
  const oneTake = singleFlight<Window, void>();
  const late = `The count store did not respond within ${options.timeoutMs} ms.`;
  let probeAtMs = 0;
  let reportedAtMs = Number.NEGATIVE_INFINITY;

  const openWindow = (key: string): Window => {
    const window = { left: 0, used: 0, consumed: 0, endsAtMs: 0, waiting: 0 };
    windows.set(key, window);
    return window;
  };

  const take = async (key: string, window: Window, quota: number): Promise<void> => {
    const sentAtMs = now();
    if (window.endsAtMs <= sentAtMs) Object.assign(window, { left: 0, used: 0, consumed: 0 });
    const points = blockSize(window, quota);
    try {
      const count = await withDeadline(takePoints(key, points), options.timeoutMs, late);
      stats.takes += 1;
      stats.unavailable = false;
      fill(window, count, { points, quota, sentAtMs, nowMs: now() });
    } catch (error) {
      stats.failures += 1;
      stats.unavailable = true;
      probeAtMs = now() + probeEveryMs;
      if (now() - reportedAtMs < reportEveryMs) return;
      reportedAtMs = now();
      options.onUnavailable(error, { ...stats });
    }
  };

  const takeOnce = (key: string, window: Window, quota: number): Promise<void> =>
    oneTake(window, () => take(key, window, quota));

  /** Null: the window is unknown or over, or its block is used up while the quota is not. */
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
      probeAtMs = now() + probeEveryMs;
      void takeOnce(key, windows.get(key) ?? openWindow(key), quota);
    }
    return { admitted: true, quota, remaining: quota, resetS: windowS };
  };

  const admitFromStore = async (key: string, quota: number): Promise<Standing> => {
    for (;;) {
      if (stats.unavailable) return admitUncounted(key, quota);
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
      return stats.unavailable ? admitUncounted(key, quota) : admitFromStore(key, quota);
    },
    giveBack: (key) => {
      const window = windows.get(key);
      if (window === undefined || window.endsAtMs <= now() || window.used === 0) return;
      window.left += 1;
      window.used -= 1;
    },
    standing: (key, quota) => {
      const window = windows.get(key);
      if (window === undefined || window.endsAtMs <= now())
        return { admitted: true, quota, remaining: quota, resetS: windowS };
      return standingOf(window, quota, { admitted: window.left > 0 || window.consumed < quota, nowMs: now() });
    },
    usage: async (keys) => {
      const counts = await withDeadline(readCounts(keys), options.timeoutMs, late).catch(() => null);
      return counts?.map((count, index) => usageOf(count, windows.get(keys[index] ?? ''), now())) ?? null;
    },
    stats: () => ({ ...stats }),
  };
}

function usageOf(count: WindowCount | null, window: Window | undefined, nowMs: number): WindowUsage {
  if (count === null || count.msLeft <= 0) return { used: 0, endsInS: null };
  const held = window === undefined || window.endsAtMs <= nowMs ? 0 : window.left;
  return { used: Math.max(0, count.consumed - held), endsInS: Math.ceil(count.msLeft / 1000) };
}

/**
 * Between 1 % and 5 % of the quota, as much as the process has used so far, so that a process which rarely sees a key
 * doesn't hold points that another one needs. Towards the end of the quota at most half of what is left.
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
  // Counted from the request, so that no point is used after the store's window ends; one millisecond at least, so that
  // the request which caused the take is admitted.
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
