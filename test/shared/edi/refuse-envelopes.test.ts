import { expect, test } from 'vitest';
import { readCargoImp } from '#shared/edi/cargo-imp/read-cargo-imp.ts';
import type { EdiReading } from '#shared/edi/edi-reading.ts';
import { readEdifact } from '#shared/edi/edifact/read-edifact.ts';
import { readX12 } from '#shared/edi/x12/read-x12.ts';
import { readAll } from './read-all.ts';

const nowMs = Date.UTC(2026, 3, 20);

const isa = 'ISA*00*          *00*          *ZZ*SENDER         *ZZ*RECEIVER       *260415*0930*U*00401*000000041*0*P*>';
const message = (control: string, code = 'VD') => [
  `ST*315*${control}`,
  `B4***${code}*20260414*2210*HKHKG*MSCU*473000*L*4500*HKHKG*UN*9`,
  'N9*BM*MAEU123456789',
  `SE*4*${control}`,
];
const group = (messages: string[][], { ge = `GE*${messages.length}*41` } = {}) => [
  'GS*QO*A*B*20260415*0930*41*X*004010',
  ...messages.flat(),
  ge,
];
const x12 = (segments: string[]) => `${segments.join('~')}~`;
const whole = (messages: string[][], iea = 'IEA*1*000000041') => x12([isa, ...group(messages), iea]);

const unb = "UNB+UNOC:3+SENDER+RECEIVER+260415:0930+77'";
const iftsta = (control: string, unt = `UNT+7+${control}`) =>
  `UNH+${control}+IFTSTA:D:95B:UN'BGM+23+1+9'CNI+1'STS+1+24'RFF+BM:MAEU123456789'DTM+334:202604142210:203'${unt}'`;

/** Lists the accepted events of each message, and every fault in one line. */
function reported({ interchanges, faults }: EdiReading) {
  const line = ({ segment, tag, reason, effect }: EdiReading['faults'][number]) =>
    `${segment} ${tag}: ${reason} ${effect}`;
  return {
    events: interchanges.flatMap(({ messages }) => messages.map(({ events }) => events.length)),
    faults: [
      ...faults.map(line),
      ...interchanges.flatMap((each) => [
        ...each.faults.map(line),
        ...each.messages.flatMap((one) => one.faults.map(line)),
      ]),
    ],
  };
}

test('accepts every message of a valid file', () => {
  expect(reported(readAll(readX12(whole([message('0001'), message('0002')]))))).toEqual({ events: [1, 1], faults: [] });
  expect(reported(readAll(readEdifact(`${unb}${iftsta('1')}${iftsta('2')}UNZ+2+77'`)))).toEqual({
    events: [1, 1],
    faults: [],
  });
});

test.each<[name: string, text: string, events: number[], faults: string[]]>([
  [
    'a wrong control number of a message',
    whole([message('0001').with(-1, 'SE*4*0009'), message('0002')]),
    [0, 1],
    ['4 SE: SE has control number 0009, but the message began with 0001. message_refused'],
  ],
  [
    'a wrong count of segments',
    whole([message('0001').with(-1, 'SE*9*0001'), message('0002')]),
    [0, 1],
    ['4 SE: SE counts 9 segments, but the message has 4. message_refused'],
  ],
  [
    'a wrong count of messages',
    x12([isa, ...group([message('0001')], { ge: 'GE*2*41' }), 'IEA*1*000000041']),
    [0],
    [
      '7 GE: GE counts 2 messages, but the group has 1. group_refused',
      'null null: Its group 41 was refused. group_refused',
    ],
  ],
  [
    'a wrong control number of a group',
    x12([isa, ...group([message('0001')], { ge: 'GE*1*42' }), 'IEA*1*000000041']),
    [0],
    [
      '7 GE: GE has control number 42, but the group began with 41. group_refused',
      'null null: Its group 41 was refused. group_refused',
    ],
  ],
  [
    'a wrong control number of the interchange',
    whole([message('0001')], 'IEA*1*000000042'),
    [0],
    [
      '8 IEA: IEA has control number 000000042, but the interchange began with 000000041. interchange_refused',
      'null null: Its interchange 000000041 was refused. interchange_refused',
    ],
  ],
  [
    'a file that ends within a segment',
    whole([message('0001')]).slice(0, -45),
    [0],
    [
      '5 N9: Group 41 is cut off: the file ends before its end. group_refused',
      '5 N9: Interchange 000000041 is cut off: the file ends before its end. interchange_refused',
      '3 N9: The segment is cut off. message_refused',
      'null null: Its group 41 was refused. group_refused',
      'null null: Its interchange 000000041 was refused. interchange_refused',
    ],
  ],
  [
    'a message that another one follows',
    whole([message('0001').slice(0, 3), message('0002')]),
    [0, 1],
    ['3 N9: The message is cut off: ST follows before its end. message_refused'],
  ],
  [
    'a message that Landfall does not read',
    whole([['ST*997*0001', 'AK1*QO*1', 'SE*3*0001']]),
    [0],
    ['1 ST: Landfall reads 214, 315 and 322 messages, not 997. message_refused'],
  ],
  ['no interchange', 'ST*315*0001~SE*2*0001~', [], ['1 ST: An interchange must begin with ISA. file_refused']],
  [
    'a header that is cut off',
    isa.slice(0, 60),
    [],
    ['1 ISA: ISA is cut off, or its separators are unknown. file_refused'],
  ],
  ['another format', '{"events": []}', [], ['1 : An interchange must begin with ISA. file_refused']],
])('refuses X12 with %s, and names the position', (_name, text, events, faults) => {
  expect(reported(readAll(readX12(text)))).toEqual({ events, faults });
});

