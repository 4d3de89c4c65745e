import { entryOf } from '#shared/domain/entry-of.ts';
import type { EdiMessage, EdiReading } from '../edi-reading.ts';
import { readCreatedAt } from '../edi-time.ts';
import type { Syntax } from '../envelope-faults.ts';
import { draftMessage, type MessageSource } from '../message-draft.ts';
import { type ReadMessage, readEnvelopes } from '../read-envelopes.ts';
import { part, type Segment } from '../segment.ts';
import { cutX12 } from './cut-x12.ts';
import { readCarrierStatus } from './read-carrier-status.ts';
import { readOceanStatus } from './read-ocean-status.ts';
import { readRampActivity } from './read-ramp-activity.ts';

const syntax: Syntax = {
  opens: { ISA: 'interchange', GS: 'group', ST: 'message' },
  closes: { IEA: 'interchange', GE: 'group', SE: 'message' },
  controlAt: { interchange: 13, group: 6, message: 2 },
  isGrouped: true,
  sender: (header) => ({ sender: part(header, 6), receiver: part(header, 8) }),
  // The control numbers of interchanges and groups are numeric: leading zeros don't count.
  sameControl: (left, right, level) =>
    left === right ||
    (level !== 'message' && /^\d+$/.test(left) && /^\d+$/.test(right) && Number(left) === Number(right)),
};

const readers: Readonly<
  Record<string, (segments: readonly Segment[], source: MessageSource) => ReturnType<ReadMessage>>
> = {
  '214': readCarrierStatus,
  '315': readOceanStatus,
  '322': readRampActivity,
};

/** Reads the 214, 315 and 322 messages of X12 text, as `readEnvelopes` does. */
export function readX12(text: string): Generator<EdiMessage | undefined, EdiReading> {
  return readEnvelopes(cutX12(text), syntax, (segments, { interchange, group }) => {
    const [first] = segments;
    const type = first === undefined ? null : part(first, 1);
    const control = first === undefined ? null : part(first, 2);
    const header = group ?? interchange;
    const createdAt =
      group === null
        ? readCreatedAt(part(header, 9), part(header, 10))
        : readCreatedAt(part(header, 4), part(header, 5));
    const source = {
      text,
      format: 'x12',
      interchange: part(interchange, 13),
      control: control ?? '',
      createdAt,
    } as const;
    const read = entryOf(readers, type);
    if (read !== undefined) return read(segments, source);
    const draft = draftMessage(type ?? '', segments, source);
    if (first !== undefined)
      draft.fault(
        first,
        `Landfall reads 214, 315 and 322 messages, not ${type ?? 'one without a type'}.`,
        'message_refused',
      );
    return draft.end();
  });
}
