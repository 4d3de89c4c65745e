import type { ClockStart, ClockStop, EventTime, FreeTimeFacts } from '../record/free-time.ts';

/** True when a train took the container from the port to a ramp: it stays at two terminals, and each has a clock. */
export function isAtSecondTerminal({ milestones, railIn }: FreeTimeFacts): boolean {
  const discharged = milestones?.discharged;
  return railIn !== undefined && discharged !== undefined && discharged.eventId !== railIn.eventId;
}

/** The event that starts a clock. Null: it has not happened. */
export function startEvent(
  start: ClockStart,
  { milestones = {}, collectable, railIn }: FreeTimeFacts,
): EventTime | null {
  switch (start) {
    case 'discharged':
      return milestones.discharged ?? null;
    case 'arrived':
      return milestones.arrived ?? null;
    case 'available_for_pickup':
      return collectable === undefined ? (milestones.available ?? null) : collectable;
    case 'rail_unloaded':
      return railIn ?? null;
    case 'gate_out_full':
      return milestones.fullOut ?? null;
  }
}

/** The event that stops a clock. */
export function stopEvent(
  stop: ClockStop,
  { milestones = {}, railIn, railOut, goneBy }: FreeTimeFacts,
): EventTime | null {
  switch (stop) {
    case 'fullOut':
      return milestones.fullOut ?? null;
    case 'emptyIn':
      return milestones.emptyIn ?? null;
    case 'railOut':
      return railOut ?? null;
    case 'railIn':
      return railIn ?? null;
    case 'goneBy':
      return goneBy ?? null;
  }
}
