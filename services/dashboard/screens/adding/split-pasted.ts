import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import type { IdentifierKey } from '#shared/domain/record/shipment.ts';
import { detectCarriers } from '#shared/domain/registration/detect-carriers.ts';
import { matchValue } from '#shared/domain/registration/identifiers.ts';

/** A number in a pasted text. `label` is the word in front of it that names its kind, or null. */
export type PastedNumber = { number: string; line: number; label: Label | null };

const separators = /[,;|\t\u00a0]|\s{2,}/;
const maxTokenChars = 120;

/**
 * The numbers of a pasted text: a spreadsheet column, a comma-separated list, or an email. Numbers in groups (`MSKU
 * 123456 5`) stay one number; surrounding words are dropped. Lines count from 1.
 */
export function splitPasted(text: string): PastedNumber[] {
  return text.split(/\r\n|\r|\n/).flatMap((line, index) =>
    line
      .split(separators)
      .flatMap(readPart)
      .map((found) => ({ ...found, line: index + 1 })),
  );
}

type Found = Omit<PastedNumber, 'line'>;

function readPart(part: string): Found[] {
  const tokens = part
    .split(/\s+/)
    .map(withoutPunctuation)
    .filter((token) => token !== '' && token.length <= maxTokenChars);
  if (tokens.length === 1) return isNumber(tokens[0] ?? '') ? [{ number: tokens[0] ?? '', label: null }] : [];
  const known = readKnown(tokens);
  return known.length > 0 ? known : readUnknown(tokens);
}

/** Numbers with a recognizable shape. */
function readKnown(tokens: readonly string[]): Found[] {
  const found: Found[] = [];
  let label: Label | null = null;
  let takenTo = 0;
  for (let at = 0; at < tokens.length; ) {
    const length = knownLength(tokens, at, takenTo);
    if (length === 0) {
      label = labelOf(tokens[at] ?? '') ?? label;
      at += 1;
      continue;
    }
    found.push({ number: tokens.slice(at, at + length).join(' '), label });
    label = null;
    at += length;
    takenTo = at;
  }
  return found;
}

/**
 * The number of tokens from here that form one number, or 0. The longest match wins; a token that is a number itself is
 * never merged.
 */
function knownLength(tokens: readonly string[], from: number, takenTo: number): number {
  const first = tokens[from] ?? '';
  if (isRecognized(first)) return 1;
  let length = 0;
  let joined = first;
  for (let at = from + 1; at < tokens.length; at++) {
    const token = tokens[at] ?? '';
    if (!continuesNumber(token, { hasDigits: /\d/.test(joined) && at > from + 1 })) break;
    joined += token;
    if (isRecognized(joined)) length = at - from + 1;
  }
  return isCutOut(tokens.slice(takenTo), from - takenTo, length) ? 0 : length;
}

/** Groups between other groups are part of a longer number, whatever their shape. */
function isCutOut(tokens: readonly string[], from: number, length: number): boolean {
  const [before = '', first = '', after = ''] = [tokens[from - 1], tokens[from], tokens[from + length]];
  return length > 0 && ((/\d$/.test(before) && /^\d/.test(first) && !isDate(before)) || /^\d{1,6}$/.test(after));
}

/** Groups after the first are short; letters alone occur only near the start (`CMDU LHV 318 4402`). */
function continuesNumber(token: string, { hasDigits }: { hasDigits: boolean }): boolean {
  if (/^\d{1,6}$/.test(token)) return true;
  return /^[A-Z0-9]{2,4}$/.test(token) && (!hasDigits || /^[A-Z]{0,2}\d+$/.test(token)) && !isRecognized(token);
}

function isRecognized(number: string): boolean {
  return /\d/.test(number) && detectCarriers(number, null).length > 0;
}

/** Numbers without a recognizable shape: adjacent groups with digits, without surrounding words. */
function readUnknown(tokens: readonly string[]): Found[] {
  const found: Found[] = [];
  let label: Label | null = null;
  let group: string[] = [];
  const close = () => {
    const number = group.join(' ');
    if (isNumber(number)) found.push({ number, label });
    if (group.length > 0) label = null;
    group = [];
  };
  for (const token of tokens) {
    if (/\d/.test(token) && !isDate(token)) {
      group.push(token);
      continue;
    }
    close();
    label = labelOf(token) ?? label;
  }
  close();
  return found;
}

/** At least four characters with a digit, and not a date. */
function isNumber(text: string): boolean {
  return matchValue(text).length >= 4 && /\d/.test(text) && !isDate(text) ? true : /^TEST-[A-Z-]+$/i.test(text);
}

function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$|^\d{1,2}[./]\d{1,2}[./]\d{2,4}$|^\d{1,2}:\d{2}(:\d{2})?$/.test(text);
}

function withoutPunctuation(token: string): string {
  return token.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
}

/** The kind of number that a label names. */
export type Label = { mode: TransportMode; identifier: IdentifierKey };

const labels: Readonly<Record<string, Label>> = {
  mbl: { mode: 'ocean', identifier: 'mbl' },
  bl: { mode: 'ocean', identifier: 'mbl' },
  booking: { mode: 'ocean', identifier: 'booking' },
  bkg: { mode: 'ocean', identifier: 'booking' },
  container: { mode: 'ocean', identifier: 'container' },
  awb: { mode: 'air', identifier: 'awb' },
  mawb: { mode: 'air', identifier: 'awb' },
  pro: { mode: 'road', identifier: 'pro' },
  bol: { mode: 'road', identifier: 'bol' },
  railcar: { mode: 'rail', identifier: 'railcar' },
  waybill: { mode: 'rail', identifier: 'waybill' },
  tracking: { mode: 'parcel', identifier: 'tracking_number' },
  parcel: { mode: 'parcel', identifier: 'tracking_number' },
};

/** Recognizes `B/L`, `Booking:` or `AWB#`; null for any other word. */
export function labelOf(word: string): Label | null {
  return labels[word.toLowerCase().replace(/[^a-z]/g, '')] ?? null;
}
