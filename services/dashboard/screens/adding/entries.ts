import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import { type CarrierCandidate, detectCarriers } from '#shared/domain/registration/detect-carriers.ts';
import { matchValue, parseIdentifiers, trackableKeysOf } from '#shared/domain/registration/identifiers.ts';
import type { IdentifierKey } from '#shared/domain/shipments/shipment.ts';
import type { TransportMode } from '#shared/domain/shipments/transport-mode.ts';
import type { Label, PastedNumber } from './split-pasted.ts';

/** What a number is taken for; null: nobody knows yet. */
export type Choice = { mode: TransportMode | null; identifier: IdentifierKey | null; carrier: string | null };

/** `ready` can be registered; `incomplete` needs a mode or a carrier; `malformed` is refused as it is; `duplicate` is there already, above. */
export type EntryState = 'ready' | 'incomplete' | 'malformed' | 'duplicate';

export type Entry = {
  /** The number as it is compared; unique among entries that are no duplicates. */
  key: string;
  number: string;
  line: number;
  choice: Choice;
  candidates: readonly CarrierCandidate[];
  state: EntryState;
  /** What is missing or wrong, in words; null: nothing. */
  problem: string | null;
  /** A check digit that does not fit; it hinders nothing. */
  warning: string | null;
};

/** What somebody chose for a number by hand, by `Entry.key`. */
export type Choices = ReadonlyMap<string, Choice>;

/** Every number with what it is taken for: by hand, else by its shape, else by the word in front of it. */
export function readEntries(numbers: readonly PastedNumber[], choices: Choices, options: { test: boolean }): Entry[] {
  const seen = new Map<string, number>();
  return numbers.map(({ number, line, label }) => {
    const key = matchValue(number);
    const candidates = detectCarriers(number, null);
    const choice = choices.get(key) ?? guess(candidates, label);
    const entry = { key, number, line, choice, candidates };
    const first = seen.get(key);
    if (first !== undefined) {
      return {
        ...entry,
        state: 'duplicate' as const,
        problem: `the same as in line ${first}; registered once`,
        warning: null,
      };
    }
    seen.set(key, line);
    return { ...entry, ...judge(number, choice, options) };
  });
}

/** The likeliest; the word in front of a number decides between several, and where its shape says little. */
function guess(candidates: readonly CarrierCandidate[], label: Label | null): Choice {
  const labelled = candidates.find(
    ({ transportMode, identifier }) => transportMode === label?.mode && identifier === label.identifier,
  );
  const best = labelled ?? candidates[0];
  const isSure = best !== undefined && (label === null || best === labelled || best.confidence !== 'low');
  if (isSure) return { mode: best.transportMode, identifier: best.identifier, carrier: best.carrier };
  return { mode: label?.mode ?? null, identifier: label?.identifier ?? null, carrier: null };
}

function judge(
  number: string,
  choice: Choice,
  { test }: { test: boolean },
): Pick<Entry, 'state' | 'problem' | 'warning'> {
  const { mode, identifier, carrier } = choice;
  if (mode === null || identifier === null)
    return { state: 'incomplete', problem: 'Choose how it travels.', warning: null };
  const read = parseIdentifiers(
    mode,
    { [identifier]: number },
    { serviceType: serviceTypeOf(identifier), test, carrier },
  );
  const [mistake] = read.mistakes;
  if (mistake !== undefined) return { state: 'malformed', problem: mistake.detail, warning: null };
  const expected = read.warnings[0]?.expected ?? null;
  const warning = expected === null ? null : `Check digit: ${expected} was expected. Compare it with your document.`;
  if (carrier === null) return { state: 'incomplete', problem: 'Choose its carrier.', warning };
  return { state: 'ready', problem: null, warning };
}

/** Another mode keeps what still holds of the rest. */
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

/** `equipment` is a number of full loads alone. */
export function serviceTypeOf(identifier: IdentifierKey): 'ftl' | null {
  return identifier === 'equipment' ? 'ftl' : null;
}
