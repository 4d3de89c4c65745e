import { expect, it } from 'vitest';
import type { WireContainer } from '#services/dashboard/api/wire.ts';
import {
  costWords,
  daysLeftWords,
  moneyWords,
  shortDaysLeft,
} from '#services/dashboard/parts/words/free-time-words.ts';
import { holdText, isHeld } from '#services/dashboard/parts/words/hold-words.ts';
import { keepUnits } from '#services/dashboard/parts/words/measure-words.ts';
import { pushedBy, whoStates } from '#services/dashboard/parts/words/source-words.ts';
import {
  availabilityText,
  clockName,
  clocksToShow,
  clockText,
  feeText,
  freeDaySourceWords,
  milestonesOf,
  otherDaysText,
  type WireClock,
  whyText,
} from '#services/dashboard/screens/shipment/containers/container-words.ts';
import { manualDaysOf, withDay } from '#services/dashboard/screens/shipment/containers/manual-days.ts';
import { isNumberPart } from '#services/dashboard/screens/shipment/timeline/event-unit.ts';
import { eventOf, timeAt } from './shipment-parts.ts';

const now = Date.parse('2026-04-15T12:00:00Z');
const discharged = eventOf({ code: 'discharged', local: '2026-04-07T09:00' });

function clockOf(changes: Partial<WireClock> = {}): WireClock {
  return {
    kind: 'demurrage',
    state: 'running',
    started_at: timeAt('2026-04-07T09:00'),
    start_event_id: discharged.event_id,
    stopped_at: null,
    free_days: 5,
    counting: 'working',
    last_free_day: '2026-04-18',
    days_left: 3,
    cost: null,
    terms_source: 'account',
    calendar: 'checked',
    ...changes,
  };
}

const over = clockOf({
  state: 'over',
  last_free_day: '2026-04-14',
  days_left: -1,
  cost: { amount: 120.5, currency: 'USD', is_floor: true },
});
const unknown = clockOf({
  state: 'unknown_terms',
  free_days: null,
  counting: null,
  last_free_day: null,
  days_left: null,
  terms_source: null,
});
const days = {
  effective: '2026-04-14',
  source: 'terminal',
  line: '2026-04-13',
  terminal: '2026-04-14',
  calculated: '2026-04-18',
  manual: null,
};

it('states the last free day of a clock, the days left and the cost', () => {
  expect(clockText('Demurrage', clockOf(), now)).toBe('Demurrage: free until Sat 18 Apr, 3 days left');
  expect(clockText('Demurrage', over, now)).toBe('Demurrage: free until Tue 14 Apr, 1 day over, at least USD 120.50');
  expect(clockText('Demurrage', { ...over, cost: null }, now)).toBe(
    'Demurrage: free until Tue 14 Apr, 1 day over, cost unknown',
  );
  expect([daysLeftWords(0), daysLeftWords(1), daysLeftWords(-12)]).toEqual([
    'last free day today',
    '1 day left',
    '12 days over',
  ]);
  expect([shortDaysLeft(0), shortDaysLeft(4), shortDaysLeft(-2)]).toEqual(['today', '4 d', '−2 d']);
  expect(moneyWords({ amount: 12_000, currency: 'EUR' })).toBe('EUR 12,000');
  expect(costWords([])).toBeNull();
});

it('distinguishes the clock of a port from that of the ramp to which a train took the container', () => {
  const port = clockOf({ state: 'stopped', last_free_day: '2026-04-02', terms_source: 'carrier' });
  const clocks = [port, clockOf(), clockOf({ kind: 'detention' })];
  expect(clocks.map(clockName)).toEqual(['Demurrage at the port', 'Demurrage', 'Detention']);
  expect(freeDaySourceWords(port, days)).toBe('stated by the carrier');
});

it('never describes an unknown risk as no risk', () => {
  expect(clockText('Demurrage', unknown, now)).toBe('Demurrage: last free day unknown');
  expect(clocksToShow([unknown])).toEqual([unknown]);
  expect(whyText(unknown, [discharged], now)).toBe(
    'No row of your terms matches, and no last free day has been reported. Started on 7 Apr with “Discharged”.',
  );
  expect(whyText({ ...unknown, free_days: 5, counting: 'calendar', started_at: null }, [], now)).toBe(
    'Terms of your account: 5 calendar days. The event that starts it has not been reported.',
  );
});

it('shows the clocks that run or cost, the most urgent first', () => {
  const waiting = clockOf({ state: 'not_started', kind: 'detention' });
  const free = clockOf({ state: 'stopped', cost: null });
  const paid = clockOf({ state: 'stopped', cost: { amount: 80, currency: 'EUR', is_floor: false } });
  expect(clocksToShow([waiting, clockOf(), paid, free, over])).toEqual([over, clockOf(), paid]);
  expect(clockText('Demurrage', paid, now)).toBe('Demurrage stopped, EUR 80');
});

