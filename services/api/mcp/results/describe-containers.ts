import { shownFreeTime } from '#shared/domain/free-time/shown-free-time.ts';
import type { ContainerState, Journey, RecordEvent } from '#shared/domain/record/shipment.ts';
import type { Form } from './detail-forms.ts';
import { lastEventOf } from './matched-number.ts';
import { shortText } from './tool-result.ts';

/**
 * Every container with its status and last event: the first ones in full, the others as numbers by what they have in
 * common. Says how many are not named, if there are very many.
 */
export function nameContainers(containers: readonly ContainerState[], form: Form, events: readonly RecordEvent[]) {
  const named = containers.slice(form.containers, form.containers + form.numbers);
  const byState = Map.groupBy(named, (container) =>
    [container.status, lastCodeOf(container, events)].filter((part) => part !== undefined).join(', '),
  );
  const more = [...byState].map(([state, alike]) => [
    state,
    alike.map(({ number }) => shortText(number, 20)).join(' '),
  ]);
  const unnamed = form.numbers === 0 ? 0 : containers.length - form.containers - named.length;
  return {
    containers: containers.slice(0, form.containers).map((container) => describeContainer(container, events, false)),
    more_containers: Object.fromEntries(more),
    containers_not_named: unnamed > 0 ? unnamed : null,
  };
}

function lastCodeOf({ number }: ContainerState, events: readonly RecordEvent[]): string | undefined {
  return lastEventOf(events, ({ container }) => container === number || container === null)?.code;
}

/** The most urgent clock of all containers. Null: none runs, and none may. */
export function describeFreeTime({ freeTime }: Pick<Journey, 'freeTime'>): Record<string, unknown> | null {
  if (freeTime === null || freeTime.state === 'not_started' || freeTime.state === 'stopped') return null;
  return {
    state: freeTime.state,
    last_free_day: freeTime.lastFreeDay,
    days_left: freeTime.daysLeft,
    cost:
      freeTime.costs
        .map(({ amount, currency, isFloor }) => `${isFloor ? 'at least ' : ''}${amount} ${currency}`)
        .join(', ') || null,
  };
}

/** Clocks that are open: one that has not started or has stopped needs nobody. */
export function describeContainer(
  container: ContainerState,
  events: readonly RecordEvent[],
  isDetailed: boolean,
): Record<string, unknown> {
  const { holds, lastFreeDay, clocks, availability } = shownFreeTime(container);
  const open = clocks.filter(({ state }) => state !== 'not_started' && state !== 'stopped');
  const brief = {
    number: shortText(container.number, 20),
    status: container.status,
    last_event: lastCodeOf(container, events),
    holds: holds.filter(({ status }) => status === 'active').map(({ type }) => type),
    last_free_day: lastFreeDay.effective,
    clocks: open.map(({ kind, state, daysLeft, cost, lastFreeDay: day }) => ({
      kind,
      state,
      last_free_day: day === lastFreeDay.effective ? null : day,
      days_left: daysLeft,
      cost: cost && `${cost.isFloor ? 'at least ' : ''}${cost.amount} ${cost.currency}`,
    })),
  };
  if (!isDetailed) return brief;
  return {
    ...brief,
    available: availability.available,
    last_free_day_source: lastFreeDay.source,
    iso_type: shortText(container.isoType, 10),
    seals: container.seals.slice(0, 4).map((seal) => shortText(seal, 20)),
  };
}
