import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { openParsing, type Parsing, type ParsingLimits } from '#services/api/parsing/open-parsing.ts';
import { openTable } from '#services/api/uploads/xlsx/open-table.ts';
import type { EdiPart } from '#shared/edi/read-edi-file.ts';
import { workbook } from '../imports/spreadsheets/zip.ts';

const patient: ParsingLimits = {
  threads: 1,
  heapMib: 128,
  maxSilenceMs: 60_000,
  idleMs: 60_000,
  maxWaitMs: 60_000,
  turnMs: 60_000,
};
const opened: Parsing[] = [];
const open = (limits: Partial<ParsingLimits> = {}): Parsing => {
  const parsing = openParsing({ ...patient, ...limits });
  opened.push(parsing);
  return parsing;
};
afterEach(async () => {
  await Promise.all(opened.splice(0).map((parsing) => parsing.close()));
});

/** For tests that leave its threads free: a thread takes a quarter of a second of CPU time to load a parser. */
const shared = openParsing(patient);
afterAll(() => shared.close());

const iftsta = (at: number) =>
  `UNH+${at}+IFTSTA:D:95B:UN'BGM+23+1+9'CNI+1'STS+1+24'RFF+BM:MAEU${100_000_000 + at}'DTM+334:202604142210:203'` +
  `LOC+175+HKHKG:139:6'UNT+8+${at}'`;
const interchange = (count: number): Uint8Array => {
  const messages = Array.from({ length: count }, (_, at) => iftsta(at));
  return new TextEncoder().encode(`UNB+UNOC:3+A+B+260415:0930+41'${messages.join('')}UNZ+${count}+41'`);
};
const sheet = (rows: number) =>
  Array.from({ length: rows }, (_, at) => `<row><c t="inlineStr"><is><t>${at === 0 ? 'mbl' : at}</t></is></c></row>`);
const table = (rows: number) => ({
  bytes: new Uint8Array(workbook([{ name: 'Sheet1', rows: sheet(rows).join('') }])),
  headerLine: null,
  sheet: null,
});
const options = (accountId = 'a', hold: (bytes: number) => void = () => undefined) => ({
  accountId,
  isStored: true,
  hold,
  signal: new AbortController().signal,
});

function readEdi(parsing: Parsing, bytes: Uint8Array, given = options()): AsyncGenerator<EdiPart> {
  return parsing.read('edi', { format: 'edifact', bytes, charset: null, nowMs: 0 }, given);
}

async function countMessages(parts: AsyncIterable<EdiPart>): Promise<number> {
  let count = 0;
  for await (const part of parts) if (part.kind === 'messages') count += part.messages.length;
  return count;
}

it('reads workbooks and large messages on another thread, and short messages on this one', async () => {
  const parsing = open();
  const [short, long, sent] = [interchange(2), interchange(1000), table(3)];
  expect(await countMessages(readEdi(parsing, short))).toBe(2);
  expect(await countMessages(readEdi(parsing, long))).toBe(1000);
  const rows = await Array.fromAsync(parsing.read('workbook', sent, options()));
  expect(rows).toMatchObject([
    { kind: 'header', header: { names: ['mbl'], line: 1 }, sheet: 'Sheet1' },
    { kind: 'rows', rows: [{ content: ['1'] }, { content: ['2'] }] },
  ]);
  await parsing.close();
  expect(await countMessages(readEdi(parsing, short))).toBe(2);
  await expect(countMessages(readEdi(parsing, long))).rejects.toMatchObject({ code: 'unavailable' });
  await expect(parsing.read('workbook', sent, options()).next()).rejects.toMatchObject({ code: 'unavailable' });
});

it('throws what the parser threw', async () => {
  const sent = { ...table(2), bytes: new TextEncoder().encode('PK no workbook') };
  await expect(shared.read('workbook', sent, options()).next()).rejects.toMatchObject({
    name: 'LandfallError',
    code: 'validation_failed',
    message: expect.stringContaining('damaged'),
  });
});

