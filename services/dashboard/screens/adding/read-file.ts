import type { WireImportPreview } from '#shared/contract/imports/import-wire.ts';
import { readJson, sendTo, urlOf } from '../../api/call.ts';
import { problemOf } from '../../api/problem-error.ts';

const startBytes = 256 * 1024;

/** A chosen file with the media type that it is sent with. Its preview says what the server recognizes in it. */
export type ReadFile = { file: File; mediaType: string; preview: WireImportPreview };

const mediaTypes: Readonly<Record<string, string>> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xlsm: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ndjson: 'application/x-ndjson',
  jsonl: 'application/x-ndjson',
  gz: 'application/gzip',
};

/** Reads only the start of a file, whatever its size; of a workbook all of it. Throws `ProblemError`. */
export async function readFile(file: File): Promise<ReadFile> {
  const isPackedNdjson = /\.(ndjson|jsonl)\.gz$/i.test(file.name);
  const ending = file.name.slice(file.name.lastIndexOf('.') + 1).toLowerCase();
  const mediaType = isPackedNdjson ? 'application/x-ndjson' : (mediaTypes[ending] ?? 'text/csv');
  const first = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  // The directory of a workbook is at its end.
  const isWorkbook = first[0] === 0x50 && first[1] === 0x4b;
  const response = await sendTo(urlOf('previewImport', {}), {
    method: 'POST',
    headers: { 'content-type': mediaType },
    body: isWorkbook ? file : file.slice(0, startBytes),
  });
  const body = readJson(await response.text());
  if (!response.ok) throw problemOf(response.status, body, response.headers);
  return { file, mediaType, preview: body as WireImportPreview };
}

const delimiterWords: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'pipes',
};

/** Describes the recognized format of a file in words. */
export function recognizedText({ format, encoding, delimiter, sheet, header_line: line }: WireImportPreview): string {
  const parts = [
    format === 'xlsx' ? 'Excel workbook' : format.toUpperCase(),
    ...(sheet === null ? [] : [`sheet ${sheet}`]),
    ...(encoding === null ? [] : [encoding]),
    ...(delimiter === null ? [] : [delimiterWords[delimiter] ?? delimiter]),
    ...(line === null || line === 1 ? [] : [`header in line ${line}`]),
  ];
  return parts.join(', ');
}