test.each<[name: string, text: string, events: number[], faults: string[]]>([
  [
    'a wrong control number of a message',
    `${unb}${iftsta('1', 'UNT+7+9')}${iftsta('2')}UNZ+2+77'`,
    [0, 1],
    ['7 UNT: UNT has control number 9, but the message began with 1. message_refused'],
  ],
  [
    'a wrong count of segments',
    `${unb}${iftsta('1', 'UNT+8+1')}UNZ+1+77'`,
    [0],
    ['7 UNT: UNT counts 8 segments, but the message has 7. message_refused'],
  ],
  [
    'a wrong count of messages',
    `${unb}${iftsta('1')}UNZ+3+77'`,
    [0],
    [
      '9 UNZ: UNZ counts 3 groups or messages, but the interchange has 1. interchange_refused',
      'null null: Its interchange 77 was refused. interchange_refused',
    ],
  ],
  [
    'a wrong control number of the interchange',
    `${unb}${iftsta('1')}UNZ+1+78'`,
    [0],
    [
      '9 UNZ: UNZ has control number 78, but the interchange began with 77. interchange_refused',
      'null null: Its interchange 77 was refused. interchange_refused',
    ],
  ],
  [
    'a cancellation',
    `${unb}${iftsta('1').replace('BGM+23+1+9', 'BGM+23+1+1')}UNZ+1+77'`,
    [0],
    [
      '2 BGM: The message cancels an earlier one, which it does not identify. Void the events that it stated. message_refused',
    ],
  ],
])('refuses EDIFACT with %s, and names the position', (_name, text, events, faults) => {
  expect(reported(readAll(readEdifact(text)))).toEqual({ events, faults });
});

test.each<[name: string, text: string, events: number[], faults: string[]]>([
  [
    'a wrong air waybill',
    'FSU/14\n020-12345670FRAJFK/T1K1\nRCS/16APR1317/FRA/T1K1\n',
    [0],
    ['2 020-12345670FRAJFK: The check digit of air waybill 020-12345670 is wrong. message_refused'],
  ],
  [
    'a line that is cut off',
    'FSU/14\n020-12345675FRAJFK/T1K1\nRCF/LH4',
    [0],
    ['3 RCF: RCF has no date, or is cut off. message_refused'],
  ],
  [
    'one line of two that is no status',
    'FSU/14\n020-12345675FRAJFK/T1K1\nRCS/16APR1317/FRA/T1K1\nQQQ/16APR1317/FRA/T1K1\n',
    [1],
    ['4 QQQ: QQQ is not a status code of Cargo-IMP. segment_left_out'],
  ],
  ['no message', 'HELLO\n', [], ['1 HELLO: A message must begin with its identifier, as in FSU/14. file_refused']],
])('refuses Cargo-IMP with %s, and names the position', (_name, text, events, faults) => {
  expect(reported(readAll(readCargoImp(text, nowMs)))).toEqual({ events, faults });
});

test('accepts the other statuses when one of a message cannot be read, because they are independent', () => {
  const body = [
    'ST*214*0001',
    'B10*PRO1*LOAD1*ABCD',
    'LX*1',
    'AT7*X3*NS***20260414*0800*ET',
    'LX*2',
    'AT7*ZQ*NS***20260414*0900*ET',
    'AT7*AF*NS***20261399*0900*ET',
    'SE*8*0001',
  ];
  expect(reported(readAll(readX12(whole([body]))))).toEqual({
    events: [2],
    faults: [
      '6 AT7: ZQ is not a shipment status code known to Landfall. It is kept as information. note',
      '7 AT7: 20261399 is not a date. segment_left_out',
    ],
  });
});
