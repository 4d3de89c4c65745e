import type { Place } from '../events/event.ts';
import type { ClockKind, ManualFreeDay } from '../events/stated-free-time.ts';
import type { ClockStart, ClockStop, FreeTimeFacts, FreeTimePlace } from '../record/free-time.ts';
import type { ContainerState, Journey } from '../record/shipment.ts';
import { type AssessedClock, assessClock, type ClockSubject } from './assess-clock.ts';
import { isAtSecondTerminal, startEvent, stopEvent } from './clock-events.ts';
import { equipmentGroupOf, matchTerms, specificityOf, type TermStart } from './match-terms.ts';
import { dayAt, dayOfEvent, startOfDay, zoneOf } from './terminal-day.ts';
import type { FreeTimeRules, FreeTimeTerm } from './terms.ts';

/** Input of a shipment's free time beside its events and the time. */
export type FreeTimeInput = {
  /** The carrier whose terms apply. */
  carrier: string | null;
  rules: FreeTimeRules;
  manual: readonly ManualFreeDay[];
  /** No more events are reported: clocks no longer advance, and their costs are minimums. */
  isTrackingEnded?: boolean;
};

/** The input at one time, with the terms that may apply to the carrier. */
export type AssessedAt = FreeTimeInput & { nowMs: number; terms: ReadonlyMap<ClockKind, readonly FreeTimeTerm[]> };

/** Chosen once for all containers: an account may have 2,000 terms. */
export function assessedAt(input: FreeTimeInput, nowMs: number): AssessedAt {
  const own = input.rules.terms.filter(({ carrier }) => carrier === null || carrier === input.carrier);
  return { ...input, nowMs, terms: Map.groupBy(own, ({ kind }) => kind) };
}

const noPlace: FreeTimePlace = { unlocode: null, country: null, timezone: null };

/**
 * The clocks of one container: demurrage and detention, or one that combines them. A container that a train took from
 * the port to a ramp has demurrage at both: first that of the port, if terms apply to it, then that of the ramp.
 */
export function clocksOfContainer(
  { number, isoType, freeTime }: ContainerState,
  destination: Journey['destination'],
  input: AssessedAt,
): AssessedClock[] {
  const facts = freeTime?.facts ?? {};
  const manual = input.manual.filter(({ container }) => container === number);
  const manualDays = withTerminal(manual, facts, destination);
  const terms = chooseTerms(facts, { destination, isoType, input });
  const at = { nowMs: input.nowMs, isTrackingEnded: input.isTrackingEnded ?? false };
  const kinds = kindsOf(terms, facts, manual);
  const stays: Stay[] = kinds.map((kind) => ({ kind, term: terms[kind], isLeft: false }));
  const isStated = [...(facts.freeDays ?? []), ...manualDays].some(
    ({ kind, ofPort }) => kind === 'demurrage' && ofPort,
  );
  if (kinds.includes('demurrage') && (terms.port !== null || isStated))
    stays.unshift({ kind: 'demurrage', term: terms.port, isLeft: true });
  return stays.map((stay) => {
    const assessed = assessClock(subjectOf(stay, { facts, manual: manualDays, destination }), input.rules, at);
    return { ...assessed, nextMs: at.isTrackingEnded ? assessed.nextMs : Math.min(assessed.nextMs, terms.changesMs) };
  });
}

type ManualDay = ManualFreeDay & { ofPort?: true };

/** A day before the container reached the ramp was set for the port. */
function withTerminal(
  manual: readonly ManualFreeDay[],
  facts: FreeTimeFacts,
  destination: Place | null,
): readonly ManualDay[] {
  const reached = isAtSecondTerminal(facts) ? startOf('rail_unloaded', facts, destination) : null;
  if (reached === null) return manual;
  return manual.map((day) => (day.day < reached.day ? { ...day, ofPort: true } : day));
}

/** `isLeft`: at the port that the container left for a ramp. */
type Stay = { kind: ClockKind; term: FreeTimeTerm | null; isLeft: boolean };

/**
 * `port`: those of the demurrage at the port that the container left for a ramp. `changesMs`: when other terms may
 * apply, because a clock has not started by then. Infinite: never.
 */
type Terms = Record<ClockKind | 'port', FreeTimeTerm | null> & { changesMs: number };

function chooseTerms(
  facts: FreeTimeFacts,
  { destination, isoType, input }: { destination: Place | null; isoType: string | null; input: AssessedAt },
): Terms {
  let changesMs = Number.POSITIVE_INFINITY;
  const starts = new Map<ClockStart, TermStart | null>();
  const startOnce = (event: ClockStart): TermStart | null => {
    const known = starts.get(event);
    if (known !== undefined) return known;
    const start = startOf(event, facts, destination);
    starts.set(event, start);
    return start;
  };
  const best = (kind: ClockKind, applies: (term: FreeTimeTerm) => boolean = () => true): FreeTimeTerm | null => {
    const terms = input.terms.get(kind)?.filter(applies) ?? [];
    if (terms.length === 0) return null;
    const bare = startEventOf(kind, null, facts);
    const stop = stopOf(kind, bare, facts);
    const zone = zoneOf(null, placeOf(bare, facts, destination));
    const { term, changesOn } = matchTerms(terms, {
      equipment: equipmentGroupOf(isoType),
      startOf: (one) => startOnce(startEventOf(kind, one, facts)),
      placeOf: (one) => placeOf(startEventOf(kind, one, facts), facts, destination),
      day: stop === null ? dayAt(input.nowMs, zone) : dayOfEvent(stop.time, zone),
      isStopped: stop !== null,
    });
    if (changesOn !== null) changesMs = Math.min(changesMs, startOfDay(changesOn, zone));
    return term;
  };
  const isOfPort = ({ startEvent: name }: FreeTimeTerm) => name === 'discharged' || name === 'arrived';
  const isMovedOn = isAtSecondTerminal(facts);
  // At the port, terms that start at a ramp of the same country don't hide those of the port.
  const isAtPort = facts.milestones?.discharged !== undefined && facts.railIn === undefined;
  const demurrage = isMovedOn
    ? best('demurrage', (term) => !isOfPort(term))
    : ((isAtPort ? best('demurrage', (term) => term.startEvent !== 'rail_unloaded') : null) ?? best('demurrage'));
  const port = isMovedOn ? best('demurrage', isOfPort) : null;
  const [detention, combined] = [best('detention'), best('combined')];
  return { demurrage, port, detention, combined, changesMs };
}

