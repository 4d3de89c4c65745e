import { expect, test } from 'vitest';
import { readEdifact } from '#shared/edi/edifact/read-edifact.ts';
import { readX12 } from '#shared/edi/x12/read-x12.ts';
import { readAll } from './read-all.ts';

const gateOut =
  `UNB+UNOA:2+A+B+260415:0930+1'UNH+1+CODECO:D:95B:UN:ITG14'BGM+36+1+9'LOC+11+NLRTM:139:6'` +
  `EQD+CN+MSCU6639870+45G1:102:5++3+5'RFF+BN:123'DTM+7:202604151200:203'MEA+AAE+G+KGM:1000'TDT+1++3'UNT+9+1'UNZ+1+1'`;
const status =
  `UNB+UNOA:2+A+B+260415:0930+1'UNH+1+IFTSTA:D:00B:UN'BGM+23+1+9'CNI+1+123'STS+1+24'RFF+BN:123'` +
  `DTM+334:202604151200:203'TDT+20+V1+1'UNT+8+1'UNZ+1+1'`;
const envelope = (id: string, type: string, body: string, count: number) =>
  `ISA*00*          *00*          *ZZ*ACMELINE       *ZZ*EXAMPLE        *260415*0930*U*00401*000000041*0*P*>~` +
  `GS*${id}*A*B*20260415*0930*41*X*004010~ST*${type}*0001~${body}SE*${count}*0001~GE*1*41~IEA*1*000000041~`;
const load = envelope(
  'QM',
  '214',
  'B10*PRO1*LOAD1*ABCD~L11*7*BM~LX*1~AT7*AF*NS***20260415*0900*ET~MS1*ATLANTA*GA*US~',
  7,
);
const voyage = envelope(
  'QO',
  '315',
  'B4***VD*20260415*0900**MSCU*663987*L*4500*NLRTM*UN*0~N9*BM*123~R4*5*UN*NLRTM~',
  5,
);

test.each([
  ['CODECO', gateOut, readEdifact],
  ['IFTSTA', status, readEdifact],
  ['214', load, readX12],
  ['315', voyage, readX12],
] as const)('a %s may have the name of a member of every object in any place', (_, text, read) => {
  for (const { index, 0: word } of text.matchAll(/[A-Za-z0-9]+/g))
    for (const name of ['constructor', 'valueOf', '__proto__']) {
      const reading = readAll(read(text.slice(0, index) + name + text.slice(index + word.length)));
      // The thread that reads the file sends it on.
      expect(JSON.stringify(structuredClone(reading))).not.toContain('"weightKg":null');
    }
});
