import type { EventCode } from '#shared/domain/events/event.ts';
import { setBounded } from '#shared/domain/set-bounded.ts';
import { dutchWords } from './dutch-words.ts';
import { englishWords } from './english-words.ts';
import { frenchWords } from './french-words.ts';
import { germanWords } from './german-words.ts';
import { polishWords } from './polish-words.ts';
import { spanishWords } from './spanish-words.ts';
import { type ClauseKind, type LanguageWords, type StatusMeaning, statusMeanings } from './status-meaning.ts';
import { swedishWords } from './swedish-words.ts';

/** `forecast`: what is expected, or has not come yet, and nothing else. */
export type WordedMeaning = StatusMeaning | 'forecast';
/** `hasDelivery`: the words also say that the parcel is delivered, whatever else they say. */
export type StatusWords = { meaning: WordedMeaning; code: EventCode; hasDelivery: boolean };

const languages: readonly LanguageWords[] = [
  englishWords,
  germanWords,
  dutchWords,
  frenchWords,
  spanishWords,
  polishWords,
  swedishWords,
];

function compiled(keys: readonly (keyof LanguageWords)[], flags = ''): RegExp {
  const sources = languages.flatMap((words) => keys.flatMap((key) => words[key] ?? []));
  return new RegExp(sources.map((each) => (typeof each === 'string' ? each : each.source)).join('|'), flags);
}

/** Meanings that clauses have beside the words of their own. */
const clauseOf: { readonly [meaning in StatusMeaning]?: ClauseKind } = {
  delivery_attempted: 'undelivered',
  moving: 'handed_over',
};
function ruleOf(meaning: StatusMeaning): RegExp {
  const extra = clauseOf[meaning];
  return compiled(extra === undefined ? [meaning] : [meaning, extra]);
}

const rules = new Map(statusMeanings.map((meaning) => [meaning, ruleOf(meaning)]));
const notYet = compiled(['not_yet'], 'g');
const forecasts = compiled(['forecast'], 'g');
const unfinished = compiled(['unfinished', 'undelivered', 'handed_over'], 'g');
const found = compiled(['found']);
/** A delivery that is expected must not count as one, nor hide the scan that the same text reports. */
const factsOnly: readonly WordedMeaning[] = ['available_for_pickup', 'announced', 'moving'];
const finishedOnly: readonly WordedMeaning[] = [
  'returned',
  'lost',
  'collected',
  'customs_released',
  'delivered',
  'picked_up',
];
/** The name of who signed, with its initials: it may read like a word of its own (`RTO`). */
const signature = /\bsigned (for )?by\b:?(?:[^.;]|(?<=\b\w)\.)*/g;

const codes: { readonly [meaning in WordedMeaning]: EventCode | readonly (readonly [EventCode, RegExp])[] } = {
  nothing: 'other',
  forecast: 'other',
  returned: 'returned',
  return_started: 'return_started',
  lost: [
    ['destroyed', /destr|dispos|vernicht|vernietigd|zerstort|entsorgt|detruit|zniszcz|forstord/],
    ['lost', /./],
  ],
  cancelled: 'cancelled',
  collected: 'delivered',
  customs_released: 'customs_released',
  duties_due: 'exception',
  customs: [
    ['customs_hold', /\b(held|hold|detain\w*|stopped|delay\w*|reject\w*|intercept\w*|seiz\w*|retenu\w*|retenid\w*)\b/],
    ['customs_hold', /zuruckge(halten|wiesen)|aufbewahrt|vertraagd|zatrzyman|angehalten|awaiting release/],
    ['customs_inspection', /./],
  ],
  delivery_attempted: 'delivery_attempted',
  wrong_way: 'exception',
  out_for_delivery: 'out_for_delivery',
  available_for_pickup: 'available_for_pickup',
  redirected: 'other',
  problem: [
    [
      'delayed',
      /delay|postpone|weather|strike|verzoger|vertraag|vertraging|uitgesteld|bijgewerkt|time has been updated/,
    ],
    ['delayed', /retard|reportee|retras|demor|opoznien|forsen/],
    ['exception', /./],
  ],
  delivered: 'delivered',
  announced: 'information_received',
  picked_up: 'picked_up',
  moving: [
    ['departed_facility', /\b(depart\w*|left|leaving|verlassen|verlasst|vertrokken|parti|expedie|salida|opuscil\w*)\b/],
    ['departed_facility', /\b(lamnat|avgang|despatch\w*|dispatched)\b/],
    ['arrived_at_facility', /\barriv(ed|al|ee?)\b|\b(processed|received) at\b|eingetroffen|angekommen|\bankunft\b/],
    ['arrived_at_facility', /aangekomen|\bllegad[oa]\b|\bllegada\b|\bdotarl\w*|\bankommit\b|\bprzyj(eta|ecie)\b/],
    ['in_transit', /./],
  ],
};

/** Texts recur in every response, so that most are read once. */
const known = new Map<string, StatusWords | null>();
const maxKnown = 2000;
const maxLength = 500;

/** Returns the meaning of the words of a status, in any of seven languages. Null: they have none for the parcel. */
export function readStatusWords(words: string): StatusWords | null {
  const key = words.slice(0, maxLength);
  const present = known.get(key);
  return present === undefined ? setBounded(known, { key, value: readFolded(foldWords(key)), max: maxKnown }) : present;
}

function readFolded(folded: string): StatusWords | null {
  const text = folded.replace(signature, ' ');
  const stated = text.replace(notYet, ' ');
  const facts = stated.replace(forecasts, ' ');
  const finished = facts.replace(unfinished, ' ');
  const isFound = found.test(text);
  const wordsFor = (meaning: StatusMeaning) =>
    finishedOnly.includes(meaning) ? finished : factsOnly.includes(meaning) ? facts : stated;
  const matches = (meaning: StatusMeaning) => rules.get(meaning)?.test(wordsFor(meaning)) === true;
  const first = statusMeanings.find((meaning) => matches(meaning) && !(meaning === 'lost' && isFound));
  const meaning = first ?? (facts === text ? undefined : 'forecast');
  if (meaning === undefined) return null;
  const isElsewhere = (['returned', 'return_started', 'wrong_way', 'available_for_pickup'] as const).some(matches);
  const hasDelivery = !isElsewhere && (matches('delivered') || matches('collected'));
  return { meaning, code: codeOf(meaning, facts), hasDelivery };
}

function codeOf(meaning: WordedMeaning, text: string): EventCode {
  const coded = codes[meaning];
  return typeof coded === 'string' ? coded : (coded.find(([, pattern]) => pattern.test(text))?.[0] ?? 'other');
}

/** Lower case without accents, marks and line breaks, with spaces for underscores. */
function foldWords(words: string): string {
  return words
    .toLowerCase()
    .replace(/[™®©℠\u00ad]/g, '')
    .replace(/\p{Cf}/gu, ' ')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ł', 'l')
    .replaceAll('ß', 'ss')
    .replace(/[’´`]/g, "'")
    .replace(/[–—]/g, '-')
    .replace(/[_\s]+/g, ' ')
    .trim();
}
