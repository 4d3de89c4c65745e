import { strToU8, Zip, ZipDeflate } from 'fflate';

/** Excel's specification of limits: rows of a sheet, with the head; characters of a cell. */
const maxSheetRows = 1_048_576;
const maxCellChars = 32_767;

/** The list has more shipments than a sheet has rows. */
export class SheetFull extends Error {
  override name = 'SheetFull';
}

/** A workbook with one sheet that is written row by row. Only packed bytes are kept, whatever its size. */
export type Workbook = {
  /** Text and numbers; text is never run as a formula. Throws `SheetFull`. */
  addRow: (cells: readonly (string | number)[]) => void;
  end: () => Blob;
};

/** The parts of a workbook by ECMA-376, 5th edition, part 1: only what a sheet needs. The first row stays in view. */
export function createWorkbook(sheetName: string, maxRows: number = maxSheetRows): Workbook {
  const packed: Blob[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    // A copy: the packer uses its buffer again.
    packed.push(new Blob([chunk.slice()]));
  });
  const addPart = (name: string, xml: string) => {
    const part = new ZipDeflate(name, { level: 6 });
    zip.add(part);
    part.push(strToU8(declaration + xml), true);
  };
  addPart('[Content_Types].xml', contentTypes);
  addPart('_rels/.rels', packageRelations);
  addPart('xl/_rels/workbook.xml.rels', workbookRelations);
  addPart('xl/workbook.xml', workbookXml(sheetName));
  const sheet = new ZipDeflate('xl/worksheets/sheet1.xml', { level: 6 });
  zip.add(sheet);
  sheet.push(strToU8(declaration + sheetStart));
  let rows = 0;
  let waiting = '';
  return {
    addRow: (cells) => {
      rows += 1;
      if (rows > maxRows) throw new SheetFull('An Excel sheet holds at most 1,048,575 shipments. Export a CSV.');
      const row = rows;
      waiting += `<row r="${row}">${cells.map((cell, index) => cellXml(cell, `${columnName(index)}${row}`)).join('')}</row>`;
      if (waiting.length < flushChars) return;
      sheet.push(strToU8(waiting));
      waiting = '';
    },
    end: () => {
      sheet.push(strToU8(`${waiting}</sheetData></worksheet>`), true);
      zip.end();
      return new Blob(packed, { type: xlsxType });
    },
  };
}

export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const flushChars = 65_536;
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const documents = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const contentTypes =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  `<Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/>` +
  `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/></Types>`;

const packageRelations = `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${documents}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

const workbookRelations = `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${documents}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`;

const sheetStart =
  `<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">` +
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
  '<sheetFormatPr defaultRowHeight="15" baseColWidth="16"/><sheetData>';

function workbookXml(sheetName: string): string {
  return (
    `<workbook xmlns="${main}" xmlns:r="${documents}"><sheets>` +
    `<sheet name="${escapeXml(sheetName)}" sheetId="1" r:id="rId1"/></sheets></workbook>`
  );
}

/** `address` is optional in the standard, and several readers need it. */
function cellXml(value: string | number, address: string): string {
  if (typeof value === 'number') return `<c r="${address}"><v>${value}</v></c>`;
  if (value === '') return '';
  return `<c r="${address}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(value.slice(0, maxCellChars))}</t></is></c>`;
}

/** `A` to `Z`, then `AA`. */
function columnName(index: number): string {
  const rest = Math.floor(index / 26) - 1;
  return `${rest < 0 ? '' : columnName(rest)}${String.fromCharCode(65 + (index % 26))}`;
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** XML 1.0 cannot represent these: control characters and halves of a surrogate pair. */
const unwritable = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Excel reads `_x0041_` as a character, so such a text is written with its underscore in that form. */
function escapeXml(text: string): string {
  return text
    .replace(unwritable, '')
    .replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_')
    .replace(/[&<>"]/g, (character) => escapes[character] ?? character);
}
