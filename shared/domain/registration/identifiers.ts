import { findCarrier } from '../carriers/carrier-catalogue.ts';
import type { InputMistake } from '../errors.ts';
import { type TransportMode, transportModes } from '../events/transport-mode.ts';
import { snakeCase } from '../fold-text.ts';
import { nearestName } from '../nearest.ts';
import {
  type IdentifierKey,
  type Identifiers,
  identifierKeys,
  type Registration,
  type Warning,
} from '../record/shipment.ts';
import { statedNames } from '../record/stated-fields.ts';
import { describeTestNumbers, isLikeTestNumber, testNumberOf } from '../test-journeys/test-journeys.ts';
import { identifierRules, inputNamesOf, isFreeText, keyOfAlias } from './identifier-rules.ts';
import { identifierWarnings } from './identifier-warnings.ts';
import { identifierKeyOf, ownNameOf } from './peer-names.ts';
import { scannedNumber } from './scanned-number.ts';

/**
 * Conditions that decide which identifiers are valid. `test`: the caller uses a test key. `carrier`: its code, for
 * check digits.
 */
export type IdentifierOptions = { serviceType: Registration['serviceType']; test: boolean; carrier?: string | null };

/**
 * The parsed `identifiers` of a registration. `mistakes` refuse it: `identifier_mode_mismatch` for an identifier of
 * another mode, other codes for malformed ones. `trackable` false: no carrier can be queried with any of them.
 */
export type ParsedIdentifiers = {
  identifiers: Identifiers;
  warnings: Warning[];
  mistakes: InputMistake[];
  trackable: boolean;
};

/** Parses untrusted identifiers of one mode: aliases, shapes, check digits. Null means absent. Never throws. */
export function parseIdentifiers(
  mode: TransportMode,
  raw: Record<string, unknown>,
  options: IdentifierOptions,
): ParsedIdentifiers {
  const parsed: ParsedIdentifiers = { identifiers: {}, warnings: [], mistakes: [], trackable: false };
  for (const [name, value] of Object.entries(raw)) {
    if (value === null || value === undefined) continue;
    readIdentifier(parsed, { mode, name, value, options });
  }
  parsed.warnings = identifierWarnings(parsed.identifiers, options.carrier ?? null);
  return parsed;
}

/** The keys that records of this mode have, in order. */
export function identifierKeysOf(mode: TransportMode): IdentifierKey[] {
  return identifierKeys.filter((key) => identifierRules[mode][key] !== undefined);
}

/** The keys of which a registration in this mode needs at least one. */
export function trackableKeysOf(mode: TransportMode): IdentifierKey[] {
  return identifierKeysOf(mode).filter((key) => identifierRules[mode][key]?.trackable);
}

/** The form in which identifiers are compared in every mode: plain, upper case, without spaces and hyphens. */
export function matchValue(value: string): string {
  const plain = plainForm(value)
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '');
  // Upper case and what is left out may take letters and their accents apart, or bring them together.
  return plain.normalize('NFKC');
}

/** The containers that a client registered, in the form that events use. */
export function knownContainersOf({ container }: Identifiers): string[] {
  return container === undefined ? [] : [matchValue(container)];
}

/** One value to search for. `carrier` and `keys` null: any. */
export type MatchCandidate = { value: string; carrier: string | null; keys: readonly IdentifierKey[] | null };

const prefixedKeys: readonly IdentifierKey[] = ['mbl', 'booking'];

/**
 * The match value to store for an identifier of this carrier, and the values by which a search finds it. A carrier's
 * own B/L and booking numbers are stored without the carrier's prefix. `key` null searches every key, `carrierCode`
 * null every carrier.
 */
