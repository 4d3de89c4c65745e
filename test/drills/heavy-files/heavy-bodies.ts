import { crc32, deflateSync } from 'node:zlib';
import { workbook } from '#test/services/api/imports/spreadsheets/zip.ts';

const digits = (at: number) => String(at).padStart(6, '0');

/** Valid, some 8 MB packed: 2.9 million short shared texts, and rows that refer to some of them. */
export function heavyWorkbook(rows = 2000): Buffer {
  const texts = Array.from({ length: 2_900_000 }, () => `<si><t>${Math.random().toString(36).slice(2, 6)}</t></si>`);
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  const header = ['mbl', 'carrier', 'transport_mode', 'metadata.note'].map(cell).join('');
  const row = (at: number) =>
    `<row>${cell(`MAEU${digits(at)}`)}${cell('MAEU')}${cell('ocean')}<c t="s"><v>${at * 1000}</v></c></row>`;
  const xml = `<row>${header}</row>${Array.from({ length: rows }, (_, at) => row(at)).join('')}`;
  return workbook([{ name: 'Sheet1', rows: xml }], { strings: texts.join('') });
}

/** Valid: its rows are stored for minutes. */
export function longWorkbook(rows = 60_000): Buffer {
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  const row = (...texts: string[]) => `<row>${texts.map(cell).join('')}</row>`;
  const note = () => Math.random().toString(36).repeat(4);
  const xml = Array.from({ length: rows }, (_, at) => row(`MAEU${digits(at)}`, 'MAEU', 'ocean', note()));
  return workbook([{ name: 'Sheet1', rows: row('mbl', 'carrier', 'transport_mode', 'metadata.note') + xml.join('') }]);
}

/** Some 50 bytes a row. */
export function heavyCsv(count: number): Buffer {
  const rows = Array.from({ length: count }, (_, at) => `MAEU${digits(at)},MAEU,ocean,"a note, quoted, ${at}"\n`);
  return Buffer.from(`mbl,carrier,transport_mode,metadata.note\n${rows.join('')}`);
}

/** Some 4.7 MB with 19,000 messages about shipments that don't exist. */
export function heavyEdifact(): Buffer {
  const messages = Array.from(
    { length: 19_000 },
    (_, at) =>
      `UNH+${at}+IFTSTA:D:95B:UN'BGM+23+4711+9'DTM+137:202604150930:203'CNI+1'STS+1+24'RFF+BM:MAEU${100_000_000 + at}'` +
      `DTM+334:202604142210:203'LOC+175+HKHKG:139:6'TDT+20+412W+1++MAEU:172:20+++9321483:146:11:EMMA MAERSK'` +
      `EQD+CN+MSCU4730009+45G1:102:5+++5'UNT+11+${at}'`,
  );
  return Buffer.from(`UNB+UNOC:3+A+B+260415:0930+41'${messages.join('')}UNZ+19000+41'`);
}

/** Some 2 MB with 9,500 messages, which state 19,000 events. */
export function heavyX12(): Buffer {
  const messages = Array.from(
    { length: 9500 },
    (_, at) =>
      `ST*315*${digits(at)}~B4***VD*20260414*2210*HKHKG*MSCU*473000*L*4500*HKHKG*UN*9~N9*BM*MAEU${100_000_000 + at}~` +
      'Q2*9321483********412W***L*EMMA MAERSK~R4*D*UN*USLAX*LOS ANGELES*US***CA~DTM*139*20260502*0600*LT~' +
      `SE*7*${digits(at)}~`,
  );
  return Buffer.from(
    'ISA*00*          *00*          *ZZ*ACMELINE       *ZZ*EXAMPLE        *260415*0930*U*00401*000000041*0*P*>~' +
      `GS*QO*ACMELINE*EXAMPLE*20260415*0930*41*X*004010~${messages.join('')}GE*9500*41~IEA*1*000000041~`,
  );
}

/** Few bytes and 4 million pixels, as JSON. */
export function heavyLogo(): Buffer {
  const side = 2000;
  const chunk = (type: string, data: Buffer) => {
    const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const framed = Buffer.alloc(8 + typed.length);
    framed.writeUInt32BE(data.length, 0);
    typed.copy(framed, 4);
    framed.writeUInt32BE(crc32(typed), 4 + typed.length);
    return framed;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const line = Buffer.alloc(1 + 4 * side, 0x80);
  line[0] = 0;
  const pixels = deflateSync(Buffer.concat(Array.from({ length: side }, () => line)));
  const png = Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return Buffer.from(JSON.stringify({ media_type: 'image/png', data: png.toString('base64') }));
}
