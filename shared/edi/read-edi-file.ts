import { LandfallError } from '#shared/domain/errors.ts';
import type { EdiFormat } from '#shared/domain/events-in/edi-report.ts';
import { readCargoImp } from './cargo-imp/read-cargo-imp.ts';
import { decodeEdi } from './decode-edi.ts';
import type { EdiInterchange, EdiMessage, EdiReading } from './edi-reading.ts';
import { readEdifact } from './edifact/read-edifact.ts';
import { readX12 } from './x12/read-x12.ts';

/** `charset`: what the sender states beside the file (null: nothing). `nowMs`: the dates of Cargo-IMP have no year. */
export type EdiFile = { format: EdiFormat; bytes: Uint8Array; charset: string | null; nowMs: number };

/** An interchange without its messages, of which it has `messages`. */
export type EdiEnvelope = Omit<EdiInterchange, 'messages'> & { messages: number };

/** First the interchanges of a file, then its messages in order. */
export type EdiPart =
  | { kind: 'envelopes'; interchanges: EdiEnvelope[] }
  | { kind: 'messages'; messages: readonly EdiMessage[] };

/** Characters of a file that is read once, and held as a whole. */
const maxHeldChars = 64 * 1024;
/** Of one part: the receiver takes it apart in a millisecond or two. */
const maxMessagesOfPart = 200;
const maxEventsOfPart = 200;

/**
 * Reads a file in steps of a few milliseconds. The end of an envelope can refuse the messages in it, so a large file is
 * read twice: the first time for its envelopes, the second time to pass on each message and let go of it. Throws
 * LandfallError `validation_failed` if the file cannot be read.
 */
export function* readEdiFile(file: EdiFile): Generator<EdiPart | undefined> {
  const text = decodeEdi(file.bytes, file.charset);
  const isLarge = text.length > maxHeldChars;
  const reading = yield* readEnvelopesOf(file, text, isLarge);
  yield {
    kind: 'envelopes',
    interchanges: reading.interchanges.map((each) => ({ ...each, messages: each.messages.length })),
  };
  const messages = reading.interchanges.flatMap((interchange) => interchange.messages);
  yield* inParts(isLarge ? messagesAgain(file, text, messages) : messages);
}

function* readEnvelopesOf(file: EdiFile, text: string, isLarge: boolean): Generator<undefined, EdiReading> {
  const steps = readerOf(file, text);
  for (;;) {
    const step = steps.next();
    if (step.done === true) {
      refuseFile(step.value, file.format);
      return step.value;
    }
    if (step.value !== undefined && isLarge) step.value.events = [];
    yield;
  }
}

/** `known`: the messages of the first reading, which alone knows which of them an envelope refuses. */
function* messagesAgain(file: EdiFile, text: string, known: readonly EdiMessage[]): Generator<EdiMessage | undefined> {
  let place = 0;
  for (const read of readerOf(file, text)) {
    if (read === undefined) {
      yield;
      continue;
    }
    const first = known[place];
    place += 1;
    yield first !== undefined && first.faults.length > read.faults.length ? first : { ...read };
    read.events = [];
  }
}

function* inParts(messages: Iterable<EdiMessage | undefined>): Generator<EdiPart | undefined> {
  let part: EdiMessage[] = [];
  let events = 0;
  for (const message of messages) {
    if (message === undefined) {
      yield;
      continue;
    }
    part.push(message);
    events += message.events.length;
    if (part.length < maxMessagesOfPart && events < maxEventsOfPart) continue;
    yield { kind: 'messages', messages: part };
    part = [];
    events = 0;
  }
  if (part.length > 0) yield { kind: 'messages', messages: part };
}

function readerOf({ format, nowMs }: EdiFile, text: string): Generator<EdiMessage | undefined, EdiReading> {
  if (format === 'x12') return readX12(text);
  return format === 'edifact' ? readEdifact(text) : readCargoImp(text, nowMs);
}

function refuseFile({ faults: [refusal] }: EdiReading, format: EdiFormat): void {
  if (refusal === undefined) return;
  const unit = format === 'cargo_imp' ? 'line' : 'segment';
  const where = refusal.segment === null ? '' : ` (${unit} ${refusal.segment})`;
  throw new LandfallError('validation_failed', `${refusal.reason.slice(0, -1)}${where}.`);
}