/**
 * Combined, if the terms that combine are more specific than those of demurrage; otherwise separate. What a client set
 * by hand decides before the terms, what others state only without any.
 */
function kindsOf(
  { port, demurrage, combined }: Terms,
  facts: FreeTimeFacts,
  manual: readonly ManualFreeDay[],
): ClockKind[] {
  const separate = [port, demurrage].filter((term) => term !== null);
  const combines = (days: readonly { kind: ClockKind }[]) => days.some(({ kind }) => kind === 'combined');
  const isCombined =
    combines(manual) ||
    (combined === null
      ? separate.length === 0 && combines(facts.freeDays ?? [])
      : separate.every((term) => specificityOf(combined) > specificityOf(term)));
  return isCombined ? ['combined'] : ['demurrage', 'detention'];
}

function subjectOf(
  { kind, term, isLeft }: Stay,
  { facts, manual, destination }: { facts: FreeTimeFacts; manual: readonly ManualDay[]; destination: Place | null },
): ClockSubject {
  const event = isLeft && term === null ? 'discharged' : startEventOf(kind, term, facts);
  const start = startOf(event, facts, destination);
  const place = placeOf(event, facts, destination);
  const isCollected = facts.milestones?.fullOut !== undefined || facts.goneBy !== undefined;
  // A day stated for the collection applies to the clock that runs until then.
  const kinds: readonly ClockKind[] = kind === 'combined' && !isCollected ? ['combined', 'demurrage'] : [kind];
  const isOfStay = ({ ofPort }: { ofPort?: true }) => kind !== 'demurrage' || isLeft === (ofPort ?? false);
  const find = <Day extends { kind: ClockKind; ofPort?: true }>(days: readonly Day[]) =>
    kinds.map((one) => days.findLast((day) => day.kind === one && isOfStay(day))).find((day) => day !== undefined);
  const statedBy = (by: 'terminal' | 'line') => find((facts.freeDays ?? []).filter((day) => day.by === by));
  const [terminal, line] = [statedBy('terminal'), statedBy('line')];
  return {
    kind,
    term,
    start,
    stop: stopOf(kind, event, facts),
    isStartUnreported: start === null && isPast(event, facts),
    place,
    zone: zoneOf(start?.event.time ?? null, place),
    stated: { manual: find(manual)?.day ?? null, terminal: terminal?.day ?? null, line: line?.day ?? null },
    statedBy: { terminal: terminal?.eventId ?? null, line: line?.eventId ?? null },
  };
}

/**
 * True when later moves show that the event that starts the clock must have happened, or may have, as nothing reports
 * it.
 */
function isPast(event: ClockStart, { milestones = {}, availability, railIn, goneBy }: FreeTimeFacts): boolean {
  const { discharged, available, fullOut } = milestones;
  if (goneBy !== undefined || fullOut !== undefined) return true;
  switch (event) {
    case 'arrived':
    case 'discharged':
      return (discharged ?? available ?? railIn) !== undefined;
    case 'available_for_pickup':
      return availability === undefined && (discharged ?? railIn) !== undefined;
    case 'rail_unloaded':
    case 'gate_out_full':
      return false;
  }
}

/** Without terms, demurrage starts where the container waits: at the last ramp, otherwise with its discharge. */
function startEventOf(kind: ClockKind, term: FreeTimeTerm | null, facts: FreeTimeFacts): ClockStart {
  if (kind === 'detention') return 'gate_out_full';
  if (term !== null) return term.startEvent;
  if (facts.railIn !== undefined) return 'rail_unloaded';
  return facts.milestones?.discharged === undefined ? 'available_for_pickup' : 'discharged';
}

function startOf(event: ClockStart, facts: FreeTimeFacts, destination: Place | null): TermStart | null {
  const found = startEvent(event, facts);
  if (found === null) return null;
  const place = placeOf(event, facts, destination);
  return { name: event, event: found, day: dayOfEvent(found.time, zoneOf(found.time, place)), place };
}

/** After a carriage by rail, the container is collected at the ramp. */
function placeOf(event: ClockStart, { place, ramp, railIn }: FreeTimeFacts, destination: Place | null): FreeTimePlace {
  const isAtRamp = railIn !== undefined && event !== 'discharged' && event !== 'arrived';
  return (isAtRamp ? ramp : place) ?? destination ?? noPlace;
}

function stopOf(kind: ClockKind, start: ClockStart, facts: FreeTimeFacts): ClockSubject['stop'] {
  const atPort = start === 'discharged' || start === 'arrived';
  const leaving: readonly ClockStop[] = isAtSecondTerminal(facts) ? ['railOut', 'railIn'] : ['railOut'];
  const names: readonly ClockStop[] =
    kind === 'demurrage' ? [...(atPort ? leaving : []), 'fullOut', 'goneBy'] : ['emptyIn'];
  for (const name of names) {
    const event = stopEvent(name, facts);
    if (event !== null) return { name, time: event.time };
  }
  return null;
}
