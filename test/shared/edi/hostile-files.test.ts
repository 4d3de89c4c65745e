import { expect, test } from 'vitest';
import { readCargoImp } from '#shared/edi/cargo-imp/read-cargo-imp.ts';
import type { EdiReading } from '#shared/edi/edi-reading.ts';
import { readEdifact } from '#shared/edi/edifact/read-edifact.ts';
import { readX12 } from '#shared/edi/x12/read-x12.ts';
import { cpuMsOf, leastMsOf } from '#test/support/cpu.ts';
import { scaled } from '#test/support/run-scale.ts';

const size = scaled({ short: 256, full: 8192 }) * 1024;
/** CPU time of one step, in which nobody else is served. A busy machine doesn't change it. */
const maxAllowedStepMs = 150;

const isa =
  'ISA*00*          *00*          *ZZ*SENDER         *ZZ*RECEIVER       *260415*0930*U*00401*000000041*0*P*>~';
const gs = 'GS*QO*A*B*20260415*0930*41*X*004010~';
const unb = "UNB+UNOC:3+SENDER+RECEIVER+260415:0930+77'";
const filled = (start: string, repeated: string) =>
  start + repeated.repeat(Math.ceil((size - start.length) / repeated.length));

const files: [name: string, read: () => Generator<unknown, EdiReading>][] = [
  ['terminators', () => readX12(filled(isa, '~'))],
  ['element separators', () => readX12(filled(`${isa}${gs}ST*315*1~`, '*'))],
  ['short segments in one message', () => readX12(filled(`${isa}${gs}ST*214*1~`, 'A*~'))],
  ['wide segments in one message', () => readX12(filled(`${isa}${gs}ST*214*1~`, `A${'*'.repeat(8000)}~`))],
  ['statuses without anything', () => readX12(filled(`${isa}${gs}ST*214*1~B10*1*1*A~`, 'AT7~'))],
  [
    'statuses of one message',
    () => readX12(filled(`${isa}${gs}ST*214*1~B10*1*1*A~`, 'AT7*X6*NS***20260414*0800*ET~MS1*DALLAS*TX*US~')),
  ],
  ['messages', () => readX12(filled(`${isa}${gs}`, 'ST*315*1~SE*2*1~'))],
  ['interchanges', () => readX12(filled('', isa))],
  ['interchanges that are cut off', () => readEdifact(filled('', "UNB'"))],
  ['groups that are cut off', () => readEdifact(filled(unb, "UNG'"))],
  ['segments after messages', () => readEdifact(filled(unb + "UNH+1+X'UNT+2+1'".repeat(9000), "A'"))],
  ['terminators of EDIFACT', () => readEdifact(filled(unb, " '"))],
  ['blanks after a segment', () => readX12(filled(`${isa}A`, ' '))],
  ['apostrophes', () => readCargoImp(filled('FSU/14\n', " '"), 0)],
  [
    'units of one message',
    () => readX12(filled(`${isa}${gs}ST*322*1~Q5*A*20260414*0800*UT~`, 'N7*ABCU*123456~N9*BM*1~')),
  ],
  ['releases', () => readEdifact(filled(unb, '?'))],
  ['released terminators', () => readEdifact(filled(unb, "?'"))],
  ['components', () => readEdifact(filled(`${unb}UNH+1+IFTSTA:D:95B:UN'`, `A+${':'.repeat(4000)}'`))],
  [
    'references and statuses',
    () =>
      readEdifact(
        filled(`${unb}UNH+1+IFTSTA:D:95B:UN'BGM+23'${"RFF+BM:1'".repeat(5000)}`, "STS+1+24'DTM+334:20260414:102'"),
      ),
  ],
  ['places of one status', () => readEdifact(filled(`${unb}UNH+1+IFTSTA:D:95B:UN'BGM+23'STS+1+24'`, "LOC+1'"))],
  ['lines', () => readCargoImp(filled('', 'A\n'), 0)],
  ['statuses on lines', () => readCargoImp(filled('FSU/14\n020-12345675FRAJFK/T1K1\n', 'RCS/16APR1317/FRA\n'), 0)],
  ['messages on lines', () => readCargoImp(filled('', 'FSU/14\n'), 0)],
];

async function maxStepMs(steps: Iterator<unknown>): Promise<number> {
  let maxMs = 0;
  for (let isDone = false; !isDone; ) {
    const stepMs = await cpuMsOf(async () => {
      isDone = steps.next().done === true;
    });
    maxMs = Math.max(maxMs, stepMs);
  }
  return maxMs;
}

test.each(files)('a file of only %s delays no other file, and is bounded', async (_name, read) => {
  const leastMs = await leastMsOf(maxAllowedStepMs, () => maxStepMs(read()));
  expect(leastMs).toBeLessThan(maxAllowedStepMs);
  const steps = read();
  for (;;) {
    const step = steps.next();
    if (step.done !== true) continue;
    const { interchanges, faults } = step.value;
    const messages = interchanges.flatMap((interchange) => interchange.messages);
    expect(messages.length).toBeLessThanOrEqual(20_000);
    expect(messages.flatMap((message) => message.events).length).toBeLessThanOrEqual(20_000);
    expect(
      faults.length +
        interchanges.flatMap((each) => [...each.faults, ...each.messages.flatMap((one) => one.faults)]).length,
    ).toBeGreaterThan(0);
    return;
  }
});
