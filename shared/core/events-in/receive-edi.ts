import { createYield } from '#shared/async/yield-event-loop.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { InputMistake } from '#shared/domain/errors.ts';
import type {
  EdiFault,
  EdiFormat,
  EdiReport,
  ReportedInterchange,
  ReportedMessage,
} from '#shared/domain/events-in/edi-report.ts';
import type { EventRowResult, SentEventRow } from '#shared/domain/events-in/event-row.ts';
import { type EdiMessage, isRefused, settleMessage } from '#shared/edi/edi-reading.ts';
import type { EdiEnvelope, EdiPart } from '#shared/edi/read-edi-file.ts';
import { readTime, withAccountByKey } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { readEventRow } from './read-event-row.ts';
import { recordEvents } from './record-events.ts';

/** Events that are recorded together, unless a single message has more. */
const maxRecordedRows = 200;

export type SentEdi = {
  format: EdiFormat;
  /** Reads the file in parts. `nowMs`: the time of the database. */
  read: (nowMs: number) => AsyncIterable<EdiPart>;
  /** The source that the events are recorded with. Null: the sender that the interchange names. */
  sourceName: string | null;
};

/**
 * Records what the messages of a file state, as they are read. A message is recorded as a whole, without the segments
 * that its faults name, or not at all. The same file again changes nothing, so a request that was cut off is completed
 * by repeating it. Throws what `read` throws, and LandfallError `unavailable`.
 */
export async function receiveEdi(ctx: CoreContext, caller: Caller, sent: SentEdi): Promise<EdiReport> {
  const nowMs = (await withAccountByKey(ctx.store, caller.accountId, readTime)).getTime();
  const recorder = openRecorder(ctx, caller);
  const yieldIfDue = createYield();
  let report: Report = { interchanges: [], next: () => null };
  for await (const part of sent.read(nowMs)) {
    if (part.kind === 'envelopes') {
      report = openReport(part.interchanges, sent);
      continue;
    }
    for (const message of part.messages) {
      const to = report.next();
      if (to === null) throw new Error('a message without an interchange');
      await recorder.add(evaluate(message, to.sourceName, nowMs), to);
      await yieldIfDue();
    }
  }
  await recorder.end();
  return { interchanges: report.interchanges };
}

type Report = { interchanges: ReportedInterchange[]; next: () => ReportedInterchange | null };

/** `next`: the interchange of the next message. */
function openReport(envelopes: readonly EdiEnvelope[], { sourceName, format }: SentEdi): Report {
  const interchanges = envelopes.map(({ messages: _, sender, ...rest }) => ({
    ...rest,
    sender,
    sourceName: sourceName ?? sourceNameOf(sender, format),
    messages: [],
  }));
  let current = 0;
  let seen = 0;
  return {
    interchanges,
    next: () => {
      while (seen >= (envelopes[current]?.messages ?? Number.POSITIVE_INFINITY)) {
        current += 1;
        seen = 0;
      }
      seen += 1;
      return interchanges[current] ?? null;
    },
  };
}

/** The message without the events that can't be meant: an unknown place, a time that is too far away. */
function evaluate(message: EdiMessage, sourceName: string, nowMs: number): EdiMessage {
  if (isRefused(message)) return message;
  const faults: EdiFault[] = [...message.faults];
  const events = message.events.filter(({ row, segment, tag, isMain }) => {
    const read = readEventRow({ ...row, sourceName }, nowMs);
    if ('event' in read) return true;
    const reason = read.map((mistake) => inTermsOfEdi(mistake, tag)).join(' ');
    faults.push({ segment, tag, reason, effect: isMain ? 'message_refused' : 'segment_left_out' });
    return false;
  });
  return settleMessage({ ...message, events, faults });
}

