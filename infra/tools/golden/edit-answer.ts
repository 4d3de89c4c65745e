import type { Voyage } from './voyages.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** `late`: events that were withheld until now are shown as well. */
export type Asking = { voyage: Voyage; step: number; late: boolean };

export type Fault = { status: number; headers: Record<string, string>; text: string };

/** From this step on, times of some events are others than before. */
const correctedFromStep = 6;

/** Returns the fault that replaces the events at this step. Null: the events. */
export function faultAt({ voyage: { number }, step, late }: Asking): Fault | null {
  const turn = number + step;
  if (late) return null;
  if (turn % 13 === 5) return { status: 500, headers: { 'content-type': 'text/plain' }, text: 'Internal Server Error' };
  if (turn % 29 === 7) return { status: 429, headers: { 'retry-after': '120' }, text: '' };
  if (turn % 37 === 9) return { status: 200, headers: { 'content-type': 'application/json' }, text: '{"broken": [' };
  return null;
}

/**
 * The answer as a carrier with faults gives it: every third voyage has events that come late, every fifth has times
 * that are corrected, and at some steps a part of the events is missing.
 */
export function editAnswer(text: string, { voyage: { number }, step, late }: Asking): string {
  const parsed = parse(text);
  const events = parsed === null ? null : largestList(parsed);
  if (events === null || events.length < 3) return text;
  const isPartial = (number + step) % 7 === 3 && !late;
  const isCorrected = number % 5 === 1 && step >= correctedFromStep;
  const kept = events.filter((event) => {
    const mark = markOf(event);
    const isWithheld = number % 3 === 0 && mark % 7 === 0;
    return (late || !isWithheld) && !(isPartial && mark % 3 === 1);
  });
  const shown = kept.map((event) => (isCorrected && markOf(event) % 9 === 4 ? anHourLater(event) : event));
  events.splice(0, events.length, ...shown);
  return JSON.stringify(parsed);
}

/** The longest list of objects anywhere in the answer: with each carrier, its events. */
export function largestList(value: Json): Json[] | null {
  if (value === null || typeof value !== 'object') return null;
  const isList = Array.isArray(value) && value.every((each) => each !== null && typeof each === 'object');
  return Object.values(value).reduce<Json[] | null>(
    (longest, child) => {
      const list = largestList(child);
      return list !== null && list.length > (longest?.length ?? 0) ? list : longest;
    },
    isList ? value : null,
  );
}

/** A number that follows from the event's text alone (FNV-1a). */
function markOf(event: Json): number {
  let hash = 0x81_1c_9d_c5;
  for (const character of JSON.stringify(event))
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01_00_01_93);
  return hash >>> 0;
}

function anHourLater(event: Json): Json {
  const moved = JSON.stringify(event).replace(
    /T(\d\d):/,
    (_, hour: string) => `T${String((Number(hour) + 1) % 24).padStart(2, '0')}:`,
  );
  return JSON.parse(moved) as Json;
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
