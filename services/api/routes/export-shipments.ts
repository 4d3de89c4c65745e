import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type ExportFormat,
  type ExportRequest,
  listFieldsOf,
  parseExportShipmentsQuery,
} from '#shared/contract/shipments/export-query.ts';
import { csvColumnsOf, csvHeader, csvRow, ndjsonRow } from '#shared/contract/shipments/export-rows.ts';
import { exportShipments } from '#shared/core/shipments/export-shipments.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { Shipment } from '#shared/domain/shipments/shipment.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { acceptedRanges } from '../plugins/negotiation.ts';

/** A client that takes nothing for so long is gone. */
const stalledMs = 60_000;

const mediaTypes = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
} as const;

/** The whole of a filter as a file, written as fast as it is read. Node destroys the connection when a later page fails. */
export function exportShipmentsRoute(ctx: ApiContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const query: Record<string, unknown> = Object(request.query);
    const accepted = acceptedFormat(request);
    if (accepted === null && query.format === undefined)
      throw new LandfallError(
        'not_acceptable',
        'An export is text/csv or application/x-ndjson; name one in Accept or in format',
      );
    const asked = parseExportShipmentsQuery(query, accepted ?? 'csv');
    reply.headers({
      'content-type': mediaTypes[asked.format],
      'content-disposition': `attachment; filename="${fileName(asked.format, ctx.core.now())}"`,
      'cache-control': 'no-store',
    });
    // A stream, because fastify gives anything else a length, and nobody knows that of the file.
    if (request.method === 'HEAD') return reply.send(Readable.from([]));
    const pages = exportShipments(ctx.core, callerOf(request), asked);
    // Whatever is wrong from the start is answered as an error, not as a broken file.
    const first = await pages.next();
    reply.raw.setTimeout(stalledMs, () => reply.raw.destroy());
    return reply.send(Readable.from(chunksOf(first.value ?? [], pages, asked), { objectMode: false }));
  };
}

/** One chunk a page; ends the reading of pages when nobody takes them any more. */
async function* chunksOf(
  first: readonly Shipment[],
  pages: AsyncGenerator<Shipment[], void, undefined>,
  { format, fields }: ExportRequest,
): AsyncGenerator<string, void, undefined> {
  const columns = csvColumnsOf(fields);
  const listFields = listFieldsOf(fields);
  const lines = (shipments: readonly Shipment[]) =>
    shipments
      .map((shipment) => (format === 'csv' ? csvRow(shipment, columns) : ndjsonRow(shipment, listFields)))
      .join('');
  const start = (format === 'csv' ? csvHeader(columns) : '') + lines(first);
  if (start !== '') yield start;
  for await (const shipments of pages) if (shipments.length > 0) yield lines(shipments);
}

/** The format that `Accept` prefers; null when it allows neither. */
function acceptedFormat(request: FastifyRequest): ExportFormat | null {
  const ranges = acceptedRanges(request);
  if (ranges === null) return 'csv';
  for (const range of ranges) {
    if (['text/csv', 'text/*', '*/*'].includes(range)) return 'csv';
    if (['application/x-ndjson', 'application/ndjson', 'application/*'].includes(range)) return 'ndjson';
  }
  return null;
}

function fileName(format: ExportFormat, now: Date): string {
  return `shipments-${now.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z.${format}`;
}
