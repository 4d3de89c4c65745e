import type { z } from 'zod';
import { shownFreeTime } from '#shared/domain/free-time/shown-free-time.ts';
import type { Clock, FreeTimeSummary, UrgentContainer } from '#shared/domain/record/free-time.ts';
import type { ContainerState } from '#shared/domain/record/shipment.ts';
import { toEventId, toWireHold, toWireTime } from './event-wire.ts';
import type { wireFreeTime } from './free-time-parts.ts';
import type { wireContainer } from './record-parts.ts';

type WireContainer = z.infer<typeof wireContainer>;

export function toWireContainer(container: ContainerState): WireContainer {
  const { availability, holds, fees, milestones, lastFreeDay, clocks } = shownFreeTime(container);
  return {
    number: container.number,
    iso_type: container.isoType,
    status: container.status,
    seals: container.seals,
    availability: {
      known: availability.known,
      available: availability.available,
      since: toWireTime(availability.since),
    },
    holds: holds.map((hold) => ({ ...toWireHold(hold), source: hold.source, since: hold.since })),
    fees: fees.map(({ type, amount, currency, source }) => ({ type, amount, currency, source })),
    milestones: {
      empty_out: toWireTime(milestones.emptyOut),
      full_in: toWireTime(milestones.fullIn),
      loaded: toWireTime(milestones.loaded),
      departed: toWireTime(milestones.departed),
      arrived: toWireTime(milestones.arrived),
      discharged: toWireTime(milestones.discharged),
      available: toWireTime(milestones.available),
      full_out: toWireTime(milestones.fullOut),
      empty_in: toWireTime(milestones.emptyIn),
    },
    last_free_day: {
      effective: lastFreeDay.effective,
      source: lastFreeDay.source,
      line: lastFreeDay.line,
      terminal: lastFreeDay.terminal,
      calculated: lastFreeDay.calculated,
      manual: lastFreeDay.manual,
    },
    clocks: clocks.map(toWireClock),
  };
}

export function toWireFreeTime(summary: FreeTimeSummary | null): z.infer<typeof wireFreeTime> {
  return (
    summary && {
      state: summary.state,
      last_free_day: summary.lastFreeDay,
      days_left: summary.daysLeft,
      costs: summary.costs.map(toWireCost),
      containers: summary.containers.map((container) => ({ number: container.number, ...toWireHead(container) })),
      more: summary.more,
      unknown_terms: summary.unknownTerms,
    }
  );
}

function toWireClock(clock: Clock): WireContainer['clocks'][number] {
  return {
    ...toWireHead(clock),
    started_at: toWireTime(clock.startedAt),
    start_event_id: clock.startEventId && toEventId(clock.startEventId),
    stopped_at: toWireTime(clock.stoppedAt),
    free_days: clock.freeDays,
    counting: clock.counting,
    terms_source: clock.termsSource,
    // Journeys may have been stored without it.
    calendar: clock.calendar ?? null,
  };
}

function toWireHead({ kind, state, lastFreeDay, daysLeft, cost }: Omit<UrgentContainer, 'number'>) {
  return { kind, state, last_free_day: lastFreeDay, days_left: daysLeft, cost: cost && toWireCost(cost) };
}

function toWireCost({ amount, currency, isFloor }: FreeTimeSummary['costs'][number]) {
  return { amount, currency, is_floor: isFloor };
}
