import type { InputMistake } from '#shared/domain/errors.ts';
import { countLostDigits, keptDigits } from '#shared/domain/registration/lost-digits.ts';

const spreadsheetError = /^#(?:N\/A|NAME\?|REF!|VALUE!|DIV\/0!|NULL!|NUM!|SPILL!|CALC!|GETTING_DATA)$|^#{3,}$/i;
const scientific = /^[+-]?\d+(?:[.,]\d+)?E\+\d+$/i;
const decimal = /^\d{5,}[.,]0+$/;
const months = 'Jan|Feb|Mar|Mär|Mrz|Apr|May|Mai|Jun|Jul|Aug|Sep|Oct|Okt|Nov|Dec|Dez';
const date = new RegExp(
  String.raw`^(?:\d{4}-\d{2}-\d{2}(?:[T ]00:00.*)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}[-. ](?:${months})[-. ]?\d*|` +
    String.raw`(?:${months})[-. ]\d{2,4})$`,
  'i',
);
const asText = 'Format the column as text before you enter the numbers.';

/**
 * Returns the reason why a spreadsheet has damaged a number, or null. `key`: the identifier that it stands for in its
 * row. `isText`: the cell is marked as text, so that the zeros at its end are its own.
 */
export function spoiltNumber(cell: string, { key, isText = false }: { key: string; isText?: boolean }): string | null {
  const shown = cell.slice(0, 64);
  if (spreadsheetError.test(cell)) return `The cell holds the spreadsheet error ${shown} instead of a number.`;
  if (scientific.test(cell)) return `A spreadsheet turned the number into ${shown} and lost digits. ${asText}`;
  if (decimal.test(cell)) return `A program stored the number as the decimal ${shown}. ${asText}`;
  if (date.test(cell)) return `A spreadsheet may have turned the number into the date ${shown}. ${asText}`;
  if (!isText && countLostDigits(cell) > 0)
    return (
      `A spreadsheet replaced all but ${keptDigits} digits of ${shown} by zeros. ${asText} If the zeros are right, ` +
      `confirm them: write the cell as '${shown}, or keep it as text in an .xlsx file.`
    );
  const awb = key === 'awb' ? strippedAwb(cell) : null;
  return awb && `${shown} has a digit too few for an air waybill. A spreadsheet drops leading zeros: is it ${awb}?`;
}

/** The air waybill whose leading zeros a spreadsheet dropped. */
function strippedAwb(cell: string): string | null {
  const digits = /^\d{1,2}[- ]?\d{8}$/.test(cell) ? cell.replace(/\D/g, '').padStart(11, '0') : null;
  return digits === null ? null : `${digits.slice(0, 3)}-${digits.slice(3)}`;
}

const several = /[,;|\n\r]+/;
const containers = /^(?:[A-Z]{4}[ -]?\d{6}[ -]?\d[\s,;|/&+]*){2,}$/i;

/** The numbers of a cell that holds several, or null. */
export function severalNumbers(cell: string): string[] | null {
  if (containers.test(cell)) return cell.match(/[A-Z]{4}[ -]?\d{6}[ -]?\d/gi);
  const parts = cell
    .split(several)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.length > 1 && parts.every((part) => /\d{3}/.test(part)) ? parts : null;
}

/** Returns the mistake in the number of a cell, if there is one. */
export function cellMistake(
  cell: string,
  { key, isText }: { key: string; isText: boolean },
): Omit<InputMistake, 'pointer'> | null {
  const spoilt = spoiltNumber(cell, { key, isText });
  if (spoilt !== null) return { code: 'spoilt_number', detail: spoilt };
  const numbers = severalNumbers(cell);
  if (numbers === null) return null;
  const advice =
    key === 'container'
      ? 'Give each container a row of its own, or register the bill of lading or booking alone: its containers are ' +
        'found by themselves.'
      : 'Give each number a row of its own.';
  const shown = numbers.slice(0, 5).join(', ');
  return { code: 'several_numbers', detail: `The cell holds ${numbers.length} numbers: ${shown}. ${advice}` };
}
