import type { CarrierTime, Place, TimeWindow } from '#shared/domain/events/event.ts';
import type { Identifiers, Shipment } from '#shared/domain/record/shipment.ts';
import type { ToolResult } from '../tool.ts';
import { defang } from './defang.ts';
import { estimateTokens } from './estimate-tokens.ts';

const maxTextLength = 200;
/** An error helps to correct one call; more would only fill the model's context. */
const maxErrorLength = 2000;
const identifierOrder = [
  'mbl',
  'awb',
  'tracking_number',
  'pro',
  'waybill',
  'booking',
  'bol',
  'container',
  'railcar',
  'equipment',
  'hbl',
  'hawb',
] as const;

/** The same compact JSON twice: some clients pass only the text to their model, others only the structure. */
export function toolSuccess(answer: Record<string, unknown>): ToolResult {
  const structuredContent = defanged(withoutNulls(answer)) as Record<string, unknown>;
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
}

/** An error for the model. The text says what to do next. */
export function toolError(text: string): ToolResult {
  const shown = defang(text);
  const cut = shown.length <= maxErrorLength ? shown : `${shown.slice(0, maxErrorLength - 1).toWellFormed()}…`;
  return { content: [{ type: 'text', text: cut }], isError: true };
}

/** The response of the first variant with at most `maxTokens` estimated tokens, otherwise of the last one. */
export function firstFitting<Variant>(
  variants: readonly [Variant, ...Variant[]],
  maxTokens: number,
  build: (variant: Variant) => Record<string, unknown>,
): Record<string, unknown> {
  let answer: Record<string, unknown> = {};
  for (const variant of variants) {
    answer = withoutNulls(build(variant)) as Record<string, unknown>;
    if (estimateTokens(JSON.stringify(answer)) <= maxTokens) break;
  }
  return answer;
}

/** Estimated tokens of a part of a response. */
export function tokensOf(part: unknown): number {
  return estimateTokens(JSON.stringify(withoutNulls(part)));
}

/** Every text and name of a part. What builds answers defangs the texts of strangers before it cuts them. */
export function defanged(part: unknown): unknown {
  if (typeof part === 'string') return defang(part);
  if (Array.isArray(part)) return part.map(defanged);
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [defang(name), defanged(value)]));
}

/** Untrusted text: visible characters in one line without markup, truncated to `max` characters. Undefined if nothing is left. */
export function cleanText(text: string | null | undefined, max: number = maxTextLength): string | undefined {
  if (text === null || text === undefined || max === 0) return undefined;
  // Text far beyond the limit is ignored: an event may contain megabytes.
  const plain = defang(text.length <= maxScanned ? text : text.slice(0, maxScanned).toWellFormed());
  if (plain === '') return undefined;
  const characters = Array.from(plain);
  return characters.length <= max ? plain : `${characters.slice(0, max - 1).join('')}…`;
}

/** Only this part of a text is scanned. */
const maxScanned = maxTextLength * 10;

/** Visible ASCII with single spaces, which needs no cleaning. */
const isPlainLine = /^[!-~]+(?: [!-~]+)*$/;

/** `cleanText` within a width that approximates tokens: a character beyond ASCII counts as three. */
export function shortText(text: string | null | undefined, max: number): string | undefined {
  const clean = cleanText(text, Math.min(max, maxTextLength));
  if (clean === undefined || isPlainLine.test(clean)) return clean;
  let width = 0;
  let kept = '';
  for (const character of clean) {
    width += character > '~' ? 3 : 1;
    if (width > max) return `${kept}…`;
    kept += character;
  }
  return kept;
}

/** The first references after the one that is shown as `reference`. Null: there are none. */
export function moreReferences({ references }: Shipment, count: number, max: number): (string | undefined)[] | null {
  const more = references.slice(1, 1 + count).map((one) => shortText(one, max));
  return more.length === 0 ? null : more;
}

/**
 * Local time to the minute with its offset, `2026-04-15T08:00+08:00`; without an offset if the zone is unknown; or only
 * the date.
 */
export function timeText(time: CarrierTime | null | undefined): string | undefined {
  if (time === null || time === undefined) return undefined;
  if (time.precision === 'date') return time.local;
  const local = time.local.slice(0, 16);
  return time.zoneSource === 'assumed_utc' ? local : `${local}${offsetOf(time)}`;
}

/** An ISO 8601 interval: `2026-04-15T14:00/18:00+02:00` within a day; `..` for an end that is open. */
export function windowText(window: TimeWindow | null | undefined): string | undefined {
  const [from, to] = [timeText(window?.from), timeText(window?.to)];
  if (from === undefined && to === undefined) return undefined;
  if (from === undefined || to === undefined) return `${from ?? '..'}/${to ?? '..'}`;
  if (from === to) return from;
  const isOfOneDay = from.length > 10 && from.slice(0, 11) === to.slice(0, 11) && from.slice(16) === to.slice(16);
  return isOfOneDay ? `${from.slice(0, 16)}/${to.slice(11)}` : `${from}/${to}`;
}

/** The local date. */
export function dateText(time: CarrierTime | null | undefined): string | undefined {
  return time?.local.slice(0, 10);
}

function offsetOf({ at, local }: CarrierTime): string {
  const minutes = Math.round((Date.parse(`${local}Z`) - Date.parse(at)) / 60_000);
  if (!Number.isFinite(minutes) || minutes === 0) return 'Z';
  const twoDigits = (count: number) => String(count).padStart(2, '0');
  const distance = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(distance / 60))}:${twoDigits(distance % 60)}`;
}

/** An ISO UTC instant to the minute. */
export function minuteText(instant: string | null | undefined): string | undefined {
  return instant?.replace(/:\d{2}(?:\.\d+)?Z$/, 'Z');
}

export type PlaceForm = 'full' | 'code' | 'start';

/**
 * `full`: `Shanghai (CNSHA)`, as far as known; `code`: only the code, or the beginning of the name if there is none;
 * `start`: only a few letters of it.
 */
export function placeText(place: Place | null | undefined, form: PlaceForm = 'full'): string | undefined {
  if (place === null || place === undefined) return undefined;
  const code = place.unlocode ?? place.iata;
  const name = place.name ?? place.facility;
  if (form !== 'full') return shortText(code ?? name ?? place.country, form === 'code' ? 16 : 8);
  const shown = shortText(name, 60);
  const suffix = code ?? place.country;
  if (shown === undefined) return shortText(suffix, 16);
  return suffix === null ? shown : `${shown} (${shortText(suffix, 16)})`;
}

/** The identifier that people use for the shipment. */
export function mainIdentifier(identifiers: Identifiers): string | undefined {
  return identifierOrder.map((key) => identifiers[key]).find((value) => value !== undefined);
}

/** The open exceptions, most severe first, by code. */
export function openExceptionCodes(shipment: Shipment): string[] {
  const rank = { critical: 0, warning: 1, info: 2 };
  return shipment.journey.exceptions
    .filter((exception) => exception.resolvedAt === null)
    .toSorted((left, right) => rank[left.severity] - rank[right.severity])
    .map((exception) => exception.code);
}

/** Omits nulls, empty lists and empty objects. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .map(([key, part]) => [key, withoutNulls(part)] as const)
    .filter(([key, part]) => part !== null && part !== undefined && (keptWhenEmpty.has(key) || !isEmpty(part)));
  return Object.fromEntries(entries);
}

const keptWhenEmpty: ReadonlySet<string> = new Set(['shipments', 'counts_by_status']);

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