it('refuses the file that exhausts the memory of its thread, and reads the next one', async () => {
  const parsing = open({ heapMib: 24 });
  // A megabyte of separators becomes millions of texts of one message.
  const segment = `A${`+${':'.repeat(99)}`.repeat(80)}'`;
  const bytes = new TextEncoder().encode(`UNB+UNOC:3+A+B+260415:0930+41'UNH+1+IFTSTA'${segment.repeat(600)}`);
  await expect(countMessages(readEdi(parsing, bytes))).rejects.toMatchObject({
    code: 'validation_failed',
    message: expect.stringContaining('memory'),
  });
  expect(await countMessages(readEdi(parsing, interchange(1000)))).toBe(1000);
});

it('ends a thread that is silent for too long', async () => {
  const parsing = open({ maxSilenceMs: 1 });
  await expect(countMessages(readEdi(parsing, interchange(1000)))).rejects.toMatchObject({
    code: 'unavailable',
    retryAfterS: 60,
  });
});

it('ends the reading that finds no memory for more, and reads the next one', async () => {
  const parsing = shared;
  const strings = `<si><t>${'x'.repeat(100)}</t></si>`.repeat(20_000);
  const rows = sheet(2).join('');
  const sent = { ...table(2), bytes: new Uint8Array(workbook([{ name: 'Sheet1', rows }], { strings })) };
  const full = options('a', () => {
    throw new Error('full');
  });
  await expect(parsing.read('workbook', sent, full).next()).rejects.toThrow('full');
  expect(await Array.fromAsync(parsing.read('workbook', table(2), options()))).toHaveLength(2);
});

it('gives the thread to the next file when a reader returns, aborts or never reads on', async () => {
  const parsing = shared;
  for await (const _ of readEdi(parsing, interchange(2000))) break;

  const stopped = new AbortController();
  const reading = readEdi(parsing, interchange(2000), { ...options(), signal: stopped.signal });
  await reading.next();
  stopped.abort(new Error('gone'));
  await expect(reading.next()).rejects.toThrow('gone');

  const left = new AbortController();
  await readEdi(parsing, interchange(2000), { ...options(), signal: left.signal }).next();
  left.abort();

  expect(await countMessages(readEdi(parsing, interchange(1000)))).toBe(1000);
});

it('reads files and previews of other accounts while the reader of a large file is busy, and then goes on', async () => {
  const parsing = open({ turnMs: 0 });
  const messages = async (parts: AsyncIterable<EdiPart>) =>
    (await Array.fromAsync(parts)).flatMap((part) => (part.kind === 'messages' ? part.messages : []));
  const whole = await messages(readEdi(parsing, interchange(4000)));
  expect(whole).toHaveLength(4000);
  let held = 0;
  const storing = readEdi(parsing, interchange(4000), options('first'));
  const first = [await storing.next(), await storing.next()].flatMap(({ value }) => value ?? []);
  // The first account reads no further until the others have ended.
  expect(await Array.fromAsync(parsing.read('workbook', table(3), options('second')))).toHaveLength(2);
  expect(await countMessages(readEdi(parsing, interchange(1000), options('third')))).toBe(1000);
  const shown = { ...options('second'), isStored: false };
  expect(await countMessages(readEdi(parsing, interchange(4000), shown))).toBe(4000);
  const rest = await Array.fromAsync(storing);
  expect([...first, ...rest].flatMap((part) => (part.kind === 'messages' ? part.messages : []))).toEqual(whole);

  const strings = `<si><t>${'x'.repeat(100)}</t></si>`.repeat(20_000);
  const rows = sheet(3000).join('');
  const sent = () => ({ ...table(2), bytes: new Uint8Array(workbook([{ name: 'Sheet1', rows }], { strings })) });
  const rowsOf = (parts: readonly { kind: string; rows?: unknown[] }[]) => parts.flatMap((part) => part.rows ?? []);
  const counting = options('first', (bytes) => {
    held += bytes;
  });
  const once = rowsOf(await Array.fromAsync(parsing.read('workbook', sent(), counting)));
  const heldOnce = held;
  const large = parsing.read('workbook', sent(), counting);
  const head = [await large.next(), await large.next()].flatMap(({ value }) => value ?? []);
  expect(await Array.fromAsync(parsing.read('workbook', table(3), options('second')))).toHaveLength(2);
  expect(rowsOf([...head, ...(await Array.fromAsync(large))])).toEqual(once);
  // The second turn takes no memory again.
  expect(held).toBe(2 * heldOnce);
});

