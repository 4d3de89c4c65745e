import type { EdiInterchange, EdiMessage, EdiReading } from '../edi-reading.ts';
import { maxEvents, maxFaults, maxMessages } from '../edi-reading.ts';
import { flawOf, maxElements, maxSegmentLength, type Segment } from '../segment.ts';
import { maxLinesOfMessage, readFsu } from './read-fsu.ts';

/** Type B puts these around a message: start of heading, start of text, end of text. */
const framing = ['\u0001', '\u0002', '\u0003'];

/** Lines between two chances for others to run. */
const stride = 500;

/**
 * Reads the status messages (FSU, FSA) of Cargo-IMP text: one message after the other, each from its identifier to the
 * next. Type B address lines before a message, and the envelope of Cargo Fact (UNB, UNH), are passed over. Yields each
 * message, and undefined now and then.
 */
export function* readCargoImp(sent: string, nowMs: number): Generator<EdiMessage | undefined, EdiReading> {
  const text = framing.reduce((rest, character) => rest.replaceAll(character, '\n'), sent);
  const interchange: EdiInterchange = { control: null, sender: null, receiver: null, messages: [], faults: [] };
  const refused = (reason: string, line: Segment | null): EdiReading => ({
    interchanges: [],
    faults: [{ segment: line?.position ?? null, tag: line?.tag ?? null, reason, effect: 'file_refused' }],
  });
  let open: Segment[] = [];
  let events = 0;
  let faults = 0;
  const close = function* (): Generator<EdiMessage> {
    if (open.length === 0) return;
    const message = readFsu(open, { text, nowMs });
    events += message.events.length;
    faults += message.faults.length;
    interchange.messages.push(message);
    open = [];
    yield message;
  };
  let seen = 0;
  for (const line of linesOf(text)) {
    seen += 1;
    if (seen % stride === 0) yield;
    if (isIdentifier(line, text)) {
      yield* close();
      if (interchange.messages.length >= maxMessages)
        return refused(`The file has more than ${maxMessages.toLocaleString('en')} messages. Send it in parts.`, line);
      if (events > maxEvents)
        return refused(`The file states more than ${maxEvents.toLocaleString('en')} events. Send it in parts.`, line);
      if (faults > maxFaults)
        return refused(`The file has more than ${maxFaults.toLocaleString('en')} mistakes.`, line);
      open = [line];
    } else if (line.tag === 'UNT' || line.tag === 'UNZ') yield* close();
    else if (open.length > 0) {
      // The line beyond the last one shows the reader that there are too many.
      if (open.length <= maxLinesOfMessage) open.push(line);
    } else if (!isAddressLine(line, text))
      return refused('A message must begin with its identifier, as in FSU/14.', line);
  }
  yield* close();
  if (interchange.messages.length === 0) return refused('The file has no message.', null);
  return { interchanges: [interchange], faults: [] };
}

/** The lines of the text that are not empty. Their parts between slashes are the elements. */
function* linesOf(text: string): Generator<Segment> {
  let position = 0;
  // Type B text separates lines by CR and LF, Cargo Fact ends its own segments with an apostrophe.
  for (const match of text.matchAll(/[^\s'][^\r\n']*/g)) {
    const written = match[0].trimEnd();
    position += 1;
    const flaw = flawOf(written, written.length, false);
    const [tag = '', ...elements] = written.slice(0, maxSegmentLength).split('/', maxElements);
    const from = match.index;
    const name = /^(UNT|UNZ|UNB|UNH)\+/.exec(written)?.[1] ?? tag.trim();
    yield { tag: name, elements: elements.map((each) => [each]), position, from, to: from + match[0].length, flaw };
  }
}

function isIdentifier({ tag, from, to }: Segment, text: string): boolean {
  return (
    (tag === 'FSU' || tag === 'FSA') && /^(FSU|FSA)\/\d{1,2}$/.test(text.slice(from, Math.min(to, from + 20)).trim())
  );
}

/** `QK HKGFFXH`, `.FRALHXH 101120`, `=SMI` and the header segments of Cargo Fact. */
function isAddressLine({ tag, from, to }: Segment, text: string): boolean {
  const line = text.slice(from, Math.min(to, from + 80)).trim();
  return tag === 'UNB' || tag === 'UNH' || /^(Q[A-Z] |\.|=)[A-Z\d ./=-]*$/.test(line);
}
