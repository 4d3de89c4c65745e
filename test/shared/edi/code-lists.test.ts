import { expect, test } from 'vitest';
import { eventCodes } from '#shared/domain/events/event.ts';
import { statusDetails } from '#shared/domain/events/status-details.ts';
import {
  appointmentCodes,
  carrierStatusCodes,
  reasonDetail,
  reasonWords,
} from '#shared/edi/codes/carrier-status-codes.ts';
import { oceanStatusCodes, rampStatusCodes } from '#shared/edi/codes/ocean-status-codes.ts';
import type { StatusTable } from '#shared/edi/codes/status-table.ts';
import { transportStatusesOf } from '#shared/edi/codes/transport-status-codes.ts';

const codesOf = (text: string) => text.trim().split(/\s+/);

/** Their published texts don't say where the cargo is, or nothing public says what they mean. */
const leftOut = new Set(
  codesOf(`DA DC DN DP DR DS DT EA ER F HE HF HH HI ND NO NP NS OF OH ON RA RB SN T TM U UA UB UC UD UE UP V W WE WH WR X X7
    Y Z ZZ`),
);

/** Published codes. Sources: code lists of X12 003010 to 008040 by stedi.com/edi; UN/EDIFACT D.00B, element 9011. */
const lists: [name: string, table: StatusTable, published: string[]][] = [
  [
    'X12 element 157',
    oceanStatusCodes,
    codesOf(`1 2 3 4 A A1 A2 A3 A4 AA AC AD AE AF AG AH AI AJ AL AM AN AO AP AR AU AV AW B BA BC BD BE BF BR C C1 C2 CA CB CC
      CD CO CR CS CT CU CV D DA DC DN DP DR DS DT E EA EE ER F FP FT G GO H HA HB HC HD HE HF HG HH HI HR I IB IR J K L M MT
      N ND NF NH NO NP NR NS NT O OA OB OF OH ON P PA PB PC PD PE PF PG PH PI PJ PK PL PM PN PO PP PQ PR PS PT PU PV PW PX R
      RA RB RC RD RI RL S SA SB SD SI SN T TC TM U UA UB UC UD UE UP UR UV V VA VD W WE WH WR X X1 X2 X3 X4 X5 X6 X7 X8 X9
      XA XB Y Z ZZ`),
  ],
  [
    'X12 element 1650',
    carrierStatusCodes,
    codesOf(`A3 A7 A9 AF AG AH AI AJ AL AM AN AP AR AV AW B6 BA BC BO BR C1 CA CB CD CL CP CT D1 DE DO I1 J1 K1 L1 LC NB OA OO
      OP P1 PA PR R1 RH RL S1 SD UC UR X1 X2 X3 X4 X5 X6 X8 XB Y1`),
  ],
  ['X12 element 1652', appointmentCodes, codesOf('AA AB AC ED EP LD LP X9 XA')],
  ['UN/EDIFACT element 9011', transportStatusesOf(null), Array.from({ length: 103 }, (_, index) => String(index + 1))],
];

test.each(lists)('every published code of %s has a meaning, or is left out for a reason', (_name, table, published) => {
  const missing = published.filter((code) => !Object.hasOwn(table, code) && !leftOut.has(code));
  expect(missing).toEqual([]);
  expect(Object.keys(table).filter((code) => !published.includes(code))).toEqual([]);
});

test('the tables name nothing but event codes and status details', () => {
  const meanings = [...lists.map(([, table]) => table), rampStatusCodes].flatMap((table) => Object.values(table));
  for (const { code, empty, detail, words } of meanings) {
    expect(eventCodes).toContain(code);
    if (empty !== undefined) expect(eventCodes).toContain(empty);
    if (detail !== undefined) expect(statusDetails).toContain(detail);
    expect(words).not.toBe('');
  }
});

test('every published reason of X12 element 1651 has its words', () => {
  const published =
    codesOf(`A1 A2 A3 A5 A6 AA AD AE AF AG AH AI AJ AK AL AM AN AO AP AQ AR AS AT AU AV AW AX AY AZ B1 B2 B4 B5
    B8 B9 BB BC BD BE BF BG BH BI BJ BK BL BM BN BO BP BQ BR BS BT C1 C2 C3 C4 C5 C6 C7 C8 C9 CA CB CC D1 D2 F1 F2 HB P1 P2 P3
    P4 RC S1 T1 T2 T3 T4 T5 T6 T7`);
  expect(published.filter((code) => reasonWords(code)?.startsWith('reason ') !== false)).toEqual([]);
  expect([reasonWords('NS'), reasonWords('NA'), reasonWords('QQ')]).toEqual([null, null, 'reason QQ']);
  for (const code of published) {
    const detail = reasonDetail(code);
    if (detail !== null) expect(statusDetails).toContain(detail);
  }
});

test.each([
  ['157', oceanStatusCodes, '2', 'delivery_attempted'],
  ['157', oceanStatusCodes, '1', 'delivered'],
  ['157', oceanStatusCodes, 'PR', 'customs_hold'],
  ['157', oceanStatusCodes, 'C1', 'customs_hold'],
  ['157', oceanStatusCodes, 'A3', 'exception'],
  ['1652', appointmentCodes, 'X9', 'delivered'],
  ['1652', appointmentCodes, 'XA', 'picked_up'],
  ['4405', transportStatusesOf('ocean'), '59', 'exception'],
  ['4405', transportStatusesOf('rail'), '59', 'exception'],
  ['4405', transportStatusesOf('road'), '82', 'return_started'],
  ['4405', transportStatusesOf(null), '77', 'exception'],
])('%s %#: the meaning of a code', (_list, table, code, meaning) => {
  expect(table[code]?.code).toBe(meaning);
});

test.each([
  ['PS', 'agriculture'],
  ['PT', 'agriculture'],
  ['PW', 'agriculture'],
  ['PX', 'agriculture'],
  ['PU', 'other'],
  ['PV', 'other'],
  ['A3', 'agriculture'],
  ['C1', 'customs'],
  ['PR', 'customs'],
])('the hold of %s is one of %s', (code, type) => {
  expect(oceanStatusCodes[code]?.holds).toEqual([{ type, status: 'active' }]);
});
