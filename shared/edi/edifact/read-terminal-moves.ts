import { entryOf } from '#shared/domain/entry-of.ts';
import type { EventCode } from '#shared/domain/events/event.ts';
import type { EventTarget } from '#shared/domain/events-in/event-row.ts';
import { meaningOrOther } from '../codes/status-table.ts';
import { gateReports, vesselReports } from '../codes/terminal-move-codes.ts';
import type { WrittenPlace } from '../edi-place.ts';
import type { EdiMessage } from '../edi-reading.ts';
import { draftMessage, type MessageDraft, type MessageSource } from '../message-draft.ts';
import { part, type Segment } from '../segment.ts';
import { targetsOf, unitOfNumber } from '../x12/x12-references.ts';
import { numbersOfRff, ownNumbersOf, refusedFunctions } from './edifact-header.ts';
import { readDtm } from './edifact-time.ts';
import { modeOfTdt, placeOfLoc, vehicleOfTdt } from './iftsta-groups.ts';
import { textOf } from './read-iftsta.ts';
import { type EquipmentGroup, groupTerminalMoves, type TerminalGroups } from './terminal-groups.ts';

/** Times of the move (element 2005): the most exact first. SMDG has 7 in a CODECO and 203 in a COARRI. */
const moveTimes = ['7', '203', '334', '178', '186'];

type Move = { code: EventCode; empty: EventCode; type: string; words: string; unlisted: string | null };

/**
 * Reads a CODECO (gate in, gate out) or COARRI (discharged, loaded) as SMDG's user manuals of D.95B and D.00B have them.
 * Each container (EQD) is a move of its own: one that cannot be read is left out.
 */
export function readTerminalMoves(
  type: 'CODECO' | 'COARRI',
  segments: readonly Segment[],
  source: MessageSource,
): Omit<EdiMessage, 'group' | 'control'> {
  const draft = draftMessage(type, segments, source);
  const beginning = segments.find(({ tag }) => tag === 'BGM');
  const groups = groupTerminalMoves(segments);
  const refusal = entryOf(refusedFunctions, beginning && part(beginning, 3));
  const move = beginning === undefined ? null : moveOf(type, beginning, groups);
  if (beginning === undefined)
    draft.fault(segments[0] as Segment, 'The message has no BGM segment.', 'message_refused');
  else if (refusal !== undefined) draft.fault(beginning, refusal, 'message_refused');
  else if (move === null || 'reason' in move)
    draft.fault(beginning, move?.reason ?? 'BGM has no document name (1001).', 'message_refused');
  else if (groups.equipment.length === 0)
    draft.fault(beginning, 'The message names no container (EQD).', 'message_refused');
  else for (const group of groups.equipment) readMove(draft, group, { groups, move });
  return draft.end();
}

/** The move that all containers of the message made. Null: it has no code. */
function moveOf(
  type: 'CODECO' | 'COARRI',
  beginning: Segment,
  { header, texts }: TerminalGroups,
): Move | { reason: string } | null {
  const written = part(beginning, 1, 1);
  if (written === null) return null;
  if (type === 'COARRI' && written === '44') {
    const code = directionOf(header, texts);
    if (code === null)
      return { reason: 'BGM 1001 is 44. State the move: LOC+11 or FTX+OSI with D (discharged), LOC+9 or L (loaded).' };
    return { code, empty: code, type: written, words: code === 'loaded' ? 'Loaded' : 'Discharged', unlisted: null };
  }
  const table = type === 'CODECO' ? gateReports : vesselReports;
  const { meaning, unlisted } = meaningOrOther(table, written, `document name code of a ${type} (BGM 1001)`);
  const { code, empty = code, words } = meaning;
  return { code, empty, type: written, words, unlisted };
}

/** SMDG's manual of D.95B has the direction in FTX+OSI (D, L). Otherwise the message's port is of one move alone. */
function directionOf(header: readonly Segment[], texts: readonly Segment[]): 'discharged' | 'loaded' | null {
  const stated = texts.find((text) => part(text, 1) === 'OSI');
  const letter = stated === undefined ? null : (part(stated, 3) ?? part(stated, 4));
  if (letter === 'D' || letter === 'L') return letter === 'D' ? 'discharged' : 'loaded';
  const ports = new Set(header.map((each) => part(each, 1)).filter((each) => each === '11' || each === '9'));
  return ports.size === 1 ? (ports.has('11') ? 'discharged' : 'loaded') : null;
}

type Within = { groups: TerminalGroups; move: Move };

