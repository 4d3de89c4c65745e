import { z } from 'zod';
import { LandfallError } from '#shared/domain/errors.ts';
import type { Operations } from '../operation.ts';
import { ediAnswer } from './edi-wire.ts';

/** Its characters are read where untrusted files are. */
export type EdiBody = { bytes: Uint8Array; charset: string | null };

// biome-ignore lint/correctness/useYield: a body with a reader of its own is read in steps, and this is one.
function* readEdiBody(bytes: Uint8Array, charset: string | null): Generator<void, EdiBody> {
  if (bytes.length === 0)
    throw new LandfallError('validation_failed', 'The body is empty. Send the text of the messages.');
  return { bytes, charset };
}

const maxBytes = 8 * 1024 * 1024;
/** Reading 19,000 short IFTSTA messages (4.7 MB) held 7 bytes for each of theirs, and 13 at its peak. */
const heldPerByte = 12;
const rules =
  'Each status becomes an event of the shipments that have one of the numbers in the message, the strongest first: ' +
  'register them before. For each message, the response lists the events with their shipments, and for each mistake ' +
  'the segment and the reason. A message with a wrong control number, a wrong count, a segment that is cut off or a ' +
  'status that cannot be read is refused; where the statuses of a message don’t depend on each other, the readable ' +
  'ones are recorded. The text of the message is kept with its events (`include=raw`). The same messages again ' +
  'change nothing: repeat a request that was cut off. A body may have 8 MiB, 20,000 messages and 20,000 events; a ' +
  'message 1,000 events.';

const common = {
  access: 'key_or_session',
  method: 'POST',
  tag: 'Events in',
  scope: 'events:write',
  limit: 'batch',
  query: z.object({
    source_name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/)
      .optional()
      .meta({
        description: 'Source name of the recorded events. Default: the sender in the header, in lower case.',
        examples: ['acme-rail'],
      }),
  }),
  answers: {
    200: { description: 'The messages were read. `messages` contains the outcome of each.', schema: ediAnswer },
  },
  errors: ['validation_failed', 'unknown_parameter'],
} as const;

function body<Example>(what: string, mediaTypes: readonly string[], examples: Example) {
  return {
    schema: z.string().meta({ description: what }),
    read: readEdiBody,
    tooLarge: 'Send the messages in parts.',
    description: what,
    mediaTypes,
    maxBytes,
    heldPerByte,
    examples,
  } as const;
}

const x12Example =
  'ISA*00*          *00*          *ZZ*ACMELINE       *ZZ*EXAMPLE        *260415*0930*U*00401*000000041*0*P*>~' +
  'GS*QO*ACMELINE*EXAMPLE*20260415*0930*41*X*004010~ST*315*0001~' +
  'B4***VD*20260414*2210*HKHKG*MSCU*473000*L*4500*HKHKG*UN*9~N9*BM*MAEU123456789~' +
  'Q2*9321483********412W***L*EMMA MAERSK~R4*D*UN*USLAX*LOS ANGELES*US***CA~DTM*139*20260502*0600*LT~' +
  'SE*7*0001~GE*1*41~IEA*1*000000041~';

const edifactExample =
  "UNB+UNOC:3+ACMELINE+EXAMPLE+260415:0930+41'UNH+1+IFTSTA:D:95B:UN'BGM+23+4711+9'DTM+137:202604150930:203'CNI+1'" +
  "STS+1+24'RFF+BM:MAEU123456789'DTM+334:202604142210:203'LOC+175+HKHKG:139:6'" +
  "TDT+20+412W+1++MAEU:172:20+++9321483:146:11:EMMA MAERSK'EQD+CN+MSCU4730009+45G1:102:5+++5'UNT+11+1'UNZ+1+41'";

const terminalExample =
  "UNB+UNOA:2+PORTTERM+EXAMPLE+260415:0930+42'UNH+1+CODECO:D:95B:UN:ITG14'BGM+36+4712+9'EQD+CN+MSCU4730009+45G1:102:5++3+5'" +
  "RFF+BM:MAEU123456789'DTM+7:202604141259:203'LOC+165+NLRTM:139:6'MEA+AAE+G+KGM:21430'SEL+SL1234567+CA'CNT+16:1'UNT+10+1'UNZ+1+42'";

const fsuExample =
  'FSU/14\n020-12345675FRAJFK/T10K150\nRCS/14APR1530/FRA/T10K150/ACME\nDEP/LH400/15APR/FRAJFK/T10K150/A1105/E1330\n';

export const ediOperations = {
  receiveX12: {
    ...common,
    path: '/v1/edi/x12',
    summary: 'Receive X12 messages',
    description:
      'Records the statuses of X12 messages: 214 (motor carriers and parcels), 315 (ocean) and 322 (ramps and ' +
      'terminals), of release 4010 and those around it. Times are local at their place unless the message states a ' +
      `zone. ${rules}`,
    body: body('Interchanges from ISA to IEA, one after the other.', ['application/edi-x12', 'text/plain'], {
      ocean: { summary: 'A vessel has left', value: x12Example },
    }),
  },
  receiveEdifact: {
    ...common,
    path: '/v1/edi/edifact',
    summary: 'Receive EDIFACT messages',
    description:
      'Records the statuses of EDIFACT messages: IFTSTA (carriers), CODECO (gate in, gate out) and COARRI (discharged, ' +
      `loaded), each of D.95B and later. ${rules}`,
    body: body('Interchanges from UNB (or UNA) to UNZ, one after the other.', ['application/edifact', 'text/plain'], {
      ocean: { summary: 'A vessel has left', value: edifactExample },
      terminal: { summary: 'A container has left its terminal', value: terminalExample },
    }),
  },
  receiveCargoImp: {
    ...common,
    path: '/v1/edi/cargo-imp',
    summary: 'Receive Cargo-IMP messages',
    description:
      'Records the statuses of Cargo-IMP messages: FSU and FSA of air cargo. Their dates have no year: a completed ' +
      `event happened on the last such day, and a booked flight leaves within half a year. ${rules}`,
    body: body('Messages from their identifier (`FSU/14`), one after the other.', ['text/plain'], {
      air: { summary: 'Cargo was received and has left', value: fsuExample },
    }),
  },
} as const satisfies Operations;
