import { compareText } from '../events/event-order.ts';
import {
  type Clock,
  type ClockState,
  type Cost,
  type FreeTimeSummary,
  maxUrgentContainers,
  type UrgentContainer,
} from '../record/free-time.ts';
import type { AssessedClock } from './assess-clock.ts';
import { roundAmount } from './count-days.ts';

/** Most urgent first. */
const urgency: readonly ClockState[] = ['over', 'expiring', 'unknown_terms', 'running', 'not_started', 'stopped'];
const settled: readonly ClockState[] = ['not_started', 'stopped'];

type Assessed = { number: string; clocks: readonly AssessedClock[] };

/** The free time of a shipment. Null: it has no containers. */
export function summarizeFreeTime(containers: readonly Assessed[]): FreeTimeSummary | null {
  const all = containers.flatMap(({ clocks }) => clocks);
  const states = [...new Set(all.map(({ clock }) => clock.state))].sort(compareText);
  const state = urgency.find((one) => states.includes(one));
  if (state === undefined) return null;
  const open = containers.flatMap(({ number, clocks }) => urgentOf(number, clocks) ?? []).sort(compareUrgency);
  const days = all.flatMap(({ clock }) => (isOpen(clock) && clock.lastFreeDay !== null ? [clock.lastFreeDay] : []));
  const left = all.flatMap(({ clock }) => clock.daysLeft ?? []);
  const nextMs = Math.min(...all.map((one) => one.nextMs));
  return {
    state,
    states,
    lastFreeDay: days.sort(compareText)[0] ?? null,
    daysLeft: left.length === 0 ? null : Math.min(...left),
    costs: sumCosts(all.flatMap(({ clock }) => clock.cost ?? [])),
    unknownTerms: containers.filter(({ clocks }) => clocks.some(({ clock }) => clock.state === 'unknown_terms')).length,
    containers: open.slice(0, maxUrgentContainers),
    more: Math.max(0, open.length - maxUrgentContainers),
    nextAssessmentAt: Number.isFinite(nextMs) ? new Date(nextMs).toISOString() : null,
  };
}

function isOpen({ state }: Pick<Clock, 'state'>): boolean {
  return !settled.includes(state);
}

/** The most urgent clock of a container. */
function urgentOf(number: string, clocks: readonly AssessedClock[]): UrgentContainer | undefined {
  return clocks
    .filter(({ clock }) => isOpen(clock))
    .map(({ clock: { kind, state, lastFreeDay, daysLeft, cost } }) => ({
      number,
      kind,
      state,
      lastFreeDay,
      daysLeft,
      cost,
    }))
    .sort(compareUrgency)[0];
}

function compareUrgency(left: UrgentContainer, right: UrgentContainer): number {
  return (
    urgency.indexOf(left.state) - urgency.indexOf(right.state) ||
    compareText(left.lastFreeDay ?? '', right.lastFreeDay ?? '') ||
    compareText(left.number, right.number) ||
    compareText(left.kind, right.kind)
  );
}

/** By currency. */
function sumCosts(costs: readonly Cost[]): Cost[] {
  return [...Map.groupBy(costs, ({ currency }) => currency)]
    .map(([currency, own]) => ({
      amount: roundAmount(own.reduce((sum, { amount }) => sum + amount, 0)),
      currency,
      isFloor: own.some(({ isFloor }) => isFloor),
    }))
    .sort((left, right) => compareText(left.currency, right.currency));
}