/** The segments in which a message states the place of a status, and the zone of its time. */
const zoneHints: Readonly<Record<string, string>> = {
  AT7: 'State the city and state in MS1, or the zone in AT707 (ET, UT).',
  B4: 'State the place in R4 with the qualifier 5, or the zone in its DTM04 (ET, UT).',
  EQD: 'State the place in LOC with the qualifier 165, 9 (loading) or 11 (discharge), or the zone in DTM (format 205 or 303).',
  Q5: 'State the place in R4 with the qualifier 5, or the zone in Q504 (ET, UT).',
  STS: 'State the place in LOC with the qualifier 175, 14, 18, 88 or 13, or the zone in DTM (format 205 or 303).',
};

/** A mistake of a row as the sender of a message can understand it. */
function inTermsOfEdi({ pointer, code, detail }: InputMistake, tag: string): string {
  if (pointer !== '/time/timezone' || code !== 'required') return detail;
  const hint = zoneHints[tag] ?? 'State the place by a UN/LOCODE, or the zone of the time.';
  return `The time is local, and the time zone of its place is unknown. ${hint}`;
}

type Waiting = { message: EdiMessage; rows: SentEventRow[]; to: ReportedInterchange; place: number };

/**
 * Records messages one after the other, never a part of one, and lets go of each: only what is reported of it stays.
 * `add` records those that wait when they have the rows of one call.
 */
function openRecorder(ctx: CoreContext, caller: Caller) {
  // An Idempotency-Key is for one call. Here the content itself makes a repetition harmless.
  const plain = { ...caller, idempotency: null };
  let waiting: Waiting[] = [];
  let count = 0;
  const end = async (): Promise<void> => {
    if (count === 0) return;
    const { results } = await recordEvents(ctx, plain, { rows: waiting.flatMap(({ rows }) => rows) });
    let start = 0;
    for (const { message, rows, to, place } of waiting) {
      to.messages[place] = reported(message, results.slice(start, start + rows.length));
      start += rows.length;
    }
    waiting = [];
    count = 0;
  };
  return {
    add: async (message: EdiMessage, to: ReportedInterchange): Promise<void> => {
      const place = to.messages.push(reported(message, [])) - 1;
      if (message.events.length === 0) return;
      if (count + message.events.length > maxRecordedRows) await end();
      const rows = message.events.map(({ row }) => ({ ...row, sourceName: to.sourceName }));
      waiting.push({ message, rows, to, place });
      count += rows.length;
    },
    end,
  };
}

function reported(message: EdiMessage, own: readonly EventRowResult[]): ReportedMessage {
  const { type, control, group, faults } = message;
  if (isRefused(message)) return { type, control, group, outcome: 'refused', events: [], faults };
  const events: ReportedMessage['events'] = [];
  const failed: (EdiFault & { isMissing: boolean })[] = [];
  for (const [place, { segment, tag }] of message.events.entries()) {
    const result = own[place];
    if (result?.outcome === 'recorded') events.push({ segment, tag, shipments: result.shipments });
    else if (result !== undefined) {
      const { code, detail } = result.error;
      failed.push({
        segment,
        tag,
        reason: detail,
        effect: 'segment_left_out',
        isMissing: code === 'shipment_not_found',
      });
    }
  }
  const isMissing = events.length === 0 && failed.every((fault) => fault.isMissing);
  const effect = events.length === 0 ? 'message_refused' : 'segment_left_out';
  const all = [...faults, ...failed.map((fault): EdiFault => ({ ...withoutCause(fault), effect }))];
  const outcome =
    events.length === 0
      ? isMissing
        ? 'no_shipment'
        : 'refused'
      : all.some((fault) => fault.effect === 'segment_left_out')
        ? 'partly_taken'
        : 'taken';
  return { type, control, group, outcome, events, faults: all };
}

function withoutCause({ isMissing: _, ...fault }: EdiFault & { isMissing: boolean }): EdiFault {
  return fault;
}

/** The sender's id as the name of a source: `HAMSUD` is `hamsud`. */
function sourceNameOf(sender: string | null, format: EdiFormat): string {
  const name = (sender ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+|-+$/g, '')
    .slice(0, 64);
  return name === '' ? format.replace('_', '-') : name;
}
