import { type Status, statuses } from '../record/shipment.ts';

/**
 * Progress of the cargo. The three ways in which a journey ends without a delivery sort last and are never compared as
 * progress.
 */
export const statusRanks = {
  pending: 0,
  booked: 1,
  in_transit: 2,
  arrived: 3,
  available_for_pickup: 4,
  out_for_delivery: 5,
  delivered: 6,
  returned: 7,
  failed: 8,
  cancelled: 9,
} as const satisfies Record<Status, number>;

/**
 * When a transition is allowed. `newer`: only by an actual event surely later than the one that set the current
 * status. `void`: only because a deciding event was voided or replaced, so never while folding. `cancellation`: only by
 * a cancellation.
 */
export type TransitionRule = 'same' | 'always' | 'newer' | 'void' | 'cancellation' | 'never';

// One character per status, in their order: = same, y always, n newer, v void, c cancellation, x never.
const rows: Record<Status, string> = {
  pending: '=yyyyyyyyy',
  booked: 'v=yyyyyyyy',
  in_transit: 'vv=yyyyyyc',
  arrived: 'vvn=yyyyyc',
  available_for_pickup: 'vvnn=yyyyc',
  out_for_delivery: 'vvnnn=yyyc',
  delivered: 'vvvvvv=nvx',
  returned: 'vvvvvvv=vv',
  failed: 'vvnnnnnn=c',
  cancelled: 'vvvvvvvvv=',
};

const rules: Record<string, TransitionRule> = {
  '=': 'same',
  y: 'always',
  n: 'newer',
  v: 'void',
  c: 'cancellation',
  x: 'never',
};

/** The condition under which a status may follow another one. */
export function transitionRule(from: Status, to: Status): TransitionRule {
  return rules[rows[from].charAt(statuses.indexOf(to))] ?? 'never';
}

/**
 * The status of a shipment from those of its containers: the least advanced active one (not cancelled, returned or
 * failed), so delivered when all active ones are. With none active: failed, then returned, then cancelled. `pending`
 * for an empty list.
 */
export function leastAdvancedStatus(containerStatuses: readonly Status[]): Status {
  const active = containerStatuses.filter((status) => statusRanks[status] <= statusRanks.delivered);
  if (active.length > 0)
    return active.reduce((least, status) => (statusRanks[status] < statusRanks[least] ? status : least));
  const closed: Status[] = ['failed', 'returned', 'cancelled'];
  return closed.find((status) => containerStatuses.includes(status)) ?? 'pending';
}
