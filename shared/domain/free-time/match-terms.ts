import type { EventTime, FreeTimePlace } from './free-time.ts';
import type { EquipmentGroup, FreeTimeTerm } from './terms.ts';

/** `day`: the local day of the start event. Null: the clock has not started. */
export type TermStart = { event: EventTime; day: string; place: FreeTimePlace };

/** What terms are matched against. `startOf`: how a clock under the terms starts. `today`: while it has not. */
export type TermsFor = {
  carrier: string | null;
  equipment: EquipmentGroup | null;
  startOf: (term: FreeTimeTerm) => TermStart | null;
  placeOf: (term: FreeTimeTerm) => FreeTimePlace;
  today: string;
};

/** The most specific of the terms that apply. Null: none do. */
export function matchTerms(terms: readonly FreeTimeTerm[], of: TermsFor): FreeTimeTerm | null {
  let best: { term: FreeTimeTerm; start: TermStart | null } | null = null;
  for (const term of terms) {
    const start = of.startOf(term);
    if (!applies(term, start?.day ?? of.today, of)) continue;
    const candidate = { term, start };
    if (best === null || compareFit(candidate, best) > 0) best = candidate;
  }
  return best?.term ?? null;
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

function applies(term: FreeTimeTerm, day: string, of: TermsFor): boolean {
  if (term.carrier !== null && term.carrier !== of.carrier) return false;
  if (term.equipment !== null && term.equipment !== of.equipment) return false;
  if (term.validFrom !== null && day < term.validFrom) return false;
  if (term.validTo !== null && day > term.validTo) return false;
  if (term.place === null && term.country === null) return true;
  const place = of.placeOf(term);
  if (term.place !== null && term.place !== place.unlocode) return false;
  return term.country === null || term.country === countryOf(place);
}

/** ISO 3166-1 alpha-2, of a place whose country may be known by its UN/LOCODE alone. */
export function countryOf({ country, unlocode }: FreeTimePlace): string | null {
  return country ?? unlocode?.slice(0, 2) ?? null;
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

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
