import { bl, rowsOf, type Spreadsheet, text } from './spreadsheet.ts';

const header = 'transport_mode,carrier,mbl,reference';
const row = (reference: string) => `ocean,MAEU,${bl()},${reference}`;
const csv = (...lines: string[]) => Buffer.from(lines.map((line) => `${line}\r\n`).join(''));

/** Tables as people and programs fill them: headers, titles, other columns, damaged numbers. */
export const tableFiles: readonly Spreadsheet[] = [
  {
    name: 'title rows and a blank row before the header',
    source: 'SAP Crystal Reports export',
    bytes: csv('Open shipments,,,', 'Created:,2026-04-15,,', ',,,', header, row('titled'), ',,,MAEU'),
    expected: { created: 1, failed: 1, says: { header_line: 4 }, errors: [[6, 'transport_mode']] },
  },
  {
    name: 'no header',
    source: 'a list from a colleague',
    bytes: csv(row('headless'), row('headless-2')),
    expected: { refused: ['no header'] },
  },
  {
    name: 'no header, columns named by the request',
    source: 'a list from a colleague',
    query: '?header_line=0&columns=transport_mode,carrier,mbl,reference',
    bytes: csv(row('named-1'), row('named-2')),
    expected: { created: 2, says: { header_line: 0 } },
  },
  {
    name: 'no header, and columns that are empty in every row',
    source: 'a list from a colleague',
    query: '?header_line=0&columns=transport_mode,carrier,hbl,mbl,reference,tags',
    bytes: csv(`ocean,MAEU,,${bl()},empty-column`),
    expected: { created: 1, says: { header_line: 0 }, stored: { 'empty-column': { tags: [] } } },
  },
  {
    name: 'a header only',
    source: 'a template that was not filled in',
    bytes: csv(header),
    expected: { created: 0 },
  },
  {
    name: 'the header twice, and again in the middle',
    source: 'two exports joined with cat',
    bytes: csv(header, header, row('twice-1'), header, row('twice-2')),
    expected: { created: 2 },
  },
  {
    name: 'title-case headers with blanks',
    source: 'Excel template of a forwarder',
    bytes: csv('Transport Mode, Carrier ,B/L No.,Customer Reference', `Ocean,Maersk,${bl()},title-case`),
    expected: { created: 1, stored: { 'title-case': {} } },
  },
  {
    name: 'headers with line breaks and no-break spaces',
    source: 'Excel with wrapped header cells',
    bytes: csv('Transport\u00a0Mode,SCAC,"MBL\nNumber",Reference\u00a0No', row('wrapped-header')),
    expected: { created: 1 },
  },
  {
    name: 'camelCase headers',
    source: 'JSON of an API turned into CSV',
    bytes: csv('transportMode,carrierCode,bookingNumber,orderNumber', `ocean,MAEU,${bl()},camel`),
    expected: { created: 1, stored: { camel: {} } },
  },
  {
    name: 'German headers',
    source: 'Excel table of a forwarder',
    bytes: csv('Verkehrsträger;Reederei;Buchungsnummer;Kundenreferenz', `Seefracht;MAEU;${bl()};deutsch`),
    expected: { created: 1, says: { delimiter: ';' }, stored: { deutsch: {} } },
  },
  {
    name: 'unknown columns are refused with their names and the option',
    source: 'ERP export',
    bytes: csv(`${header},Colour,Planner`, `${row('unknown')},red,Kim`),
    expected: { refused: ['Colour', 'Planner', 'unknown_columns=ignore', 'unknown_columns=metadata'] },
  },
  {
    name: 'unknown columns are ignored when asked for',
    source: 'ERP export',
    query: '?unknown_columns=ignore',
    bytes: csv(`${header},Colour`, `${row('ignored')},red`),
    expected: { created: 1, says: { ignored_columns: ['Colour'] }, stored: { ignored: { metadata: {} } } },
  },
  {
    name: 'unknown columns become metadata when asked for',
    source: 'ERP export',
    query: '?unknown_columns=metadata',
    bytes: csv(`${header},Colour,Planner`, `${row('kept')},red,`),
    expected: { created: 1, stored: { kept: { metadata: { Colour: 'red' } } } },
  },
  {
    name: 'the same column twice',
    source: 'a merged table',
    bytes: csv(`${header},Reference No`, `${row('double')},other`),
    expected: { refused: ['Duplicate column: Reference No'] },
  },
  {
    name: 'an export of Terminal49',
    source: 'Terminal49 API reference, tracking request attributes',
    query: '?transport_mode=ocean&unknown_columns=ignore',
    bytes: csv(
      'request_number,bill_of_lading_number,scac,ref_number,shipment_tags,port_of_lading_name',
      `,${bl()},MAEU,terminal49,acme|urgent,Shanghai`,
    ),
    expected: { created: 1, stored: { terminal49: { tags: ['acme', 'urgent'] } } },
  },
  {
    name: 'an export of project44',
    source: 'project44 developer documentation, ocean shipment identifiers',
    query: '?unknown_columns=metadata',
    bytes: csv(
      'Transportation Mode,Carrier SCAC,Bill of Lading,Shipment Reference,Tenant',
      `OCEAN,MAEU,${bl()},project44,eu`,
    ),
    expected: { created: 1, stored: { project44: { metadata: { Tenant: 'eu' } } } },
  },
  {
    name: 'an export of AfterShip',
    source: 'AfterShip help center, CSV import template',
    query: '?transport_mode=parcel&unknown_columns=ignore',
    bytes: csv('tracking_number,slug,order_id,title,customer_name', '1Z999AA10123456784,ups,aftership-1,Shirt,Kim'),
    expected: { created: 1, stored: { 'aftership-1': {} } },
  },
  {
    name: 'an export of ShipStation',
    source: 'ShipStation help center, shipments export',
    query: '?transport_mode=parcel&unknown_columns=ignore',
    bytes: csv(
      'Order - Number,Carrier,Tracking Number,Ship To - Postal Code',
      'shipstation-1,UPS,1Z12345E0205271688,10115',
    ),
    expected: { created: 1, stored: { 'shipstation-1': { destination_postal_code: '10115' } } },
  },
  {
    name: 'no carrier anywhere',
    source: 'a list from a colleague',
    query: '?transport_mode=ocean',
    bytes: csv('MBL,Reference', `${bl()},no-carrier`),
    expected: { refused: ['no column for carrier', '?carrier='] },
  },
  {
    name: 'numbers that Excel turned into 1.2E+11',
    source: 'Microsoft support, "Display numbers in scientific notation"',
    query: '?transport_mode=parcel&carrier=fedex',
    bytes: csv('Tracking Number,Reference', '1.23457E+11,sci-1', '"7,94624E+11",sci-2', '794624555444,sci-3'),
    expected: {
      created: 1,
      failed: 2,
      errors: [
        [2, 'turned the number into 1.23457E+11'],
        [3, 'turned the number into 7,94624E+11'],
      ],
    },
  },
  {
    name: 'an air waybill without its leading zero',
    source: 'Microsoft support, "Keep leading zeros and large numbers"',
    bytes: csv('Mode,Airline,AWB,Ref', 'air,LH,2012345675,awb-stripped', 'air,LH,020-12345686,awb-whole'),
    expected: { created: 1, failed: 1, errors: [[2, '020-12345675']] },
  },
  {
    name: 'an air waybill kept by ="…"',
    source: 'Excel, a formula that returns text',
    bytes: csv('Mode,Airline,AWB,Ref', '"air","LH","=""02012345690""",awb-formula'),
    expected: { created: 1, stored: { 'awb-formula': {} } },
  },
  {
    name: 'a number that Excel cut to 15 digits',
    source: 'Excel specifications and limits, number precision',
    query: '?transport_mode=parcel&carrier=fedex',
    bytes: csv('Tracking Number,Reference', '9405511899560000000000,cut-15'),
    expected: { created: 0, failed: 1, errors: [[2, '15 digits']] },
  },
  {
    name: 'numbers with .0',
    source: 'pandas to_csv, integer column with missing values',
    query: '?transport_mode=parcel&carrier=fedex',
    bytes: csv('Tracking Number,Reference', '794624555455.0,pandas', ',empty'),
    expected: {
      created: 0,
      failed: 2,
      errors: [
        [2, 'decimal 794624555455.0'],
        [3, 'identifiers'],
      ],
    },
  },
  {
    name: 'spreadsheet errors in place of numbers',
    source: 'Excel, VLOOKUP without a match',
    bytes: csv(header, 'ocean,MAEU,#N/A,lookup', 'ocean,MAEU,########,narrow'),
    expected: {
      created: 0,
      failed: 2,
      errors: [
        [2, '#N/A'],
        [3, '########'],
      ],
    },
  },
  {
    name: 'a number that became a date',
    source: 'Excel, automatic date conversion',
    bytes: csv(header, 'ocean,MAEU,12-Mar,date-1', 'ocean,MAEU,01.04.2026,date-2'),
    expected: {
      created: 0,
      failed: 2,
      errors: [
        [2, 'date 12-Mar'],
        [3, 'date 01.04.2026'],
      ],
    },
  },
  {
    name: 'dates in columns of metadata',
    source: 'Excel with regional dates',
    bytes: csv(`${header},metadata.ETD`, `${row('dates')},15.04.2026`),
    expected: { created: 1, stored: { dates: { metadata: { ETD: '15.04.2026' } } } },
  },
  {
    name: 'a comma in tags',
    source: 'the documentation of this import',
    bytes: csv(`${header},tags`, `${row('comma-tags')},"acme, Inc.|urgent"`),
    expected: { created: 1, stored: { 'comma-tags': { tags: ['acme, Inc.', 'urgent'] } } },
  },
  {
    name: 'a tag that is too long',
    source: 'a note in the wrong column',
    bytes: csv(`${header},tags`, `${row('long-tag')},${'x'.repeat(65)}`),
    expected: { created: 0, failed: 1, errors: [[2, 'tags']] },
  },
  {
    name: 'two containers in a cell',
    source: 'Excel table of a forwarder',
    bytes: csv(
      'mode,carrier,container,reference',
      'ocean,MAEU,"MSKU1234565, TCLU7654327",two-1',
      'ocean,MAEU,"MSKU1234565\nTCLU7654327",two-2',
      'ocean,MAEU,MSKU 123456 5,one',
    ),
    expected: {
      created: 1,
      failed: 2,
      errors: [
        [2, '2 numbers: MSKU1234565, TCLU7654327'],
        [3, 'a row of its own'],
      ],
    },
  },
  {
    name: 'short rows',
    source: 'Google Sheets, which drops empty cells at the end',
    bytes: csv(`${header},tags,metadata.buyer`, row('short'), `${row('less-short')},acme`),
    expected: { created: 2, stored: { short: {}, 'less-short': { tags: ['acme'] } } },
  },
  {
    name: 'a comma that nobody quoted',
    source: 'hand-written CSV',
    bytes: csv(`${header}`, `${row('long')},Inc.`),
    expected: { created: 0, failed: 1, errors: [[2, 'column 5, but the header has 4']] },
  },
  {
    name: 'trailing commas',
    source: 'Excel, cells that were formatted once',
    bytes: csv(`${header},,,`, `${row('trailing')},,,`),
    expected: { created: 1, stored: { trailing: {} } },
  },
  {
    name: 'a note under no header',
    source: 'Excel, a remark beside the table',
    bytes: csv(`${header},,`, `${row('note')},,call Kim`),
    expected: { created: 0, failed: 1, errors: [[2, 'column 6, which has no name']] },
  },
  {
    name: 'empty rows at the end and between',
    source: 'Excel, rows that were cleared',
    bytes: csv(header, row('empty-1'), ',,,', '', row('empty-2'), ...Array.from({ length: 500 }, () => ',,,')),
    expected: { created: 2 },
  },
  {
    name: 'no-break and zero-width spaces around numbers',
    source: 'numbers copied from a web page and an e-mail',
    bytes: csv(header, `\u00a0ocean,MAEU\u200b,\u202a${bl()}\u00a0,\ufeffspaces`),
    expected: { created: 1, stored: { spaces: {} } },
  },
  {
    name: 'a number with the apostrophe of a text cell',
    source: 'Excel, text prefix',
    bytes: csv(header, `ocean,MAEU,'${bl()},apostrophe`),
    expected: { created: 1 },
  },
  {
    name: 'PO Number of an ocean shipment',
    source: 'purchasing department',
    bytes: csv('mode,carrier,mbl,PO Number', `ocean,MAEU,${bl()},PO-55`),
    expected: { created: 1, stored: { 'PO-55': {} } },
  },
  {
    name: 'NDJSON with a blank line and BOM',
    source: 'jq -c',
    type: 'application/x-ndjson',
    bytes: Buffer.from(
      `\ufeff{"transport_mode":"ocean","carrier":"MAEU","identifiers":{"mbl":"${bl()}"},"reference":"ndjson"}\n\n{\n`,
    ),
    expected: { created: 1, failed: 1, says: { format: 'ndjson', header_line: null }, errors: [[3, 'JSON']] },
  },
  {
    name: 'the header on a line that the request names',
    source: 'two tables on one sheet',
    query: '?header_line=3',
    bytes: Buffer.from(`Carrier,Reference\r\n\r\n${text(rowsOf(['named-line']))}`),
    expected: { created: 1, says: { header_line: 3 } },
  },
];
