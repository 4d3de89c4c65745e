/**
 * SMDG's delay reason codes as words in a sentence. Source: the SMDG code list "Delay reason and port call activity",
 * as DCSA publishes it with Track & Trace.
 */
const words: Readonly<Record<string, string>> = {
  ACC: 'accident on board',
  AIP: 'accident at the terminal',
  ANA: 'authorities not available',
  BUN: 'bunkering',
  CAE: 'waiting for export cargo',
  CGS: 'berth congestion',
  CIN: 'cargo inspection by authorities',
  CRN: 'crane shortage',
  DEV: 'detour around bad weather',
  DIN: 'missing information',
  EDD: 'emergency dry docking',
  ENG: 'engine repairs',
  FTE: 'terminal equipment failure',
  HLD: 'hatch lids',
  HOL: 'public holidays',
  LAB: 'labor shortage',
  LAS: 'lashing',
  LEK: 'leaking container',
  LOT: 'labor issues',
  MIL: 'military exercise',
  MVX: 'more container moves than planned',
  OTC: 'cargo issues',
  OTF: 'force majeure',
  OTS: 'issues ashore',
  OTV: 'vessel issues',
  PAU: 'vessel detained by port authorities',
  PBC: 'berth congestion',
  PIT: 'pilot or tug not available',
  PLT: 'terminal planning',
  PRD: 'low productivity at the terminal',
  PTF: 'port traffic restrictions',
  QUA: 'quarantine inspection',
  QUV: 'vessel in quarantine',
  REF: 'reefer malfunction',
  RSC: 'search and rescue',
  SPE: 'ship personnel or equipment not available',
  SPH: 'special cargo handling',
  STF: 'misstuffed container',
  STR: 'strike',
  STW: 'stowage changes',
  TID: 'tidal restrictions',
  UCC: 'non-containerized cargo handling',
  VGR: 'vessel gear breakdown',
  VIN: 'vessel inspection by the coast guard',
  WEA: 'bad weather',
  WGT: 'misdeclared cargo weight',
  YRD: 'yard congestion',
};

/** A reason that is in no code list, or an exception of no known kind. */
export const otherCause = 'other';

/** Every code of a delay reason. */
export const delayReasonCodes: readonly string[] = Object.keys(words);

/** The code of a stated reason, or `otherCause` for a text of the carrier and a code that the list doesn't have. */
export function statedCause(reason: string): string {
  const code = reason.trim().toUpperCase();
  return words[code] === undefined ? otherCause : code;
}

/** The reason as words: of a known code its meaning, of a carrier's own text the text. Null: an unknown code. */
export function delayReasonWords(reason: string): string | null {
  const known = words[reason.trim().toUpperCase()];
  if (known !== undefined) return known;
  return /^[A-Z0-9_/-]{1,8}$/.test(reason.trim()) ? null : reason;
}
