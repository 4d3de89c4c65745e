import { gzipSync } from 'node:zlib';

/** A body that costs as much as its kind can. `fields` are those of the operation; there may be none. */
export type HostileShape = { name: string; build: (bytes: number, fields: readonly string[]) => Buffer };

type Build = (bytes: number, fields: readonly string[]) => string | Buffer;

const field = (fields: readonly string[], place = 0) => fields[place % Math.max(1, fields.length)] ?? 'a';

/** Repeats the unit as often as it fits between a head and a tail. */
function filled(bytes: number, unit: string | ((place: number) => string), [head, tail]: [string, string]): string {
  const parts: string[] = [head];
  let left = bytes - head.length - tail.length;
  for (let place = 0; left > 0; place++) {
    const part = typeof unit === 'string' ? unit : unit(place);
    left -= part.length;
    if (left >= 0) parts.push(part);
  }
  return (
    parts
      .join('')
      // Units end with a comma, the last one must not.
      .replace(/,$/, '') + tail
  );
}

const list = (unit: string | ((place: number) => string), before = '[', after = ']'): Build => {
  return (bytes) => filled(bytes, unit, [before, after]);
};
const inField = (unit: string | ((place: number) => string), open: string, close: string, place = 0): Build => {
  return (bytes, fields) => filled(bytes, unit, [`{"${field(fields, place)}":${open}`, `${close}}`]);
};
const text = (unit: string, place = 0) => inField(unit, '"', '"', place);
const row = '{"transport_mode":"ocean","carrier":"MAEU","identifiers":{"mbl":"MAEU123456789"}}';
const rpc = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":';

