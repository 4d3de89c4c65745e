import { createYield } from '#shared/async/yield-event-loop.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { EdiFault, EdiFormat, EdiReport, ReportedMessage } from '#shared/domain/events-in/edi-report.ts';
import { type EventRowResult, maxEventRows, type SentEventRow } from '#shared/domain/events-in/event-row.ts';
import { readCargoImp } from '#shared/edi/cargo-imp/read-cargo-imp.ts';
import {
  type EdiInterchange,
  type EdiMessage,
  type EdiReading,
  isRefused,
  settleMessage,
} from '#shared/edi/edi-reading.ts';
import { readEdifact } from '#shared/edi/edifact/read-edifact.ts';
import { readX12 } from '#shared/edi/x12/read-x12.ts';
import { readTime, withAccountByKey } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { readEventRow } from './read-event-row.ts';
import { recordEvents } from './record-events.ts';

export type SentEdi = {
  format: EdiFormat;
  text: string;
  /** The source that the events are recorded with. Null: the sender that the interchange names. */
  sourceName: string | null;
};

/**
 * Reads the messages of a file and records what they state. A message is recorded as a whole, without the segments that
 * its faults name, or not at all. The same file again changes nothing, so a request that was cut off is completed by
 * repeating it. Throws LandfallError `validation_failed` if the file cannot be read, `unavailable`.
 */
export async function receiveEdi(ctx: CoreContext, caller: Caller, sent: SentEdi): Promise<EdiReport> {
  const nowMs = (await withAccountByKey(ctx.store, caller.accountId, readTime)).getTime();
  const reading = await runReading(readerOf(sent, nowMs));
  const [refusal] = reading.faults;
  if (refusal !== undefined) {
    const where =
      refusal.segment === null ? '' : ` (${sent.format === 'cargo_imp' ? 'line' : 'segment'} ${refusal.segment})`;
    throw new LandfallError('validation_failed', `${refusal.reason.slice(0, -1)}${where}.`);
  }
  const yieldIfDue = createYield();
  const interchanges: { from: EdiInterchange; sourceName: string; evaluated: EdiMessage[] }[] = [];
  for (const from of reading.interchanges) {
    const sourceName = sent.sourceName ?? sourceNameOf(from.sender, sent.format);
    const evaluated: EdiMessage[] = [];
    for (const message of from.messages) {
      evaluated.push(evaluate(message, sourceName, nowMs));
      await yieldIfDue();
    }
    interchanges.push({ from, sourceName, evaluated });
  }
  const results = await record(ctx, caller, interchanges);
  return {
    interchanges: interchanges.map(({ from: { control, sender, receiver, faults }, sourceName, evaluated }) => ({
      control,
      sender,
      receiver,
      sourceName,
      faults,
      messages: evaluated.map((message) => reported(message, results)),
    })),
  };
}

function readerOf({ format, text }: SentEdi, nowMs: number): Generator<void, EdiReading> {
  if (format === 'x12') return readX12(text);
  return format === 'edifact' ? readEdifact(text) : readCargoImp(text, nowMs);
}

/** Reads in steps, so that a large file doesn't hold up other requests. */
async function runReading(steps: Generator<void, EdiReading>): Promise<EdiReading> {
  const yieldIfDue = createYield();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await yieldIfDue();
  }
}

/** The message without the events that can't be meant: an unknown place, a time that is too far away. */
function evaluate(message: EdiMessage, sourceName: string, nowMs: number): EdiMessage {
  if (isRefused(message)) return message;
  const faults: EdiFault[] = [...message.faults];
  const events = message.events.filter(({ row, segment, tag, isMain }) => {
    const read = readEventRow({ ...row, sourceName }, nowMs);
    if ('event' in read) return true;
    const reason = read.map(({ detail }) => detail).join(' ');
    faults.push({ segment, tag, reason, effect: isMain ? 'message_refused' : 'segment_left_out' });
    return false;
  });
  return settleMessage({ ...message, events, faults });
}

type Evaluated = { sourceName: string; evaluated: readonly EdiMessage[] };
type Results = ReadonlyMap<EdiMessage, readonly EventRowResult[]>;

/** Records the messages one after the other, never a part of one. */
async function record(ctx: CoreContext, caller: Caller, interchanges: readonly Evaluated[]): Promise<Results> {
  // An Idempotency-Key is for one call. Here the content itself makes a repetition harmless.
  const plain = { ...caller, idempotency: null };
  const results = new Map<EdiMessage, readonly EventRowResult[]>();
  let waiting: { message: EdiMessage; rows: SentEventRow[] }[] = [];
  let count = 0;
  const flush = async (): Promise<void> => {
    if (count === 0) return;
    const recorded = await recordEvents(ctx, plain, { rows: waiting.flatMap(({ rows }) => rows) });
    let start = 0;
    for (const { message, rows } of waiting) {
      results.set(message, recorded.results.slice(start, start + rows.length));
      start += rows.length;
    }
    waiting = [];
    count = 0;
  };
  for (const { sourceName, evaluated } of interchanges)
    for (const message of evaluated) {
      if (message.events.length === 0) continue;
      if (count + message.events.length > maxEventRows) await flush();
      waiting.push({ message, rows: message.events.map(({ row }) => ({ ...row, sourceName })) });
      count += message.events.length;
    }
  await flush();
  return results;
}

function reported(message: EdiMessage, results: Results): ReportedMessage {
  const { type, control, group, faults } = message;
  if (isRefused(message)) return { type, control, group, outcome: 'refused', events: [], faults };
  const own = results.get(message) ?? [];
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
