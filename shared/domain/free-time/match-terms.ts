import { compareText } from '../events/event-order.ts';
import { countryOf } from '../events/event-place.ts';
import type { ClockStart, EventTime, FreeTimePlace } from '../record/free-time.ts';
import { addDays } from './count-days.ts';
import type { EquipmentGroup, FreeTimeTerm } from './terms.ts';

/** Start of a clock. `day`: the local day of the event. */
export type TermStart = { name: ClockStart; event: EventTime; day: string; place: FreeTimePlace };

/** Facts that terms are matched against. */
export type TermsFor = {
  equipment: EquipmentGroup | null;
  /** Returns the start of a clock under the terms. Null: it has not started. */
  startOf: (term: FreeTimeTerm) => TermStart | null;
  placeOf: (term: FreeTimeTerm) => FreeTimePlace;
  /** Today, which counts while a clock has not started; of one that has stopped without a start, the day of its end. */
  day: string;
  isStopped: boolean;
};

/** `changesOn`: the day on which others may apply, because a clock has not started and they are valid from or to a day. */
export type MatchedTerms = { term: FreeTimeTerm | null; changesOn: string | null };

/** The most specific of the terms of a carrier that apply. Null: none do. */
export function matchTerms(terms: readonly FreeTimeTerm[], of: TermsFor): MatchedTerms {
  let best: Candidate | null = null;
  let changesOn: string | null = null;
  for (const term of terms) {
    if (!isAbout(term, of)) continue;
    const start = of.startOf(term);
    if (start === null && !of.isStopped) changesOn = earlier(changesOn, nextBound(term, of.day));
    if (!isValid(term, start?.day ?? of.day)) continue;
    const candidate = { term, start };
    if (best === null || compareFit(candidate, best) > 0) best = candidate;
  }
  return { term: best?.term ?? null, changesOn };
}

/** Carrier before place, place before country, country before equipment. */
export function specificityOf({ carrier, place, country, equipment }: FreeTimeTerm): number {
  return (
    (carrier === null ? 0 : 8) + (place === null ? 0 : 4) + (country === null ? 0 : 2) + (equipment === null ? 0 : 1)
  );
}

/** The group of an ISO 6346 type: `45R1` is a reefer. Null: unknown. */
export function equipmentGroupOf(isoType: string | null): EquipmentGroup | null {
  const letter = isoType?.[2]?.toUpperCase() ?? '';
  if (!/[A-Z]/.test(letter)) return null;
  if ('RH'.includes(letter)) return 'reefer';
  if ('TK'.includes(letter)) return 'tank';
  return 'GV'.includes(letter) ? 'standard' : 'special';
}

function isAbout(term: FreeTimeTerm, of: TermsFor): boolean {
  if (term.equipment !== null && term.equipment !== of.equipment) return false;
  if (term.place === null && term.country === null) return true;
  const place = of.placeOf(term);
  if (term.place !== null && term.place !== place.unlocode) return false;
  return term.country === null || term.country === countryOf(place);
}

function isValid({ validFrom, validTo }: FreeTimeTerm, day: string): boolean {
  return (validFrom === null || validFrom <= day) && (validTo === null || day <= validTo);
}

/** Terms that end on 9999-12-31 have no end, and the year of the day after it has five digits. */
const farFuture = '9000-01-01';

/** The next day on which the terms begin to be valid or no longer are. */
function nextBound({ validFrom, validTo }: FreeTimeTerm, day: string): string | null {
  if (validFrom !== null && day < validFrom) return validFrom;
  return validTo !== null && day <= validTo && validTo < farFuture ? addDays(validTo, 1) : null;
}

function earlier(left: string | null, right: string | null): string | null {
  if (left === null || right === null) return left ?? right;
  return left < right ? left : right;
}

type Candidate = { term: FreeTimeTerm; start: TermStart | null };

/** Of equally specific terms, those under which the clock started first: later ones don't move it. */
function compareFit(left: Candidate, right: Candidate): number {
  return (
    specificityOf(left.term) - specificityOf(right.term) ||
    Number(left.start !== null) - Number(right.start !== null) ||
    compareText(right.start?.day ?? '', left.start?.day ?? '') ||
    compareText(left.term.validFrom ?? '', right.term.validFrom ?? '')
  );
}
