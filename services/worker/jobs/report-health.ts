import {
  endWorker,
  type HealthRow,
  reportCarrierHealth,
  type ServedRow,
} from '#shared/core/carriers/report-carrier-health.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { measureDemand } from '#shared/core/tracking/measure-demand.ts';
import type { BudgetPressure } from '../pacing/budget-pressure.ts';
import { repeatJob } from './repeat-job.ts';

export type HealthReport = {
  workerId: string;
  health: () => HealthRow[];
  served: () => ServedRow[];
  /** Told how many workers live. */
  onWorkers: (workers: number) => void;
  signal: AbortSignal;
};

const healthEveryMs = 5000;
const demandEveryMs = 30_000;

/** Tells every five seconds how the carriers answer, until `signal`. */
export async function runHealthReport(core: CoreContext, report: HealthReport): Promise<void> {
  const { workerId, signal } = report;
  const run = async (): Promise<number> => {
    report.onWorkers(await reportCarrierHealth(core, workerId, { health: report.health(), served: report.served() }));
    return healthEveryMs;
  };
  await repeatJob({ name: 'the health report', run, signal, log: core.log, longestPauseMs: 30_000 });
  // It is forgotten by itself where this fails.
  await endWorker(core, workerId).catch(() => undefined);
}

/** Compares planned refreshes with the budgets twice a minute, until `signal`. */
export async function runDemandWatch(core: CoreContext, pressure: BudgetPressure, signal: AbortSignal): Promise<void> {
  const run = async (): Promise<number> => {
    pressure.update(await measureDemand(core));
    return demandEveryMs * (0.9 + 0.2 * Math.random());
  };
  await repeatJob({ name: 'the demand watch', run, signal, log: core.log, longestPauseMs: 120_000 });
}