const builds: Readonly<Record<string, Build>> = {
  // Nesting
  'nested lists': (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  'nested objects': (bytes) => `${'{"a":'.repeat(bytes / 6)}1${'}'.repeat(bytes / 6)}`,
  'nested by turns': (bytes) => `${'[{"a":'.repeat(bytes / 8)}1${'}]'.repeat(bytes / 8)}`,
  'lists that never close': (bytes) => '['.repeat(bytes),
  'objects that never close': (bytes) => '{"a":'.repeat(bytes / 5),
  'ends without beginnings': (bytes) => ']}'.repeat(bytes / 2),
  'a nested field': (bytes, fields) =>
    `{"${field(fields)}":${'['.repeat(bytes / 2 - 20)}${']'.repeat(bytes / 2 - 20)}}`,
  'many fields of depth 30': inField(`${'['.repeat(29)}1${']'.repeat(29)},`, '[', ']'),
  // Keys
  'short keys': list((place) => `"${place.toString(36)}":1,`, '{', '}'),
  'long keys': list((place) => `"${String(place).padStart(200, 'k')}":1,`, '{', '}'),
  'one key again and again': list('"a":1,', '{', '}'),
  'a known key again and again': (bytes, fields) => filled(bytes, `"${field(fields)}":1,`, ['{', '}']),
  'keys in escapes': list((place) => `"\\u0061${place}":1,`, '{', '}'),
  'keys of escapes alone': list('"\\u005f\\u005f\\u0070":1,', '{', '}'),
  'keys like __proto__': list((place) => `"__proto_${place}":1,`, '{', '}'),
  '__proto__ as the last key': list('"__proto":1,', '{', '"\\u005f_proto__":1}'),
  'keys with a slash and a tilde': list((place) => `"${'~/'.repeat(40)}${place}":1,`, '{', '}'),
  'keys like known ones': (bytes, fields) =>
    filled(bytes, (place) => `"${field(fields, place)}${place.toString(36)}":1,`, ['{', '}']),
  'keys of 64 characters that are nearly known': (bytes, fields) =>
    filled(bytes, (place) => `"${field(fields, place).padEnd(58, 'e')}${place.toString(36).padStart(6, 'x')}":1,`, [
      '{',
      '}',
    ]),
  'keys in camel case': list((place) => `"${'aB'.repeat(30)}${place}":1,`, '{', '}'),
  'a key of the whole body': (bytes) => `{"${'k'.repeat(bytes - 10)}":1}`,
  'names of the prototype': list('"constructor":1,"toString":2,"hasOwnProperty":3,"valueOf":4,', '{', '}'),
  'a key and colons': (bytes) => `{"${'k'.repeat(bytes / 2)}"${':'.repeat(bytes / 2 - 10)}`,
  'keys that are numbers': list((place) => `"${4_294_967_290 - place}":0,`, '{', '}'),
  // Lists
  'a list of numbers': list('1,'),
  'a list of empty lists': list('[],'),
  'a list of empty objects': list('{},'),
  'a list of texts': list('"",'),
  'a list of fractions': list('0.1e-1,'),
  'a field of numbers': inField('1,', '[', ']'),
  'a second field of texts': inField('"a",', '[', ']', 1),
  'a third field of empty objects': inField('{},', '[', ']', 2),
  'a field of keys': inField((place) => `"${place.toString(36)}":"x",`, '{', '}'),
  'a second field of keys': inField((place) => `"${place.toString(36)}":null,`, '{', '}', 1),
  'a third field of keys in escapes': inField((place) => `"\\u0061${place}":[],`, '{', '}', 2),
  'identifiers of any name': inField((place) => `"mbl${place}":"MAEU123456789",`, '{', '}', 2),
  // Texts and numbers
  'a text': text('x'),
  'a second text of spaces': text(' ', 1),
  'a third text of escapes': text('\\u0000', 2),
  'a text of lone surrogates': text('\\ud800'),
  'a text of dots': text('a.', 1),
  'a text of at signs': text('a@a.aa', 0),
  'a text that resembles an address': (bytes, fields) =>
    `{"${field(fields)}":"a@${'a.'.repeat(bytes / 2 - 20)}","${field(fields, 1)}":"${'-'.repeat(10)}"}`,
  'a text of three bytes a character': (bytes, fields) => `{"${field(fields)}":"${'\u5317'.repeat((bytes - 60) / 3)}"}`,
  'a number of many digits': (bytes) => '9'.repeat(bytes),
  'a fraction of many digits': (bytes, fields) => `{"${field(fields)}":0.${'3'.repeat(bytes - 60)}}`,
  'a large exponent': (bytes) => `{"a":1e${'9'.repeat(bytes - 20)}}`,
  // No JSON
  'white space': (bytes) => ' '.repeat(bytes),
  'white space within': list(' \n\t\r'),
  'commas alone': list(','),
  'colons alone': list(':', '{', '}'),
  'quotes alone': list('"'),
  'backslashes in an open text': (bytes) => `"${'\\'.repeat(bytes - 1)}`,
  'invalid UTF-8': (bytes) => Buffer.alloc(bytes, 0xc3),
  'NUL bytes': (bytes) => Buffer.alloc(bytes),
  'lines of JSON': list(`${row}\n`, '', ''),
  // Rows and messages
  'rows without end': list('{},', '{"shipments":[', ']}'),
  'rows of keys': list(`{${'"a":1,'.repeat(99)}"b":2},`, '{"shipments":[', ']}'),
  'rows of unknown names': list(
    (place) => `{${Array.from({ length: 99 }, (_, at) => `"transport_mod${at}${place}":1`).join()}},`,
    '{"shipments":[',
    ']}',
  ),
  'a row of the whole body': (bytes) =>
    filled(bytes, (place) => `"${place.toString(36)}":1,`, ['{"shipments":[{', '}]}']),
  'many lists of rows': list('"shipments":[{}],', '{', '}'),
  'messages without end': list('{},'),
  'messages of a call': list(`${rpc}{"name":"get_shipment_details","arguments":{}}},`),
  'arguments of any name': list(
    (place) => `"a${place}":1,`,
    `${rpc}{"name":"list_shipments_summary","arguments":{`,
    '}}}',
  ),
  'an argument that is a list in a text': list(
    '1,',
    `${rpc}{"name":"list_shipments_summary","arguments":{"status":"[`,
    ']"}}}',
  ),
  'parameters of a message': list((place) => `"a${place}":[],`, `${rpc}{"_meta":{`, '}}}'),
};

/** Shapes of JSON, or of what is sent in its place. */
export const hostileShapes: readonly HostileShape[] = Object.entries(builds).map(([name, build]) => ({
  name,
  build: (bytes, fields) => {
    const built = build(bytes, fields);
    return (typeof built === 'string' ? Buffer.from(built) : built).subarray(0, bytes);
  },
}));

const header = 'transport_mode,carrier,mbl,reference\n';

const tables: Readonly<Record<string, (bytes: number) => string>> = {
  'line feeds': (bytes) => header + '\n'.repeat(bytes - header.length),
  'carriage returns': (bytes) => header + '\r'.repeat(bytes - header.length),
  'lines of one character': (bytes) => header + 'a\n'.repeat((bytes - header.length) / 2),
  'a header of commas': (bytes) => ','.repeat(bytes),
  'rows of commas': (bytes) => header + `${','.repeat(199)}\n`.repeat((bytes - header.length) / 200),
  'open quotes': (bytes) => header + '"a","b\n'.repeat((bytes - header.length) / 7),
  'quotes alone': (bytes) => header + '"'.repeat(bytes - header.length),
  'quotes that do not close a cell': (bytes) => header + '"a"b,'.repeat((bytes - header.length) / 5),
  'a quote in every cell': (bytes) => header + 'x","'.repeat((bytes - header.length) / 4),
  'one cell': (bytes) => `${header}"${'x'.repeat(bytes - header.length - 3)}"\n`,
  'columns with unknown names': (bytes) =>
    Array.from({ length: bytes / 16 }, (_, place) => `transport_mod${place}`).join(),
  'columns of metadata': (bytes) => Array.from({ length: bytes / 16 }, (_, place) => `metadata.k${place}`).join(),
};

/** Shapes of tables. */
export const hostileTables: readonly HostileShape[] = Object.entries(tables).map(([name, build]) => ({
  name,
  build: (bytes) => Buffer.from(build(bytes)).subarray(0, bytes),
}));

/** A file that unpacks to a thousand times its size. */
export function gzipBomb(unpackedBytes: number): Buffer {
  return gzipSync(Buffer.concat([Buffer.from(header), Buffer.alloc(unpackedBytes, 'a,b,c,d\n')]), { level: 9 });
}
