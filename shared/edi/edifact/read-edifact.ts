import type { EdiMessage, EdiReading } from '../edi-reading.ts';
import { readCreatedAt } from '../edi-time.ts';
import type { Syntax } from '../envelope-faults.ts';
import { draftMessage } from '../message-draft.ts';
import { readEnvelopes } from '../read-envelopes.ts';
import { part, type Segment } from '../segment.ts';
import { cutEdifact } from './cut-edifact.ts';
import { readIftsta } from './read-iftsta.ts';
import { readTerminalMoves } from './read-terminal-moves.ts';

const syntax: Syntax = {
  opens: { UNB: 'interchange', UNG: 'group', UNH: 'message' },
  closes: { UNZ: 'interchange', UNE: 'group', UNT: 'message' },
  controlAt: { interchange: 5, group: 5, message: 1 },
  isGrouped: false,
  sender: (header) => ({ sender: part(header, 2), receiver: part(header, 3) }),
  sameControl: (left, right) => left === right,
};

/** Reads the IFTSTA, CODECO and COARRI messages of EDIFACT text, as `readEnvelopes` does. */
export function readEdifact(text: string): Generator<EdiMessage | undefined, EdiReading> {
  return readEnvelopes(cutEdifact(text), syntax, (segments, { interchange }) => {
    const [first] = segments;
    const type = first === undefined ? null : part(first, 2, 1);
    const control = first === undefined ? null : part(first, 1);
    const source = {
      text,
      format: 'edifact',
      interchange: part(interchange, 5),
      control: control ?? '',
      createdAt: madeAt(segments) ?? readCreatedAt(part(interchange, 4, 1), part(interchange, 4, 2)),
    } as const;
    if (type === 'IFTSTA') return readIftsta(segments, source);
    if (type === 'CODECO' || type === 'COARRI') return readTerminalMoves(type, segments, source);
    const draft = draftMessage(type ?? '', segments, source);
    if (first !== undefined)
      draft.fault(
        first,
        `Landfall reads IFTSTA, CODECO and COARRI, not ${type ?? 'a message without a type'} (UNH 0065).`,
        'message_refused',
      );
    return draft.end();
  });
}

/** When the message was made (DTM+137 of its header). */
function madeAt(segments: readonly Segment[]): string | null {
  for (const segment of segments) {
    if (['CNI', 'STS', 'EQD'].includes(segment.tag)) return null;
    if (segment.tag !== 'DTM' || part(segment, 1, 1) !== '137') continue;
    const value = part(segment, 1, 2) ?? '';
    return readCreatedAt(value.slice(0, 8), value.slice(8));
  }
  return null;
}