export function matchValues(
  key: IdentifierKey | null,
  value: string,
  carrierCode: string | null,
): { stored: string; candidates: MatchCandidate[] } {
  const plain = matchValue(value);
  const mayBePrefixed = key === null || prefixedKeys.includes(key);
  const stored = key === null ? plain : storedValue(key, plain, carrierCode);
  const candidates: MatchCandidate[] = [{ value: plain, carrier: null, keys: null }];
  if (mayBePrefixed) {
    const code = findCarrier(plain.slice(0, 4))?.code ?? null;
    const stripped = code === null ? plain : stripPrefix(plain, code);
    if (stripped !== plain && (carrierCode === null || findCarrier(carrierCode)?.code === code)) {
      candidates.push({ value: stripped, carrier: code, keys: key === null ? prefixedKeys : [key] });
    }
  }
  if (key === null || key === 'tracking_number') candidates.push(...scannedCandidates(plain, carrierCode));
  return { stored, candidates };
}

/** The number inside of a barcode that was scanned from a label. */
function scannedCandidates(plain: string, carrierCode: string | null): MatchCandidate[] {
  return ['usps', 'fedex'].flatMap((carrier) => {
    const value = carrierCode === null || carrierCode === carrier ? scannedNumber(plain, carrier) : null;
    return value === null ? [] : [{ value, carrier, keys: ['tracking_number' as const] }];
  });
}

/** `plain`: the match value of an identifier before a carrier's own prefix is removed. */
function storedValue(key: IdentifierKey, plain: string, carrierCode: string | null): string {
  return carrierCode !== null && prefixedKeys.includes(key) ? stripPrefix(plain, carrierCode) : plain;
}

/** An identifier as it is stored: `value` as it is displayed, `matchValue` as it is compared. */
export type IdentifierEntry = { key: IdentifierKey; value: string; matchValue: string };

const sortedKeys = identifierKeys.toSorted();

/** The identifiers as they are stored and compared, sorted by key. */
export function identifierEntries({
  identifiers,
  carrier,
}: Pick<Registration, 'identifiers' | 'carrier'>): IdentifierEntry[] {
  const entries: IdentifierEntry[] = [];
  for (const key of sortedKeys) {
    const value = identifiers[key];
    if (value !== undefined) entries.push({ key, value, matchValue: storedValue(key, matchValue(value), carrier) });
  }
  return entries;
}

/** Numbers that name one shipment of a carrier. */
export const ownKeys: readonly IdentifierKey[] = ['mbl', 'booking', 'awb', 'tracking_number', 'pro', 'bol', 'waybill'];
/** Numbers of equipment, which is reused for other cargo. */
export const reusableKeys: readonly IdentifierKey[] = ['container', 'railcar', 'equipment'];

/** The kinds of number that can be looked up. */
export const lookupTypes = ['auto', 'shipment_id', 'tracking_number', 'bol', 'awb', 'container'] as const;
export type LookupType = (typeof lookupTypes)[number];

/** The keys that a kind of number may be stored under. None for a shipment id. */
export function lookupKeys(type: LookupType): readonly IdentifierKey[] {
  return keysOfLookup[type];
}

const keysOfLookup: Record<LookupType, readonly IdentifierKey[]> = {
  auto: identifierKeys,
  tracking_number: identifierKeys,
  shipment_id: [],
  bol: ['mbl', 'hbl', 'bol'],
  awb: ['awb', 'hawb'],
  container: ['container'],
};

/** The fields beside the identifiers, some of which are sent inside them by mistake. */
const registrationFields = ['transport_mode', 'carrier', ...statedNames.map(snakeCase)];

/** Separators don't count for the shape, so the text itself needs a limit. */
const maxShownLength = 120;

/** Invisible characters (Unicode's format characters), other than the two joiners that words of some scripts need. */
const invisible = /(?![\u200c\u200d])\p{Cf}/gu;

/** Full-width letters and digits as usual ones, and without invisible characters (Unicode's format characters). */
function plainForm(value: string): string {
  return value.normalize('NFKC').replace(/\p{Cf}/gu, '');
}

type IdentifierInput = { mode: TransportMode; name: string; value: unknown; options: IdentifierOptions };

