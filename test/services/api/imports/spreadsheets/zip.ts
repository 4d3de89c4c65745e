import { crc32, deflateRawSync } from 'node:zlib';

/** A ZIP archive (PKWARE APPNOTE 6.3) of deflated files. `claimed`: the size that the directory states instead. */
export function zip(files: Readonly<Record<string, string | Buffer>>, claimed?: number): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const data = Buffer.from(content);
    const packed = deflateRawSync(data);
    const size = claimed ?? data.length;
    const path = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(size, 18);
    common.writeUInt16LE(path.length, 22);
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE(offset, 10);
    const local = [Buffer.from('PK\x03\x04', 'latin1'), common, path, packed];
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, entry, path);
    parts.push(...local);
    offset += local.reduce((sum, part) => sum + part.length, 0);
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(Object.keys(files).length, 4);
  end.writeUInt16LE(Object.keys(files).length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, listed, Buffer.from('PK\x05\x06', 'latin1'), end]);
}

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

export type SheetXml = { name: string; rows: string; state?: string };

/** A workbook (ECMA-376) of sheets given as XML of their rows. */
export function workbook(
  sheets: readonly SheetXml[],
  parts: { styles?: string; strings?: string; prefix?: string; claimed?: number } = {},
): Buffer {
  const { prefix = '' } = parts;
  const tag = prefix === '' ? '' : `${prefix}:`;
  const xmlns = prefix === '' ? `xmlns="${main}"` : `xmlns:${prefix}="${main}"`;
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`;
  const relations = (content: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${content}</Relationships>`;
  const listed = sheets.map(
    ({ name, state = 'visible' }, at) =>
      `<${tag}sheet name="${name}" sheetId="${at + 1}" state="${state}" r:id="rId${at + 1}"/>`,
  );
  return zip(
    {
      '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
      '_rels/.rels': relations(relation('rId1', 'officeDocument', 'xl/workbook.xml')),
      'xl/workbook.xml': `<?xml version="1.0"?><${tag}workbook ${xmlns} xmlns:r="${office}"><${tag}sheets>${listed.join('')}</${tag}sheets></${tag}workbook>`,
      'xl/_rels/workbook.xml.rels': relations(
        [
          ...sheets.map((_, at) => relation(`rId${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`)),
          relation('rId90', 'styles', 'styles.xml'),
          relation('rId91', 'sharedStrings', 'sharedStrings.xml'),
        ].join(''),
      ),
      'xl/styles.xml': `<styleSheet xmlns="${main}">${parts.styles ?? ''}</styleSheet>`,
      'xl/sharedStrings.xml': `<sst xmlns="${main}">${parts.strings ?? ''}</sst>`,
      ...Object.fromEntries(
        sheets.map(({ rows }, at) => [
          `xl/worksheets/sheet${at + 1}.xml`,
          `<?xml version="1.0"?><${tag}worksheet ${xmlns}><${tag}sheetData>${rows}</${tag}sheetData></${tag}worksheet>`,
        ]),
      ),
    },
    parts.claimed,
  );
}

/** The XML of rows of inline text. */
export function inlineRows(rows: readonly (readonly string[])[]): string {
  return rows
    .map((row, at) => {
      const cells = row.map((cell, column) =>
        cell === ''
          ? ''
          : `<c r="${String.fromCharCode(65 + column)}${at + 1}" t="inlineStr"><is><t>${cell}</t></is></c>`,
      );
      return `<row r="${at + 1}">${cells.join('')}</row>`;
    })
    .join('');
}
