import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import type { IdentifierKey } from '#shared/domain/record/shipment.ts';
import { type CarrierCandidate, detectCarriers } from '#shared/domain/registration/detect-carriers.ts';
import { matchValue, parseIdentifiers, trackableKeysOf } from '#shared/domain/registration/identifiers.ts';
import type { Label, PastedNumber } from './split-pasted.ts';

/** Kind of number that was recognized; null while unknown. */
export type Choice = { mode: TransportMode | null; identifier: IdentifierKey | null; carrier: string | null };

/**
 * `ready` can be registered, `incomplete` lacks a mode or carrier, `malformed` would be rejected, `duplicate` is listed
 * above.
 */
export type EntryState = 'ready' | 'incomplete' | 'malformed' | 'duplicate';

export type Entry = {
  /** The normalized number, unique except for duplicates. */
  key: string;
  number: string;
  line: number;
  choice: Choice;
  candidates: readonly CarrierCandidate[];
  state: EntryState;
  /** Missing or invalid value of the row; null when it is complete. */
  problem: string | null;
  /** The carrier is not polled: its events are pushed. */
  isPushed: boolean;
  /** A wrong check digit. It does not prevent registration. */
  warning: string | null;
};

/** Manual choices by `Entry.key`. */
export type Choices = ReadonlyMap<string, Choice>;

/** Recognizes every number: by a manual choice, else by its shape, else by the label in front of it. */
export function readEntries(numbers: readonly PastedNumber[], choices: Choices, options: { test: boolean }): Entry[] {
  const seen = new Map<string, number>();
  return numbers.map(({ number, line, label }) => {
    const key = matchValue(number);
    const candidates = detectCarriers(number, null);
    const choice = choices.get(key) ?? guess(candidates, label);
    const isPushed = choice.carrier !== null && isPushedOnly(choice.carrier, options);
    const entry = { key, number, line, choice, candidates, isPushed };
    const first = seen.get(key);
    if (first !== undefined) {
      return {
        ...entry,
        state: 'duplicate' as const,
        problem: `same as line ${first}, registered once`,
        warning: null,
      };
    }
    seen.set(key, line);
    return { ...entry, ...evaluate(number, choice, options) };
  });
}

/** True when Landfall can't poll this carrier: its shipments get their events through the API. */
export function isPushedOnly(carrier: string, { test }: { test: boolean }): boolean {
  return !test && findCarrier(carrier)?.connector === null;
}

/** The most likely candidate. The label decides between several, and when the shape is ambiguous. */
function guess(candidates: readonly CarrierCandidate[], label: Label | null): Choice {
  const labelled = candidates.find(
    ({ transportMode, identifier }) => transportMode === label?.mode && identifier === label.identifier,
  );
  const best = labelled ?? candidates[0];
  const isSure = best !== undefined && (label === null || best === labelled || best.confidence !== 'low');
  if (isSure) return { mode: best.transportMode, identifier: best.identifier, carrier: best.carrier };
  return { mode: label?.mode ?? null, identifier: label?.identifier ?? null, carrier: null };
}

function evaluate(
  number: string,
  choice: Choice,
  { test }: { test: boolean },
): Pick<Entry, 'state' | 'problem' | 'warning'> {
  const { mode, identifier, carrier } = choice;
  if (mode === null || identifier === null) return { state: 'incomplete', problem: 'Choose a mode.', warning: null };
  const read = parseIdentifiers(
    mode,
    { [identifier]: number },
    { serviceType: serviceTypeOf(identifier), test, carrier },
  );
  const [mistake] = read.mistakes;
  if (mistake !== undefined) return { state: 'malformed', problem: mistake.detail, warning: null };
  const expected = read.warnings[0]?.expected ?? null;
  const warning = expected === null ? null : `Check digit should be ${expected}. Compare it with your document.`;
  if (carrier === null) return { state: 'incomplete', problem: 'Choose a carrier.', warning };
  return { state: 'ready', problem: null, warning };
}

/** Changes the mode and keeps the identifier and carrier if they remain valid. */
export function withMode(choice: Choice, mode: TransportMode): Choice {
  const keys = trackableKeysOf(mode);
  const identifier =
    choice.identifier !== null && keys.includes(choice.identifier) ? choice.identifier : (keys[0] ?? null);
  const carrier = choice.carrier !== null && findCarrier(choice.carrier)?.modes.includes(mode) ? choice.carrier : null;
  return { mode, identifier, carrier };
}

export type EntryCounts = Record<EntryState, number> & { warnings: number };

export function countEntries(entries: readonly Entry[]): EntryCounts {
  const counts: EntryCounts = { ready: 0, incomplete: 0, malformed: 0, duplicate: 0, warnings: 0 };
  for (const { state, warning } of entries) {
    counts[state] += 1;
    if (warning !== null && state !== 'duplicate') counts.warnings += 1;
  }
  return counts;
}

/** Only full truckloads have an `equipment` number. */
export function serviceTypeOf(identifier: IdentifierKey): 'ftl' | null {
  return identifier === 'equipment' ? 'ftl' : null;
}
