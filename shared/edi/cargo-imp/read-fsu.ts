import {
  flightNumber,
  fsuCode,
  fsuMeaning,
  fsuStatusDetail,
  isAboutFlight,
  isFsuCode,
} from '#shared/domain/carriers/fsu-codes.ts';
import { awbCheckDigit } from '#shared/domain/registration/check-digits.ts';
import type { EdiMessage } from '../edi-reading.ts';
import { draftMessage, type MessageDraft, type MessageSource } from '../message-draft.ts';
import type { Segment } from '../segment.ts';
import { readQuantity } from './fsu-quantity.ts';
import { readFsuDate, readMovementTime } from './fsu-times.ts';

/** The consignment: prefix and number, origin and destination, pieces and weight: `020-12345675FRAJFK/T10K150.5`. */
const consignmentPattern = /^(\d{3})-?(\d{8})([A-Z]{3})?([A-Z]{3})?$/;

const dayMs = 86_400_000;

/** Lines of one message. The manual allows 3,500 characters. */
export const maxLinesOfMessage = 1000;

/** Lines that add to the status before them, and say nothing of where the cargo is. */
const additions = new Set(['OSI', 'OCI', 'ULD', 'SPH', 'SSR', 'NFY', 'CUS', '']);

/**
 * Reads one FSU or FSA (status update, status answer) of Cargo-IMP: an air waybill and its statuses, each on a line of
 * its own: one that cannot be read is left out. Dates have no year: it is the last one that can be meant.
 */
export function readFsu(lines: readonly Segment[], { text, nowMs }: { text: string; nowMs: number }): EdiMessage {
  const [identifier, consignment] = lines;
  const match = consignmentPattern.exec(consignment?.tag ?? '');
  const awb = match === null ? '' : `${match[1]}-${match[2]}`;
  const source: MessageSource = { text, format: 'cargo_imp', interchange: null, control: awb, createdAt: null };
  const draft = draftMessage(identifier?.tag ?? 'FSU', lines, source);
  const total = readQuantity(consignment?.elements.map(([field = '']) => field) ?? [])?.total ?? null;
  const flawed = lines.find(({ flaw }) => flaw !== null);
  if (lines.length > maxLinesOfMessage)
    draft.fault(lines.at(-1) as Segment, 'The message has more than 1,000 lines.', 'message_refused');
  else if (flawed !== undefined)
    draft.fault(
      flawed,
      flawed.flaw === 'undecodable'
        ? 'The line has bytes that are not in its character set.'
        : 'The line has more than 8,192 characters.',
      'message_refused',
    );
  else if (consignment === undefined)
    draft.fault(lines[0] as Segment, 'The message is cut off after its identifier.', 'message_refused');
  else if (match === null)
    draft.fault(consignment, `${consignment.tag.slice(0, 20)} is not an air waybill.`, 'message_refused');
  else if (awbCheckDigit(awb) !== awb.at(-1))
    draft.fault(consignment, `The check digit of air waybill ${awb} is wrong.`, 'message_refused');
  else
    for (const [place, line] of lines.entries())
      if (place >= 2 && !additions.has(line.tag))
        readLine(draft, { line, last: lastOf(lines, place), awb, nowMs, total });
  return { control: awb, group: null, ...draft.end() };
}

/** `total`: pieces of the consignment. Null: the message doesn't state them. */
type Line = { line: Segment; last: Segment; awb: string; nowMs: number; total: number | null };

/** Returns whether the status of a line was taken. */
function readLine(draft: MessageDraft, { line, last, awb, nowMs, total }: Line): boolean {
  const refuse = (reason: string) => draft.fault(line, reason, 'segment_left_out');
  const tag = line.tag.toUpperCase();
  const fields = line.elements.map(([field = '']) => field.trim().toUpperCase());
  if (!isFsuCode(tag)) return refuse(`${line.tag.slice(0, 20)} is not a status code of Cargo-IMP.`);
  const discrepancy = tag === 'DIS' ? fields.find((field) => /^[A-Z]{4}$/.test(field)) : undefined;
  const code = fsuCode(discrepancy === undefined ? tag : `DIS_${discrepancy}`);
  const at = fields.findIndex((field) => /^\d{2}[A-Z]{3}(\d{4})?$/.test(field));
  // A completed event is at most a day ahead, by another zone's clock. A booked flight may leave in half a year.
  const written = readFsuDate(fields[at] ?? '', nowMs + (tag === 'BKD' ? 183 : 1) * dayMs);
  if (written === null) return refuse(at < 0 ? `${tag} has no date, or is cut off.` : `${fields[at]} is not a date.`);
  const airports = /^([A-Z]{3})([A-Z]{3})?$/.exec(fields[at + 1] ?? '');
  if (airports === null) return refuse(`${tag} has no airport, or is cut off.`);
  const flight = at === 0 ? null : flightNumber(fields[at - 1] ?? null);
  const [from = null, to = null] = [airports[1], airports[2]];
  const [departure, arrival] = [fields[at + 3], fields[at + 4]].map((field) => readMovementTime(field, written.date));
  const meaning = fsuMeaning(code);
  const quantity = readQuantity(fields);
  const whole = quantity?.total ?? total;
  const statusDetail = fsuStatusDetail(code);
  const details = {
    ...(statusDetail === null ? {} : { statusDetail }),
    ...(quantity === null ? {} : { piecesCount: quantity.pieces }),
    ...(whole === null || whole === quantity?.pieces ? {} : { piecesTotal: whole }),
    ...(quantity?.weightKg == null ? {} : { weightKg: quantity.weightKg }),
  };
  const common = {
    targets: [{ numbers: [{ key: 'awb' as const, value: awb }], carrier: null, transportMode: 'air' as const }],
    zone: (timezone: string | null) => ({ kind: 'local' as const, timezone }),
    mode: 'air' as const,
    statusCode: code,
    from: line,
    to: last,
  };
  const vehicle = flight === null || !isAboutFlight(code) ? null : { name: null, imo: null, voyage: null, flight };
  // A booking states when its flight leaves, and not when it was made.
  const isOfFlight = tag === 'BKD' && to !== null;
  const happened = tag === 'DEP' ? departure : tag === 'ARR' ? arrival : null;
  const isTaken = isOfFlight
    ? draft.add({
        ...common,
        code: 'departed',
        classifier: 'planned',
        digits: departure ?? written,
        place: { iata: from },
        vehicle,
        words: 'Booked',
      })
    : draft.add({
        ...common,
        // Deliveries of some pieces add up only if it is known how many there are.
        code: meaning.code === 'delivered' && quantity?.isPart === true && whole === null ? 'other' : meaning.code,
        classifier: 'actual',
        details,
        digits: written.time === null && happened?.kind === 'A' ? happened : written,
        place: { iata: from },
        vehicle,
        words: meaning.description,
        description: meaning.description,
      });
  const isExpected = arrival?.kind === 'E' || arrival?.kind === 'S';
  if (!isTaken || !isExpected || to === null || !['BKD', 'DEP'].includes(tag)) return isTaken;
  return draft.add({
    ...common,
    code: 'arrived',
    classifier: arrival.kind === 'S' ? 'planned' : 'estimated',
    digits: arrival,
    place: { iata: to },
    vehicle,
    words: null,
  });
}

/** The last line that adds to the status on this line. */
function lastOf(lines: readonly Segment[], place: number): Segment {
  let last = place;
  while (additions.has(lines[last + 1]?.tag ?? 'end')) last += 1;
  return lines[last] as Segment;
}
