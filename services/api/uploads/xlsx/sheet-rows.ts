import type { Readable } from 'node:stream';
import { maxRowBytes, maxSheetColumns } from '#shared/contract/imports/import-row-body.ts';
import type { RawRow } from '#shared/domain/registration/import.ts';
import { keptOfLongRow } from '../limits.ts';
import { type CellFormat, numberText } from './cell-formats.ts';
import { readXml } from './read-xml.ts';
import type { SharedTexts } from './shared-texts.ts';

/** Parts of the workbook that the cells of all sheets refer to. */
export type SharedParts = { texts: Pick<SharedTexts, 'at'>; formats: readonly CellFormat[]; is1904: boolean };

/** The rows of a sheet that are not blank. `line` is the number that the sheet shows beside the row. */
export async function* readSheetRows(sheet: Readable, shared: SharedParts): AsyncGenerator<RawRow[]> {
  let rows: RawRow[] = [];
  let line = 0;
  let cells: string[] = [];
  let rowChars = 0;
  let isWide = false;
  let column = 0;
  let type = 'n';
  let style = 0;
  let text: string | null = null;
  let inPhonetic = false;
  let value = '';

  const handlers = {
    open: (name: string, attributes: Readonly<Record<string, string>>) => {
      if (name === 'row') startRow(attributes.r);
      else if (name === 'c') {
        column = columnOf(attributes.r) ?? column + 1;
        type = attributes.t ?? 'n';
        style = Number(attributes.s ?? -1);
        value = '';
      } else if (name === 'rPh') inPhonetic = true;
      else if ((name === 'v' || name === 't') && !inPhonetic) text = '';
    },
    text: (part: string) => {
      if (text === null || rowChars > maxRowBytes) return;
      text += part;
      rowChars += part.length;
    },
    close: (name: string) => {
      if (name === 'rPh') inPhonetic = false;
      else if ((name === 'v' || name === 't') && text !== null) {
        value += text;
        text = null;
      } else if (name === 'c') endCell();
      else if (name === 'row') endRow();
    },
  };
  for await (const _ of readXml(sheet, handlers)) {
    if (rows.length === 0) continue;
    yield rows;
    rows = [];
  }

  function startRow(number: string | undefined): void {
    line = number === undefined || !/^\d{1,8}$/.test(number) ? line + 1 : Number(number);
    cells = [];
    rowChars = 0;
    isWide = false;
    column = -1;
  }

  function endCell(): void {
    const shown = type === 's' || type === 'inlineStr' ? markedText(cellText()) : cellText();
    if (shown === '') return;
    // The empty cells before it would take much more than the few bytes of the cell.
    if (column >= maxSheetColumns) {
      isWide ||= shown.trim() !== '';
      return;
    }
    while (cells.length < column) cells.push('');
    cells[column] = shown;
  }

  function cellText(): string {
    if (type === 's') {
      // Any number of cells may refer to the same long text.
      const shown = shared.texts.at(Number(value)).slice(0, Math.max(0, maxRowBytes + 1 - rowChars));
      rowChars += shown.length;
      return shown;
    }
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
    if (type === 'n') return numberText(value, { format: shared.formats[style] ?? null, is1904: shared.is1904 });
    return unescaped(value);
  }

  function endRow(): void {
    if (!isWide && cells.every((cell) => cell.trim() === '')) return;
    const problem = rowChars > maxRowBytes ? 'too_long' : isWide ? 'too_wide' : null;
    const content = problem === null ? cells : [cells.join(',').slice(0, keptOfLongRow)];
    rows.push({ line, content, problem });
  }
}

/** A long number that the workbook keeps as text, marked so that the zeros at its end count as its own. */
function markedText(text: string): string {
  return /^\d{16,34}$/.test(text) && text.endsWith('00') ? `="${text}"` : text;
}

/** The column of a reference such as `AB12`, from 0. */
function columnOf(reference: string | undefined): number | null {
  const letters = /^[A-Z]{1,4}/i.exec(reference ?? '')?.[0].toUpperCase();
  if (letters === undefined) return null;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

/** Control characters are stored as `_x000D_`. */
export function unescaped(text: string): string {
  return text.includes('_x')
    ? text.replace(/_x([0-9A-F]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;
}
