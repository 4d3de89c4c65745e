import { setTimeout as pause } from 'node:timers/promises';
import type { Store } from '#shared/store/open-store.ts';
import { withSystem } from '#shared/store/with-account.ts';

/** Refreshes in a window, and their average lag. */
type Lag = { refreshes: number; lagS: number };

/** Before an incident and during it. */
export type Lags = { before: Lag; during: Lag };

export type RefreshWatch = {
  /** Waits that long; returns what happened at these connectors in that time. */
  during: (seconds: number) => Promise<(...connectors: string[]) => Lag>;
  close: () => Promise<void>;
};

type Polled = { id: string; connector: string; attempts: number; due: Date | null; attempted: Date | null };

/** Time between two reads of the polling rows. Refreshes of one shipment are farther apart, so none is missed. */
const everyMs = 150;
const fromWhenOverdueS = 1;

/**
 * Notes every refresh and how late it was, counted from when it was first due, even if the budget postponed it since.
 * Shipments that are overdue by more than a second at the end of a window count too.
 */
export function watchRefreshes(store: Store): RefreshWatch {
  const refreshes: { connector: string; atMs: number; lateS: number }[] = [];
  const waiting = new Map<string, { connector: string; attempts: number; dueMs: number }>();
  let isClosed = false;

  const note = ({ id, connector, attempts, due, attempted }: Polled): void => {
    const dueMs = due?.getTime() ?? Number.POSITIVE_INFINITY;
    const known = waiting.get(id);
    if (known?.attempts === attempts) {
      known.dueMs = Math.min(known.dueMs, dueMs);
      return;
    }
    waiting.set(id, { connector, attempts, dueMs });
    const atMs = attempted?.getTime() ?? 0;
    if (known !== undefined) refreshes.push({ connector, atMs, lateS: Math.max(0, atMs - known.dueMs) / 1000 });
  };
  const watch = async (): Promise<void> => {
    while (!isClosed) {
      for (const row of await readPolling(store)) note(row);
      await pause(everyMs);
    }
  };
  const watching = watch();

  return {
    during: async (seconds) => {
      if (seconds === 0) return () => together([]);
      const fromMs = Date.now();
      await pause(seconds * 1000);
      const toMs = Date.now();
      const overdue = [...waiting.values()].map(({ connector, dueMs }) => ({
        connector,
        lateS: (toMs - dueMs) / 1000,
      }));
      // The last refreshes are noted with the next read.
      await pause(1.5 * everyMs);
      const late = [
        ...refreshes.filter(({ atMs }) => atMs >= fromMs && atMs < toMs),
        ...overdue.filter(({ lateS }) => lateS > fromWhenOverdueS),
      ];
      return (...connectors) =>
        together(
          late
            .filter(({ connector }) => connectors.includes(connector))
            .map(({ lateS }) => ({ refreshes: 1, lagS: lateS })),
        );
    },
    close: async () => {
      isClosed = true;
      await watching;
    },
  };
}

/** Many comparisons as one. */
export function pooled(lags: readonly Lags[]): Lags {
  return { before: together(lags.map(({ before }) => before)), during: together(lags.map(({ during }) => during)) };
}

/** The average over all refreshes. */
function together(lags: readonly Lag[]): Lag {
  const refreshes = lags.reduce((sum, lag) => sum + lag.refreshes, 0);
  const lagS = lags.reduce((sum, lag) => sum + lag.lagS * lag.refreshes, 0) / Math.max(1, refreshes);
  return { refreshes, lagS: Math.round(lagS * 1000) / 1000 };
}

function readPolling(store: Store): Promise<Polled[]> {
  return withSystem(store, async (tx) => {
    const { rows } = await tx.query<Polled>({
      name: 'read-polling-for-drill',
      text: `
        select shipment_id as id, connector, attempts::integer, next_refresh_at as due, last_refreshed_at as attempted
        from landfall.polling`,
    });
    return rows;
  });
}
