import type { EdiFormat } from '#shared/domain/events-in/edi-report.ts';
import { planTruths } from '#test/support/edi/plan-truths.ts';
import { enclose, writeFile } from '#test/support/edi/write-files.ts';
import { writeMessages } from '#test/support/edi/write-messages.ts';
import {
  airReceipt,
  airStatuses,
  oceanStatus,
  ownList,
  parcelStatus,
  railDeparture,
  rampArrival,
  rampFreeTime,
} from '../published-messages.ts';

/** A file with at least one interchange that is read without a fault of its envelope. */
export type EdiFixture = { name: string; format: EdiFormat; text: string };

/** The dates of Cargo-IMP have no year. */
export const nowMs = Date.UTC(2026, 3, 20);
/** Statements of the simulator's journeys, of which most messages make one. */
const statements = 60;

const published: readonly EdiFixture[] = [
  { name: 'published 322, arrival', format: 'x12', text: rampArrival },
  { name: 'published 322, free time', format: 'x12', text: rampFreeTime },
  { name: 'published 315', format: 'x12', text: oceanStatus },
  { name: 'published 214', format: 'x12', text: parcelStatus },
  { name: 'published IFTSTA', format: 'edifact', text: railDeparture },
  { name: 'published IFTSTA, own list', format: 'edifact', text: ownList },
  { name: 'published FSU', format: 'cargo_imp', text: airStatuses },
  { name: 'published FSU in Cargo Fact', format: 'cargo_imp', text: airReceipt },
];

/** A message of one container, as SMDG's manuals have it. */
function ofTerminal(type: 'CODECO' | 'COARRI', segments: readonly string[]): EdiFixture {
  const lines = [`UNH+1+${type}:D:95B:UN:ITG14`, ...segments, `UNT+${segments.length + 2}+1`].join("'");
  return { name: type, format: 'edifact', text: `UNB+UNOA:2+PORTTERM+ACME+260415:0930+7'${lines}'UNZ+1+7'` };
}

const vessel = 'TDT+20+V1+1++MAEU:172:20+++9320245:146::EVER GIVEN';
const terminal: readonly EdiFixture[] = [
  ofTerminal('CODECO', [
    ...['BGM+34+1+9', vessel, 'RFF+BN:3048413690', 'EQD+CN+MSKU1234565+45G1:102:5++2+5', 'DTM+7:202604141259:203'],
    ...['LOC+165+NLRTM:139:6+ECTDDE:TER:ZZZ', 'MEA+AAE+G+KGM:21430', 'SEL+OOLAYJ9379+SH+1', 'DAM+1+DEN', 'CNT+16:1'],
  ]),
  ofTerminal('COARRI', [
    ...['BGM+44+1+9', vessel, 'LOC+9+NLRTM:139:6', 'EQD+CN+MSKU1234565+45G1:102:5++3+5', 'DTM+203:202604141259:203'],
    ...['LOC+9+NLRTM:139:6', 'MEA+AAE+G+KGM:21430', 'SEL+OOLAYJ9379+SH+1', 'CNT+16:1'],
  ]),
];

const formats = { '214': 'x12', '315': 'x12', '322': 'x12', IFTSTA: 'edifact', FSU: 'cargo_imp' } as const;

/** Published messages, those of a terminal, and a file of each journey of the simulator. */
export function ediFixtures(): EdiFixture[] {
  const simulated = planTruths('VARIATIONS', statements, nowMs).map((truth, index): EdiFixture => {
    const messages = writeMessages(truth).map(({ kind, body }, serial) => enclose(kind, body, serial + 1));
    return {
      name: `simulated ${truth.kind}, ${truth.number}`,
      format: formats[truth.kind],
      text: writeFile(truth.kind, messages, index + 1),
    };
  });
  return [...published, ...terminal, ...simulated];
}
