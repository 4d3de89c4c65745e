import { shownFreeTime } from '../free-time/shown-free-time.ts';
import type { Journey } from '../record/shipment.ts';

export const freeTimeOutcomes = ['within', 'exceeded', 'open', 'unknown', 'none'] as const;
/**
 * Outcome of free time for the containers of a shipment. `exceeded`: a last free day passed before its clock stopped.
 * `open`: a clock has not stopped yet. `unknown`: no last free day is known. `within`: every clock stopped in time.
 * `none`: it has no clock, or none that ever started.
 */
export type FreeTimeOutcome = (typeof freeTimeOutcomes)[number];

export function freeTimeOutcomeOf({
  containers,
  exceptions,
}: Pick<Journey, 'containers' | 'exceptions'>): FreeTimeOutcome {
  const clocks = containers.flatMap((container) => shownFreeTime(container).clocks);
  const has = (...states: string[]) => clocks.some(({ state }) => states.includes(state));
  if (has('over') || exceptions.some(({ code }) => code === 'last_free_day_passed')) return 'exceeded';
  if (has('running', 'expiring')) return 'open';
  if (has('unknown_terms') || clocks.some(({ state, lastFreeDay }) => state === 'stopped' && lastFreeDay === null))
    return 'unknown';
  return has('stopped') ? 'within' : 'none';
}
