import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { readImportColumns, refuseMissingColumns } from '#shared/contract/imports/import-columns.ts';
import { errorsFile } from '#shared/contract/imports/import-errors-file.ts';
import { type ImportRequest, importCursor, type TableQuery } from '#shared/contract/imports/import-query.ts';
import { toImportId, toWireImport } from '#shared/contract/imports/import-wire.ts';
import { deleteImport } from '#shared/core/imports/delete-import.ts';
import { getImport, listImportErrors, listImports } from '#shared/core/imports/get-import.ts';
import { receiveImportRows } from '#shared/core/imports/receive-import-rows.ts';
import { startImport } from '#shared/core/imports/start-import.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { annotateSpan } from '#shared/telemetry/events.ts';
import type { ApiContext } from '../context.ts';
import { nextPageLink } from '../http/answer-headers.ts';
import { liftBodyDeadline } from '../http/body-deadline.ts';
import { goneSignal } from '../http/gone-signal.ts';
import { answer, type Routes } from '../plugins/serve.ts';
import { drainUpload } from '../uploads/byte-source.ts';
import { chunksOf, openUpload } from '../uploads/open-upload.ts';
import type { Upload, UploadRequest } from '../uploads/upload.ts';

/** An upload may take hours, but may not pause for longer than this. */
const idleMs = 30_000;
const pollAgainS = '1';
const previewRows = 8;

export const importRoutes = {
  /** Answers when every row is stored. The worker starts registering them while the upload is still running. */
  async createImport({ ctx, caller, query, body: stream, request, reply }) {
    liftBodyDeadline(request.raw);
    const ended = new AbortController();
    const gone = goneSignal(reply);
    const giveUp = () => ended.abort(gone.reason);
    gone.addEventListener('abort', giveUp);
    try {
      const upload = await openUpload(uploadOf(ctx, { stream, request, ended: ended.signal, isStored: true }, query));
      // A file that has arrived is stored, even if nobody waits for the answer.
      gone.removeEventListener('abort', giveUp);
      const { format, delimiter, rows, file } = upload;
      const { dryRun, defaults, choices } = query;
      const options = { delimiter, columns: columnsOf(upload, query), ...defaults, ...choices };
      const started = await startImport(ctx.core, caller, { format, dryRun, options, file: file() });
      const importId = toImportId(started.found.id);
      annotateSpan({ 'import.id': importId });
      const { replayed, received } = await receiveImportRows(ctx.core, caller, {
        started,
        chunks: chunksOf(rows),
        file,
      });
      // The rest of a file that failed is not read.
      if (received.state === 'failed') await drainUpload(stream);
      return answer(202, toWireImport(received), {
        location: `/v1/imports/${importId}`,
        ...(replayed ? { 'idempotent-replayed': 'true' } : {}),
      });
    } catch (error) {
      await drainUpload(stream);
      throw error;
    } finally {
      ended.abort();
    }
  },

  /** Reads no more than the beginning of a file. */
  async previewImport({ ctx, query, body: stream, request, reply }) {
    const sent = { stream, request, ended: goneSignal(reply), isStored: false };
    try {
      const { format, delimiter, names, file, rows } = await openUpload(uploadOf(ctx, sent, query));
      const shown: string[][] = [];
      for await (const some of rows) {
        shown.push(...some.map(({ content }) => (typeof content === 'string' ? [content] : content)));
        if (shown.length >= previewRows) break;
      }
      const { encoding, sheet, headerLine } = file();
      return {
        ...{ format, encoding, delimiter, sheet, header_line: headerLine, header: names },
        rows: shown.slice(0, previewRows),
      };
    } finally {
      await drainUpload(stream);
    }
  },

  async listImports({ ctx, caller, query: page, request }) {
    const { imports, hasMore } = await listImports(ctx.core, caller, page);
    const last = imports.at(-1);
    const nextCursor = hasMore && last !== undefined ? importCursor(last.id) : null;
    const body = {
      data: imports.map(toWireImport),
      page: { limit: page.limit, has_more: hasMore, next_cursor: nextCursor },
    };
    return answer(200, body, nextPageLink(request.url, nextCursor));
  },

  async getImport({ ctx, caller, params }) {
    const found = await getImport(ctx.core, caller, params.importId);
    const isRunning = found.state === 'receiving' || found.state === 'running';
    return answer(200, toWireImport(found), isRunning ? { 'retry-after': pollAgainS } : {});
  },

  async deleteImport({ ctx, caller, params }) {
    await deleteImport(ctx.core, caller, params.importId);
    return undefined;
  },

  /** Streams the failed rows, reading the store no faster than the client reads. */
  async getImportErrors({ ctx, caller, params, query }) {
    const found = await getImport(ctx.core, caller, params.importId);
    const file = errorsFile(found, { name: toImportId(found.id), format: query.format });
    const pages = listImportErrors(ctx.core, caller, { importId: found.id, ...query });
    async function* lines() {
      if (file.head !== '') yield file.head;
      for await (const page of pages) yield page.map(file.line).join('');
    }
    // In object mode 16 pages would be read ahead.
    return answer(200, Readable.from(lines(), { objectMode: false }), {
      'content-type': file.mediaType,
      'content-disposition': `attachment; filename="${file.name}"`,
    });
  },
} satisfies Partial<Routes>;

/** `ended`: aborts when nothing more is read. `isStored`: the rows are stored while the file is read. */
type Sent = { stream: Readable; request: FastifyRequest; ended: AbortSignal; isStored: boolean };

function uploadOf(
  { parsing }: ApiContext,
  { stream, request: { headers, memory, caller }, ended: signal, isStored }: Sent,
  { headerLine, sheet }: TableQuery,
): UploadRequest {
  const { 'content-type': contentType, 'content-encoding': contentEncoding, 'content-length': stated } = headers;
  const length = stated === undefined ? null : Number(stated);
  const accountId = caller?.accountId ?? '';
  return {
    ...{ stream, contentType, contentEncoding, length, idleMs, headerLine, sheet },
    holdMemory: (bytes) => memory?.grow(bytes),
    freeMemory: (bytes) => memory?.shrink(bytes),
    readTable: (input, hold) => parsing.read('workbook', input, { accountId, isStored, signal, hold }),
  };
}

/** The names of the columns: those that the request names, else those of the header. Throws if rows can't be read. */
function columnsOf(
  { format, names: sent }: Upload,
  { columns: named, choices, defaults, headerLine }: ImportRequest,
): string[] {
  if (format === 'ndjson') return [];
  // Without a header, a column that is empty in the first rows can't be counted.
  const isOtherLength =
    named !== null && (headerLine === 0 ? named.length < sent.length : named.length !== sent.length);
  if (isOtherLength) {
    const detail = `columns has ${named.length} names, but the file has ${sent.length} columns. Skip one with a hyphen.`;
    throw new LandfallError('validation_failed', detail, {
      mistakes: [{ pointer: '?columns', code: 'wrong_length', detail }],
    });
  }
  const names = named ?? sent;
  refuseMissingColumns(readImportColumns(names, { unknown: choices.unknownColumns }), defaults);
  return names;
}