function readIdentifier(parsed: ParsedIdentifiers, input: IdentifierInput): void {
  const { mode, name, value, options } = input;
  const pointer = `/identifiers/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const refuse = (code: string, detail: string) => parsed.mistakes.push({ pointer, code, detail });

  const key = keyOfAlias(mode, name);
  const rule = key === null ? undefined : identifierRules[mode][key];
  if (key === null || rule === undefined) return void parsed.mistakes.push(unknownIdentifier(mode, name, pointer));
  if (typeof value !== 'string') return void refuse('wrong_type', `${name} must be a string.`);
  const shown = (isFreeText(rule) ? value.replace(invisible, '') : plainForm(value)).trim();
  if (shown === '') return void refuse('too_short', `${name} is empty.`);
  if (key === 'equipment' && options.serviceType !== 'ftl')
    return void refuse('not_allowed', 'equipment requires service_type ftl.');

  // A client's own reference may start with TEST-. A trackable number may not, unless it is a known test number.
  const isTestNumber = rule.trackable && isLikeTestNumber(shown);
  if (isTestNumber && !options.test) {
    return void refuse(
      'live_key_not_allowed',
      `${name}: TEST- numbers only work with test keys (svc_test_…). This is a live key.`,
    );
  }
  if (isTestNumber && testNumberOf(shown) === null)
    return void refuse('unknown_test_number', `${name} must be ${describeTestNumbers(shown)}`);
  if (!isTestNumber && (shown.length > maxShownLength || !rule.shape.test(rule.compare(shown))))
    return void refuse('invalid_format', `${name} must be ${rule.shapeText}.`);
  const scanned = key === 'tracking_number' ? scannedNumber(matchValue(shown), options.carrier ?? null) : null;
  const kept = isTestNumber ? shown : (scanned ?? rule.display(shown));
  const present = parsed.identifiers[key];
  if (present !== undefined && matchValue(present) !== matchValue(kept))
    return void refuse('conflict', `${name} contradicts another value for ${key}.`);

  parsed.identifiers[key] = kept;
  parsed.trackable ||= rule.trackable;
}

function unknownIdentifier(mode: TransportMode, name: string, pointer: string): InputMistake {
  const allowed = identifierKeysOf(mode);
  const otherModes = transportModes.filter((other) => other !== mode && keyOfAlias(other, name) !== null);
  if (otherModes.length > 0) {
    const own = identifierKeyOf(name, mode);
    const hint = own === null ? `${mode} accepts ${allowed.join(', ')}.` : `For ${mode}, use ${own}.`;
    const detail = `${name} is for ${otherModes.join(', ')}. ${hint}`;
    return { pointer, code: 'identifier_mode_mismatch', detail };
  }
  const field = ownNameOf(name, registrationFields, mode);
  if (field !== null) {
    const place = field.startsWith('identifiers.') ? field : `${field}, beside identifiers`;
    return {
      pointer,
      code: 'unknown_field',
      detail: `${name.slice(0, 64)} is not an identifier. Send it as ${place}.`,
    };
  }
  const nearestInput = nearestName(name, inputNamesOf(mode));
  const nearest = nearestInput === null ? null : keyOfAlias(mode, nearestInput);
  const hint = nearest === null ? '' : ` Did you mean ${nearest}?`;
  return {
    pointer,
    code: 'unknown_field',
    detail: `Unknown identifier: ${name.slice(0, 64)}. ${mode} accepts ${allowed.join(', ')}.${hint}`,
  };
}

/** At least six characters with a digit must remain. Otherwise the prefix is part of the number. */
function stripPrefix(plain: string, carrierCode: string): string {
  const prefix = findCarrier(carrierCode)?.blPrefixes.find((candidate) => plain.startsWith(candidate));
  if (prefix === undefined) return plain;
  const rest = plain.slice(prefix.length);
  return rest.length >= 6 && /\d/.test(rest) ? rest : plain;
}
