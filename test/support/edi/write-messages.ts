import { localDigits } from '#infra/tools/simulator/voyages/local-time.ts';
import type { Kind, Move, Statement, Truth } from './statement.ts';

/**
 * A message before it stands in a file: its segments without envelope (lines in Cargo-IMP), and which statement each
 * status segment makes, by its place.
 */
export type Draft = { truth: Truth; kind: Kind; body: string[]; states: Map<number, Statement> };

const oceanCodes: Readonly<Partial<Record<Move, string>>> = {
  'picked empty': 'EE',
  'gated in full': 'I',
  'put on vessel': 'AE',
  'vessel left': 'VD',
  'vessel came': 'VA',
  'taken off vessel': 'UV',
  'gated out full': 'OA',
  'given back empty': 'RD',
  'held by customs': 'PA',
  'cleared by customs': 'CT',
  'put on train': 'AL',
  'train left': 'RL',
  'train came': 'AR',
  'taken off train': 'UR',
};

const roadCodes: Readonly<Partial<Record<Move, string>>> = {
  collected: 'AF',
  'came to terminal': 'X4',
  'left terminal': 'P1',
  'on its way': 'X6',
  late: 'SD',
  'tried in vain': 'AH',
  'handed over': 'D1',
  'held by customs': 'PR',
  'cleared by customs': 'CT',
};

const transportCodes: Readonly<Partial<Record<Move, string>>> = {
  'picked empty': '99',
  'gated in full': '98',
  'put on vessel': '48',
  'vessel left': '24',
  'vessel came': '1',
  'taken off vessel': '29',
  'gated out full': '99',
  'given back empty': '98',
  'held by customs': '17',
  'cleared by customs': '12',
};

const airCodes: Readonly<Partial<Record<Move, string>>> = {
  booked: 'BKD',
  received: 'RCS',
  listed: 'MAN',
  'flown out': 'DEP',
  'flown in': 'ARR',
  'off the plane': 'RCF',
  'papers notified': 'NFD',
  'cleared by customs': 'CCD',
  'handed over': 'DLV',
};

const months = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');

/** The messages of a shipment: of each ocean or rail statement one, of road and air up to three in one message. */
export function writeMessages(truth: Truth): Draft[] {
  const { kind, statements } = truth;
  if (kind === '315') return statements.map((statement) => write315(truth, statement));
  if (kind === '322') return statements.map((statement) => write322(truth, statement));
  if (kind === 'IFTSTA') return pairs(statements).map((some) => writeIftsta(truth, some));
  return pairs(statements).map((some) => (kind === '214' ? write214(truth, some) : writeFsu(truth, some)));
}

/** One, two, three, one, two … statements. */
function pairs(statements: readonly Statement[]): Statement[][] {
  const groups: Statement[][] = [];
  for (let start = 0; start < statements.length; ) {
    const size = (groups.length % 3) + 1;
    groups.push(statements.slice(start, start + size));
    start += size;
  }
  return groups;
}

function digits({ atMs, spot }: Statement) {
  return localDigits(atMs, spot.zone);
}

/** The port and the time at which the vessel is expected next. */
function nextOf({ next }: Statement): { port: string; date: string; time: string } | null {
  if (next === undefined || !('port' in next.spot)) return null;
  const { date, time } = localDigits(next.atMs, next.spot.zone);
  return { port: next.spot.port, date, time: time.slice(0, 4) };
}

function write315(truth: Truth, statement: Statement): Draft {
  const { date, time } = digits(statement);
  const box = statement.container ?? '';
  const port = 'port' in statement.spot ? statement.spot.port : '';
  const empty = statement.move === 'picked empty' || statement.move === 'given back empty';
  const { vessel } = statement;
  const next = nextOf(statement);
  const b4 = `B4***${oceanCodes[statement.move]}*${date}*${time.slice(0, 4)}*${port}*${box.slice(0, 4)}*${box.slice(4, 10)}*${empty ? 'E' : 'L'}*4500*${port}*UN*${box.slice(10)}`;
  const body = [
    b4,
    `N9*BM*${truth.number}`,
    `N9*EQ*${box}`,
    ...(vessel === null ? [] : [`Q2*${vessel.imo}********${vessel.voyage}***L*${vessel.name}`]),
    `R4*5*UN*${port}`,
    `DTM*140*${date}*${time.slice(0, 4)}*LT`,
    ...(next === null ? [] : [`R4*D*UN*${next.port}`, `DTM*139*${next.date}*${next.time}*LT`]),
  ];
  return { truth, kind: '315', body, states: new Map([[0, statement]]) };
}