it('reads one file of an account after the other', async () => {
  const parsing = open({ turnMs: 0 });
  const storing = readEdi(parsing, interchange(4000), options('first'));
  await storing.next();
  const waiting = readEdi(parsing, interchange(1000), options('first'));
  const next = waiting.next();
  expect(await countMessages(storing)).toBe(4000);
  expect((await next).done).toBe(false);
  await waiting.return(undefined);
});

it('refuses a file for which no thread is free in time, and names whose files are in the way', async () => {
  const parsing = open({ maxWaitMs: 20 });
  await readEdi(parsing, interchange(4000), options('first')).next();
  await expect(readEdi(parsing, interchange(1000), options('first')).next()).rejects.toMatchObject({
    code: 'account_busy',
    retryAfterS: 5,
  });
  await expect(readEdi(parsing, interchange(4000), options('second')).next()).rejects.toMatchObject({
    code: 'unavailable',
    retryAfterS: 5,
  });
});

it('reads a workbook as it was sent, in whatever pieces it arrives', async () => {
  const sent = Buffer.from(Array.from({ length: 2_500_001 }, (_, at) => (at * 7919) % 251));
  async function* pieces() {
    for (let from = 0; from < sent.length; from += 70_001) yield sent.subarray(from, from + 70_001);
    yield Buffer.alloc(0);
  }
  let read: Uint8Array = Buffer.alloc(0);
  let taken = 0;
  await openTable(pieces(), {
    ...{ headerLine: null, sheet: null, length: sent.length, compression: null },
    holdMemory: (bytes) => {
      taken += bytes;
    },
    freeMemory: (bytes) => {
      taken -= bytes;
    },
    readTable: async function* ({ bytes }) {
      read = bytes;
      yield { kind: 'header', header: { names: ['mbl'], line: 1 }, sheet: 'Sheet1' };
    },
  });
  expect(sent.equals(read)).toBe(true);
  // The bytes are held once while the rows are read.
  expect(taken).toBe(sent.length);
});

it('gives back what was taken in advance when a workbook takes long to arrive', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    let taken = 0;
    const rest = Promise.withResolvers<void>();
    async function* pieces() {
      yield Buffer.alloc(1000);
      await rest.promise;
      throw new Error('the client is gone');
    }
    const opening = openTable(pieces(), {
      ...{ headerLine: null, sheet: null, length: 1_000_000, compression: null },
      holdMemory: (bytes) => {
        taken += bytes;
      },
      freeMemory: (bytes) => {
        taken -= bytes;
      },
      readTable: () => {
        throw new Error('nothing is read');
      },
    });
    await vi.advanceTimersByTimeAsync(9000);
    expect(taken).toBe(6_000_000);
    await vi.advanceTimersByTimeAsync(1000);
    expect(taken).toBe(2000);
    rest.resolve();
    await expect(opening).rejects.toThrow('the client is gone');
  } finally {
    vi.useRealTimers();
  }
});

it('ends what is being read when it closes', async () => {
  const parsing = open();
  const reading = readEdi(parsing, interchange(2000));
  await reading.next();
  await parsing.close();
  await expect(Array.fromAsync(reading)).rejects.toThrow('was ended');
  await expect(readEdi(parsing, interchange(1000)).next()).rejects.toMatchObject({ code: 'unavailable' });
});
