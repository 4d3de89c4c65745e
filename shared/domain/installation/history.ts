import type { OperationsState } from './operations.ts';
import { countFailed, countTroubled } from './troubled.ts';

/** Calls of five minutes to one carrier. `limited`: some were put off because of its rate limit. */
export type ConnectorCalls = { requests: number; succeeded: number; limited: boolean };

/** The numbers of the operations screen at one moment, ISO UTC. `connectors` covers the five minutes before. */
export type OperationsSample = {
  at: string;
  oldestDueS: number;
  callsPerMinute: number;
  troubled: number;
  failedRefreshes: number;
  feedAgeS: number;
  connectors: Readonly<Record<string, ConnectorCalls>>;
};

export const sampleEveryMs = 5 * 60_000;
const historyMs = 24 * 3_600_000;
const trendEveryMs = 15 * 60_000;
const barEveryMs = 30 * 60_000;
export const trendSlots = historyMs / trendEveryMs;
export const barSlots = historyMs / barEveryMs;

/** The five minutes that a moment belongs to. Workers agree on it without asking each other. */
export function sampleTime(nowMs: number): string {
  return new Date(Math.floor(nowMs / sampleEveryMs) * sampleEveryMs).toISOString();
}

export function sampleOf(state: OperationsState, at: string): OperationsSample {
  return {
    at,
    oldestDueS: state.dueCount === 0 ? 0 : state.dueOldestAgeS,
    callsPerMinute: state.callsPerMinute,
    troubled: countTroubled(state),
    failedRefreshes: countFailed(state.failures),
    feedAgeS: state.unsequencedAgeS,
    connectors: Object.fromEntries(
      state.connectors
        .filter(({ requests }) => requests > 0)
        .map(({ connector, requests, succeeded, closedForS }) => [
          connector,
          { requests, succeeded, limited: (closedForS ?? 0) > 0 },
        ]),
    ),
  };
}

export const trends = ['oldestDueS', 'callsPerMinute', 'troubled', 'failedRefreshes', 'feedAgeS'] as const;
export type Trend = (typeof trends)[number];

/** The last 24 hours. A slot without a sample is null: no worker was running then. */
export type OperationsHistory = {
  /** The worst of each quarter of an hour, oldest first. */
  trends: Record<Trend, (number | null)[]>;
  /** Calls of each half hour, oldest first, by connector. */
  bars: Record<string, (ConnectorCalls | null)[]>;
};

export function historyOf(samples: readonly OperationsSample[], nowMs: number): OperationsHistory {
  const slotOf = ({ at }: OperationsSample, everyMs: number) => {
    const slots = historyMs / everyMs;
    return slots - 1 - Math.floor((nowMs - Date.parse(at)) / everyMs);
  };
  const empty = <Value>(slots: number) => Array.from({ length: slots }, (): Value | null => null);
  const history: OperationsHistory = {
    trends: Object.fromEntries(trends.map((name) => [name, empty<number>(trendSlots)])) as OperationsHistory['trends'],
    bars: {},
  };
  const watched = new Set<number>();
  for (const sample of samples) {
    const slot = slotOf(sample, trendEveryMs);
    if (slot < 0 || slot >= trendSlots) continue;
    for (const name of trends) history.trends[name][slot] = Math.max(history.trends[name][slot] ?? 0, sample[name]);
    const bar = slotOf(sample, barEveryMs);
    watched.add(bar);
    for (const [connector, calls] of Object.entries(sample.connectors)) {
      history.bars[connector] ??= empty<ConnectorCalls>(barSlots);
      const bars = history.bars[connector];
      bars[bar] = sum(bars[bar] ?? null, calls);
    }
  }
  // A worker was watching, and there were no calls.
  for (const bars of Object.values(history.bars))
    for (const slot of watched) bars[slot] ??= { requests: 0, succeeded: 0, limited: false };
  return history;
}

function sum(before: ConnectorCalls | null, { requests, succeeded, limited }: ConnectorCalls): ConnectorCalls {
  if (before === null) return { requests, succeeded, limited };
  return {
    requests: before.requests + requests,
    succeeded: before.succeeded + succeeded,
    limited: before.limited || limited,
  };
}
