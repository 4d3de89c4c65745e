import type { Readable } from 'node:stream';
import { readWhole } from './read-xml.ts';

/** Format of the numbers of a style: dates, or with leading zeros. Null: unchanged. */
export type CellFormat = { kind: 'date' } | { kind: 'zeros'; digits: number } | null;

/** Formats that Excel does not define in the file (ECMA-376 part 1, 18.8.30): dates and times. */
const builtInDates = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 30, 36, 45, 46, 47, 50, 57]);

/** Excel's limits are 64,000 styles and 255 characters of a format (its specification of limits). */
const maxStyles = 65_536;
const maxCodeLength = 255;

/** The format of each style of a workbook, by its index. */
export async function readCellFormats(styles: Readable | null): Promise<CellFormat[]> {
  const custom = new Map<number, CellFormat>();
  const formats: CellFormat[] = [];
  let isInCells = false;
  await readWhole(styles, {
    open: (name, attributes) => {
      if (Math.max(custom.size, formats.length) > maxStyles) throw new Error('too many styles');
      if (name === 'numFmt') custom.set(Number(attributes.numFmtId), customFormat(attributes.formatCode ?? ''));
      else if (name === 'cellXfs') isInCells = true;
      else if (name === 'xf' && isInCells) formats.push(formatOf(Number(attributes.numFmtId ?? 0)));
    },
    close: (name) => {
      if (name === 'cellXfs') isInCells = false;
    },
  });
  return formats;

  function formatOf(id: number): CellFormat {
    const format = custom.get(id);
    if (format !== undefined) return format;
    return builtInDates.has(id) ? { kind: 'date' } : null;
  }
}

function customFormat(code: string): CellFormat {
  if (code.length > maxCodeLength) return null;
  if (/^0{2,}$/.test(code)) return { kind: 'zeros', digits: code.length };
  // Literal text, escapes, colors and locales don't make a date.
  const bare = code.replace(/"[^"]*"|\\.|\[[^\]]*\]|_./g, '');
  return /[dy]|m{1,4}[/.-]|h:?m/i.test(bare) ? { kind: 'date' } : null;
}

/** A number as the sheet shows it, except that digits are neither rounded nor grouped. */
export function numberText(stored: string, { format, is1904 }: { format: CellFormat; is1904: boolean }): string {
  const value = Number(stored);
  if (stored.trim() === '' || !Number.isFinite(value)) return stored;
  if (format?.kind === 'date') return dateText(value, is1904) ?? stored;
  if (/^\d+$/.test(stored)) return format?.kind === 'zeros' ? stored.padStart(format.digits, '0') : stored;
  if (Number.isInteger(value) && Math.abs(value) < 1e15) {
    const text = String(value);
    return format?.kind === 'zeros' && value >= 0 ? text.padStart(format.digits, '0') : text;
  }
  // As Excel shows a number whose digits it did not keep: 9.40551E+21.
  if (Math.abs(value) >= 1e15) return value.toExponential(5).replace('e', 'E');
  return String(Number(value.toPrecision(15)));
}

const dayMs = 86_400_000;

/** Days since 1899-12-30 (or 1904-01-01) as a date, with the time if there is one. Null: not a date. */
function dateText(serial: number, is1904: boolean): string | null {
  const epochMs = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);
  const at = new Date(epochMs + Math.round(serial * 86_400) * 1000);
  if (Number.isNaN(at.getTime()) || Math.abs(serial) > 2_958_466) return null;
  const text = at.toISOString();
  if (Math.abs(serial) < 1) return text.slice(11, 19);
  return at.getTime() % dayMs === 0 ? text.slice(0, 10) : text.slice(0, 19);
}