function readMove(draft: MessageDraft, group: EquipmentGroup, { groups, move }: Within): boolean {
  const { equipment } = group;
  const refuse = (reason: string, at = equipment) => draft.fault(at, reason, 'segment_left_out');
  const number = part(equipment, 2, 1);
  const unit = unitOfNumber(number);
  if (unit === null) return refuse('EQD has no container number (8260).');
  const dtm = moveTimes.flatMap((code) => group.dates.filter((each) => part(each, 1, 1) === code))[0];
  if (dtm === undefined) return refuse(`EQD has no DTM with the qualifier ${moveTimes.join(', ')}.`);
  const time = readDtm(dtm);
  if ('reason' in time) return refuse(time.reason, dtm);
  const settled = settleCode(group, move);
  const container = unit.kind === 'container' ? unit.number : null;
  const targets: EventTarget[] = targetsOf(
    [...numbersOfRff(group.references), ...numbersOfRff(groups.references), { key: unit.kind, value: unit.number }],
    ownNumbersOf([...group.references, ...groups.references]),
  );
  const onVessel = settled.code === 'loaded' || settled.code === 'discharged';
  const weightKg = weightOf(group.measures);
  const isDamaged = group.damages.length > 0 && !settled.isEmpty;
  const isTaken = draft.add({
    code: settled.code,
    classifier: 'actual',
    ...time,
    place: placeOfMove(group, groups, move),
    targets,
    container,
    mode: onVessel ? 'ocean' : settled.code.startsWith('rail_') ? 'rail' : null,
    vehicle:
      onVessel && groups.voyage !== null ? vehicleOfTdt({ transport: groups.voyage, places: [] }, 'ocean') : null,
    ...(settled.isStated ? { empty: settled.isEmpty } : {}),
    seals: group.seals.flatMap((each) => part(each, 1) ?? []).filter((seal) => seal !== 'NA'),
    ...(weightKg === null && !isDamaged
      ? {}
      : { details: { ...(weightKg === null ? {} : { weightKg }), ...(isDamaged ? { statusDetail: 'damaged' } : {}) } }),
    statusCode: move.type,
    unlisted: move.unlisted ?? settled.note,
    words: wordsOf(group, move),
    from: equipment,
    to: group.last,
  });
  return isTaken;
}

/** Element 8249 of a container that stays with its vessel: it remains on board, or is shifted. */
const stays = ['4', '5'];
const exported = '2';
const imported = '3';

/** The event code by what EQD says of the container, and its inland transport. */
function settleCode({ equipment, transports }: EquipmentGroup, move: Move) {
  const [status, fullness] = [part(equipment, 5), part(equipment, 6)];
  const isEmpty = fullness === '4';
  const isStated = isEmpty || fullness === '5' || fullness === '7' || fullness === '8';
  const settled = { isEmpty, isStated, note: null };
  if (move.code === 'loaded' || move.code === 'discharged')
    return { ...settled, code: stays.includes(status ?? '') ? ('other' as const) : move.code };
  if (move.code === move.empty) return { ...settled, code: move.code };
  const note = 'EQD does not say whether the container is empty (4) or full (5) in 8169. It is kept as information.';
  if (!isStated) return { ...settled, code: 'other' as const, note };
  if (isEmpty) return { ...settled, code: move.empty };
  const isByRail = transports.some((transport) => modeOfTdt({ transport, places: [] }) === 'rail');
  if (isByRail && move.code === 'gate_out_full') return { ...settled, code: 'rail_loaded' as const };
  if (isByRail && status === imported) return { ...settled, code: 'rail_unloaded' as const };
  return { ...settled, code: move.code };
}

/** The terminal: what the container's own segments name (LOC 165), the port of the move, or the message's header. */
function placeOfMove(group: EquipmentGroup, { header }: TerminalGroups, { code }: Move): WrittenPlace | null {
  const status = part(group.equipment, 5);
  const port =
    code === 'loaded' || (code === 'gate_in_full' && status === exported)
      ? '9'
      : code === 'discharged' || (code === 'gate_out_full' && status === imported)
        ? '11'
        : null;
  const find = (places: readonly Segment[], qualifier: string | null) =>
    places.find((each) => part(each, 1) === qualifier);
  const location =
    find(group.places, '165') ?? find(header, '165') ?? find(group.places, port) ?? find(header, port) ?? null;
  if (location === null) return null;
  const place = placeOfLoc(location);
  const code5 = place.unlocode?.slice(0, 5) ?? '';
  // Some write the terminal's own digits behind the port: `THLCH14`.
  if (place.unlocode == null || !/^[A-Z]{2}[A-Z2-9]{3}\w+$/.test(place.unlocode)) return place;
  return { ...place, unlocode: code5, facility: place.facility ?? place.unlocode };
}

const kilograms: Readonly<Record<string, number>> = { KGM: 1, TNE: 1000, LBR: 0.453_592_37 };

/** The gross weight (MEA), a verified one first. */
function weightOf(measures: readonly Segment[]): number | null {
  for (const dimension of ['VGM', 'AET', 'G', 'AAD', 'WT']) {
    const measure = measures.find(
      (each) => part(each, 2, 1) === dimension || (part(each, 1) === dimension && part(each, 2) === null),
    );
    const factor = measure === undefined ? undefined : entryOf(kilograms, part(measure, 3, 1));
    const value = measure === undefined ? Number.NaN : Number((part(measure, 3, 2) ?? '').replace(',', '.'));
    if (factor !== undefined && value > 0 && value < 1_000_000) return Math.round(value * factor * 1000) / 1000;
  }
  return null;
}

function wordsOf({ damages, texts }: EquipmentGroup, { words }: Move): string {
  const damaged = damages.map((each) =>
    [2, 3, 4]
      .map((element) => part(each, element, 4) ?? part(each, element, 1))
      .filter((text) => text !== null)
      .join(' '),
  );
  const shown = damaged.length === 0 ? [] : [`Damage: ${damaged.join(', ')}`];
  return [words, ...shown, ...texts.map(textOf).filter((text) => text !== '')].join('. ');
}
