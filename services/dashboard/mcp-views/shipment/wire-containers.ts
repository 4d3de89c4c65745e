import type { DetailsResult } from '#shared/contract/mcp/details-result.ts';
import type { WireContainer } from '../../api/wire.ts';
import { costOf } from '../result-texts.ts';

const noMilestones = {
  empty_out: null,
  full_in: null,
  loaded: null,
  departed: null,
  arrived: null,
  discharged: null,
  available: null,
  full_out: null,
  empty_in: null,
};

type ResultContainer = DetailsResult['containers'][number];

const nothingElse = { holds: [], clocks: [], seals: [] };

/** The containers of a result as those of a record: those in full, then those of which it has only number and status. */
export function containersOf({ containers, more_containers: more }: DetailsResult): WireContainer[] {
  const short = Object.entries(more).flatMap(([state, numbers]) => {
    const [status = 'pending'] = state.split(', ');
    return numbers.split(' ').map((number): Partial<ResultContainer> => ({ number, status, ...nothingElse }));
  });
  return [...containers, ...(short as ResultContainer[])].map(containerOf);
}

function containerOf(container: ResultContainer): WireContainer {
  const { number, status, holds, clocks, last_free_day: day, last_free_day_source: source, available } = container;
  return {
    number,
    status,
    iso_type: container.iso_type ?? null,
    seals: container.seals,
    availability: { known: available !== undefined, available: available ?? null, since: null },
    holds: holds.map((type) => ({ type, status: 'active', detail: null, source: 'carrier', since: '' })),
    fees: [],
    milestones: noMilestones,
    last_free_day: {
      effective: day ?? null,
      source: source ?? null,
      line: null,
      terminal: null,
      calculated: null,
      manual: null,
    },
    clocks: clocks.map((clock) => ({
      kind: clock.kind,
      state: clock.state,
      last_free_day: clock.last_free_day ?? day ?? null,
      days_left: clock.days_left ?? null,
      cost: costOf(clock.cost),
      started_at: null,
      start_event_id: null,
      stopped_at: null,
      free_days: null,
      counting: null,
      terms_source: null,
    })),
  };
}
