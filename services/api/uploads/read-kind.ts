import { LandfallError } from '#shared/domain/errors.ts';
import type { ImportFormat } from '#shared/domain/registration/import.ts';

/** What the first bytes of a file say that it is. Its media type and name decide only between CSV and NDJSON. */
export function readKind(head: Buffer, { mediaType, name }: { mediaType: string; name: string }): ImportFormat {
  const start = head.toString('latin1', 0, 16);
  if (start.startsWith('PK')) return 'xlsx';
  if (start.startsWith('\xd0\xcf\x11\xe0'))
    throw refused('an old workbook (.xls), or one with a password. Save it as .xlsx or CSV');
  if (/^ID;P/.test(start)) throw refused('a symbolic link file (.slk). Save it as .xlsx or CSV');
  if (/^TABLE\r?\n0,1\r?\n/.test(start)) throw refused('a data interchange file (.dif). Save it as .xlsx or CSV');
  if (start.startsWith('%PDF')) throw refused('a PDF. Save the table as CSV or .xlsx');
  if (/^(\xef\xbb\xbf)?\s*</.test(start))
    throw refused('HTML or XML. Open it in a spreadsheet and save it as CSV or .xlsx');
  if (mediaType.endsWith('ndjson') || /\.(ndjson|jsonl)(\.gz)?$/i.test(name)) return 'ndjson';
  const mayBeNdjson = !mediaType.startsWith('text/') && !mediaType.includes('excel') && !/\.(csv|tsv|txt)/i.test(name);
  return mayBeNdjson && /^(\xef\xbb\xbf)?\s*\{/.test(start) ? 'ndjson' : 'csv';
}

function refused(kind: string): LandfallError {
  return new LandfallError('validation_failed', `The file is ${kind}.`);
}
