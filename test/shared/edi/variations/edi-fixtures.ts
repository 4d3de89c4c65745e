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

const formats = { '214': 'x12', '315': 'x12', '322': 'x12', IFTSTA: 'edifact', FSU: 'cargo_imp' } as const;

/** Published messages, and a file of each journey of the simulator. */
export function ediFixtures(): EdiFixture[] {
  const simulated = planTruths('VARIATIONS', statements, nowMs).map((truth, index): EdiFixture => {
    const messages = writeMessages(truth).map(({ kind, body }, serial) => enclose(kind, body, serial + 1));
    return {
      name: `simulated ${truth.kind}, ${truth.number}`,
      format: formats[truth.kind],
      text: writeFile(truth.kind, messages, index + 1),
    };
  });
  return [...published, ...simulated];
}