it('explains the state of a clock and the source of its last free day', () => {
  expect(whyText(clockOf(), [discharged], now)).toBe(
    'Terms of your account: 5 working days. Started on 7 Apr with “Discharged”.',
  );
  expect(whyText(clockOf({ calendar: 'provisional' }), [discharged], now)).toBe(
    'Terms of your account: 5 working days. Started on 7 Apr with “Discharged”. Some public holidays of this period ' +
      'aren’t published yet.',
  );
  expect(whyText(clockOf({ terms_source: 'carrier' }), [], now)).toBe(
    'The last free day is stated, not calculated. Started on 7 Apr.',
  );
  expect(whyText(clockOf({ state: 'not_started', started_at: null, terms_source: null }), [], now)).toBe(
    'The event that starts it has not happened.',
  );
  expect(freeDaySourceWords(clockOf(), days)).toBe('calculated from your terms');
  expect(freeDaySourceWords(clockOf({ terms_source: 'carrier', last_free_day: '2026-04-14' }), days)).toBe(
    'stated by the terminal',
  );
  expect(freeDaySourceWords(clockOf({ terms_source: 'manual' }), days)).toBe('set by hand');
  expect(freeDaySourceWords(unknown, days)).toBeNull();
  expect(otherDaysText(days, now)).toBe('line Mon 13 Apr, calculated Sat 18 Apr');
});

it('highlights active holds and names who states them', () => {
  const hold = { type: 'customs', status: 'active', detail: 'X-ray exam' };
  expect(holdText(hold)).toBe('Customs hold: X-ray exam');
  expect(holdText({ ...hold, status: 'pending', detail: null })).toBe('Customs hold, pending');
  expect(holdText({ ...hold, status: 'released' })).toBe('Customs hold released');
  expect([isHeld(hold), isHeld({ ...hold, status: 'released' })]).toEqual([true, false]);
  expect(pushedBy('client:acme-terminal')).toBe('acme-terminal');
  expect([
    whoStates('client:acme-terminal', 'Maersk'),
    whoStates('carrier', 'Maersk'),
    whoStates('client', 'Maersk'),
  ]).toEqual(['acme-terminal', 'Maersk', 'You']);
  expect(feeText({ type: 'storage', amount: 90, currency: 'USD', source: 'client:acme-terminal' }, 'Maersk')).toBe(
    'Storage: USD 90, by acme-terminal',
  );
});

it('shows whether a container can be collected only if a source states it', () => {
  expect(availabilityText({ known: false, available: null, since: null }, now)).toBeNull();
  expect(availabilityText({ known: true, available: false, since: null }, now)).toBe('Not available');
  expect(availabilityText({ known: true, available: true, since: timeAt('2026-04-12T08:00') }, now)).toBe(
    'Available since 12 Apr',
  );
});

it('lists the milestones that were reached, in the order of the journey', () => {
  const none = Object.fromEntries(
    ['empty_out', 'full_in', 'loaded', 'departed', 'arrived', 'discharged', 'available', 'full_out', 'empty_in'].map(
      (name) => [name, null],
    ),
  ) as WireContainer['milestones'];
  const reached = { ...none, full_out: timeAt('2026-04-10T08:00'), discharged: timeAt('2026-04-07T09:00') };
  expect(milestonesOf(reached).map(({ name }) => name)).toEqual(['Discharged', 'Picked up full']);
});

it('sets and removes one manual day, and keeps those of other clocks', () => {
  const container = (number: string, clocks: WireClock[]) => ({ number, clocks }) as unknown as WireContainer;
  const manual = clockOf({ terms_source: 'manual', last_free_day: '2026-04-20' });
  const known = manualDaysOf({
    containers: [container('A', [manual, clockOf({ kind: 'detention' })]), container('B', [manual])],
  });
  expect(known).toEqual([
    { container: 'A', kind: 'demurrage', day: '2026-04-20' },
    { container: 'B', kind: 'demurrage', day: '2026-04-20' },
  ]);
  const moved = withDay(known, { container: 'A', kind: 'demurrage', day: '2026-04-22' });
  expect(moved).toEqual([known[1], { container: 'A', kind: 'demurrage', day: '2026-04-22' }]);
  expect(withDay(moved, { container: 'A', kind: 'demurrage', day: null })).toEqual([known[1]]);
});

it('joins numbers with their units and currencies, and leaves other spaces', () => {
  expect(keepUnits('21,313 ms of 12 h, 12.4 kg')).toBe('21,313\u00a0ms of 12\u00a0h, 12.4\u00a0kg');
  expect(keepUnits('2 days over, at least USD 1,250')).toBe('2\u00a0days over, at least USD\u00a01,250');
  expect(keepUnits('40 × 30 × 20 cm')).toBe('40\u00a0×\u00a030\u00a0×\u00a020\u00a0cm');
  expect(keepUnits('6 Dec 13:38 in Gate 7 hall')).toBe('6 Dec 13:38 in Gate 7 hall');
});

it('finds a container by any part of its number, in any notation', () => {
  const texts = ['msku 1234', '4568', '123456-5', ' '];
  expect(texts.map((text) => isNumberPart(text, 'MSKU1234565'))).toEqual([true, false, true, true]);
});