function write322(truth: Truth, statement: Statement): Draft {
  const utc = localDigits(statement.atMs, 'UTC');
  const box = statement.container ?? '';
  const port = 'port' in statement.spot ? statement.spot.port : '';
  const empty = statement.move === 'picked empty' || statement.move === 'given back empty';
  const body = [
    `Q5*${oceanCodes[statement.move]}*${utc.date}*${utc.time}*UT`,
    `N7*${box.slice(0, 4)}*${box.slice(4, 10)}*43459*G*******CN*RAIL*****L*${box.slice(10)}****4510*RAIL`,
    `W2*${box.slice(0, 4)}*${box.slice(4, 10)}**CN*${empty ? 'E' : 'L'}`,
    `R4*5*UN*${port}`,
    `N9*WY*${truth.number}`,
  ];
  return { truth, kind: '322', body, states: new Map([[0, statement]]) };
}

function write214(truth: Truth, statements: readonly Statement[]): Draft {
  const body = [`B10*${truth.number}*LOAD-${truth.number}*OWNF`, 'L11*7*QN'];
  const states = new Map<number, Statement>();
  for (const [index, statement] of statements.entries()) {
    const { date, time } = digits(statement);
    const { spot } = statement;
    const place = 'city' in spot ? `MS1*${spot.city.toUpperCase()}*${spot.state}*${spot.country}` : 'MS1';
    body.push(`LX*${index + 1}`);
    states.set(body.length, statement);
    body.push(`AT7*${roadCodes[statement.move]}*NS***${date}*${time.slice(0, 4)}*${timeCode(spot.zone)}`, place);
  }
  return { truth, kind: '214', body, states };
}

function timeCode(zone: string): string {
  return (
    { 'America/New_York': 'ET', 'America/Chicago': 'CT', 'America/Denver': 'MT', 'America/Los_Angeles': 'PT' }[zone] ??
    'LT'
  );
}

function writeIftsta(truth: Truth, statements: readonly Statement[]): Draft {
  const body = [
    'BGM+23+4711+9',
    'DTM+137:202503010800:203',
    'NAD+CA+MAEU:172:20',
    `RFF+BM:${truth.number}`,
    `CNI+1+${truth.number}`,
  ];
  const states = new Map<number, Statement>();
  for (const statement of statements) {
    const { date, time } = digits(statement);
    const port = 'port' in statement.spot ? statement.spot.port : '';
    const empty = statement.move === 'picked empty' || statement.move === 'given back empty';
    const { vessel } = statement;
    const next = nextOf(statement);
    states.set(body.length, statement);
    body.push(
      `STS+1+${transportCodes[statement.move]}`,
      `RFF+BM:${truth.number}`,
      `DTM+334:${date}${time.slice(0, 4)}:203`,
      `LOC+175+${port}:139:6`,
      ...(vessel === null
        ? []
        : [`TDT+20+${vessel.voyage}+1++MAEU:172:20+++${vessel.imo}:146:11:${vessel.name.replaceAll("'", "?'")}`]),
      ...(next === null ? [] : [`LOC+11+${next.port}:139:6`, `DTM+132:${next.date}${next.time}:203`]),
      `EQD+CN+${statement.container}+45G1:102:5+++${empty ? 4 : 5}`,
    );
  }
  return { truth, kind: 'IFTSTA', body, states };
}

function writeFsu(truth: Truth, statements: readonly Statement[]): Draft {
  const body = ['FSU/14', `${truth.number}FRAJFK/T10K150`];
  const states = new Map<number, Statement>();
  for (const statement of statements) {
    const { date, time } = digits(statement);
    const day = `${date.slice(6)}${months[Number(date.slice(4, 6)) - 1]}`;
    const clock = time.slice(0, 4);
    const airport = 'airport' in statement.spot ? statement.spot.airport : '';
    const code = airCodes[statement.move];
    states.set(body.length, statement);
    if (statement.flight === null) body.push(`${code}/${day}${clock}/${airport}/T10K150/ACME`);
    else if (code === 'DEP') body.push(`DEP/${statement.flight}/${day}/${airport}ZRH/T10K150/A${clock}`);
    else body.push(`${code}/${statement.flight}/${day}${clock}/${airport}/T10K150`);
  }
  return { truth, kind: 'FSU', body, states };
}
