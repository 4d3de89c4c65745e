import type { CarrierTime, Place } from '#shared/domain/event.ts';
import type { Identifiers, Shipment } from '#shared/domain/shipment.ts';
import type { ToolResult } from './tool.ts';

const longestText = 200;
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

/** The same compact JSON twice: some clients hand only the text on to their model, others only the structure. */
export function toolSuccess(answer: Record<string, unknown>): ToolResult {
  const structuredContent = withoutNulls(answer) as Record<string, unknown>;
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
}

/** An error that the model reads and acts on: say what to do next. */
export function toolError(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** One line without control and direction characters. */
export function visibleText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
}

/** Text from strangers: visible only, one line, at most 200 characters. */
export function cleanText(text: string | null | undefined): string | undefined {
  if (text === null || text === undefined) return undefined;
  const plain = visibleText(text);
  if (plain === '') return undefined;
  const characters = Array.from(plain.slice(0, longestText * 2));
  return characters.length <= longestText ? plain : `${characters.slice(0, longestText - 1).join('')}…`;
}

/** `2026-04-15T08:00Z`, or only the date where no more is known. */
export function timeText(time: CarrierTime | null | undefined): string | undefined {
  if (time === null || time === undefined) return undefined;
  return time.precision === 'date' ? time.local : minuteText(time.at);
}

/** An ISO UTC instant to the minute. */
export function minuteText(instant: string | null | undefined): string | undefined {
  return instant?.replace(/:\d{2}(?:\.\d+)?Z$/, 'Z');
}

/** `Shanghai (CNSHA)`, from whatever is known. */
export function placeText(place: Place | null | undefined): string | undefined {
  if (place === null || place === undefined) return undefined;
  const name = cleanText(place.name ?? place.facility);
  const code = place.unlocode ?? place.iata ?? place.country;
  if (name === undefined) return cleanText(code);
  return code === null ? name : `${name} (${code})`;
}

/** The number that people know the shipment by. */
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

/** Absent, not null: nulls, empty lists and empty objects inside are left out. */
function withoutNulls(value: unknown): unknown {
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
