import { Readable } from 'node:stream';
import { toWireChangeList } from '#shared/contract/feed/change-wire.ts';
import { type ExportFormat, type ExportRequest, listFieldsOf } from '#shared/contract/lists/export-query.ts';
import { csvColumnsOf, csvHeader, csvRow, ndjsonRow } from '#shared/contract/lists/export-rows.ts';
import { toWireCounts, toWireShipmentList } from '#shared/contract/lists/list-wire.ts';
import { toShipmentId } from '#shared/contract/record/shipment-id.ts';
import { journeyShape, toTaggedText, toWireShipment } from '#shared/contract/record/shipment-wire.ts';
import { type BundlePart, bundleEnd, bundleLine } from '#shared/contract/shipments/bundle-wire.ts';
import {
  toWireEventList,
  toWireRefreshList,
  toWireUnreadableEventList,
} from '#shared/contract/shipments/record-wire.ts';
import { listChanges } from '#shared/core/feed/list-changes.ts';
import { countShipments } from '#shared/core/lists/count-shipments.ts';
import { exportShipments } from '#shared/core/lists/export-shipments.ts';
import { listShipments } from '#shared/core/lists/list-shipments.ts';
import { getShipmentAsOf } from '#shared/core/record/get-shipment-as-of.ts';
import { listEvents } from '#shared/core/record/list-events.ts';
import { listRefreshes } from '#shared/core/record/list-refreshes.ts';
import { listUnreadableEvents } from '#shared/core/record/list-unreadable-events.ts';
import { readBundle } from '#shared/core/record/read-bundle.ts';
import { checkProof, readProof } from '#shared/core/record/read-proof.ts';
import { readRecord } from '#shared/core/record/read-record.ts';
import { proofFileName } from '#shared/domain/carriers/proof.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { annotateSpan } from '#shared/telemetry/events.ts';
import { entityTag, matchesTag, nextPageLink } from '../http/answer-headers.ts';
import { goneSignal } from '../http/gone-signal.ts';
import { answer, asJson, type Routes } from '../plugins/serve.ts';
import { freeBuffers } from '../uploads/free-buffers.ts';

/** A client that reads nothing for this long is treated as gone. */
const stalledMs = 60_000;

const mediaTypes = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
} as const;

export const shipmentRoutes = {
  async listShipments({ ctx, caller, query: { includeTotal, shape, ...list }, request }) {
    const withEvents = shape.include.includes('events');
    const page = await listShipments(ctx.core, caller, { ...list, withCounts: includeTotal, withEvents });
    return answer(200, toWireShipmentList(page, shape), nextPageLink(request.url, page.nextCursor));
  },

  async countShipments({ ctx, caller, query }) {
    return toWireCounts(await countShipments(ctx.core, caller, query));
  },

  /** Streams the file while it is read. Node destroys the connection when a later page fails. */
  async exportShipments({ ctx, caller, query, request, reply }) {
    const headers = {
      'content-type': mediaTypes[query.format],
      'content-disposition': `attachment; filename="${fileName(query.format, ctx.core.now())}"`,
      'cache-control': 'no-store',
    };
    // A stream, because Fastify adds a length to anything else, and that of the file is unknown.
    if (request.method === 'HEAD') return answer(200, Readable.from([]), headers);
    const pages = exportShipments(ctx.core, caller, query);
    // An error on the first page is sent as a problem, not as a broken file.
    const first = await pages.next();
    reply.raw.setTimeout(stalledMs, () => reply.raw.destroy());
    return answer(200, Readable.from(linesOf(first.value ?? [], pages, query), { objectMode: false }), headers);
  },

  async getShipment({ ctx, caller, params, query: moment, request }) {
    const askedAt = performance.now();
    const ifNoneMatch = request.headers['if-none-match'];
    if (moment !== null) {
      const { shipment, asOf } = await getShipmentAsOf(ctx.core, caller, { ...params, moment });
      annotateSpan({ 'carrier.code': shipment.carrier });
      const text = JSON.stringify(toWireShipment(shipment, asOf));
      return answerTagged(ifNoneMatch, text, text);
    }
    const record = await readRecord(ctx, caller, { ...params, shape: journeyShape });
    // Instead of a span: one statement serves several requests.
    annotateSpan({
      'carrier.code': record.carrier,
      'db.client.operation.duration': (performance.now() - askedAt) / 1000,
    });
    const { text, tagged } = toTaggedText(record);
    return answerTagged(ifNoneMatch, text, tagged);
  },

  async listShipmentEvents({ ctx, caller, params, query, request }) {
    const page = await listEvents(ctx.core, caller, { ...query, ...params });
    return answer(200, toWireEventList(page), nextPageLink(request.url, page.nextCursor));
  },

  async listShipmentRefreshes({ ctx, caller, params }) {
    return toWireRefreshList(await listRefreshes(ctx.core, caller, params.shipmentId));
  },

  /** Streamed like an export. */
  async getShipmentBundle({ ctx, caller, params: { shipmentId }, request, reply }) {
    const parts = readBundle(ctx.core, caller, shipmentId);
    const first = (await parts.next()).value ?? [];
    const headers = {
      'content-type': mediaTypes.ndjson,
      'content-disposition': `attachment; filename="${toShipmentId(shipmentId)}.ndjson"`,
      'cache-control': 'no-store',
    };
    if (request.method === 'HEAD') return answer(200, Readable.from([]), headers);
    reply.raw.setTimeout(stalledMs, () => reply.raw.destroy());
    return answer(200, Readable.from(bundleOf(first, parts), { objectMode: false }), headers);
  },

  async getShipmentProof({ ctx, caller, params, request, reply }) {
    // A document is of one person: no cache keeps it, and nothing in it may run.
    const headers = {
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    };
    if (request.method === 'HEAD') {
      await checkProof(ctx.core, caller, params);
      return answer(200, Readable.from([]), headers);
    }
    const gone = goneSignal(reply);
    const release = ctx.proofPermits.take(caller.accountId, 'any');
    // When the document has been sent, or its client is gone.
    if (reply.raw.destroyed) release();
    reply.raw.once('close', release);
    const options = { waitMs: ctx.settings.answerWaitMs, signal: gone };
    const { mediaType, content } = await readProof(ctx.core, caller, params, options);
    // Its digits, in the pieces that the database sent and in one.
    freeBuffers(4 * content.length);
    const name = proofFileName(toShipmentId(params.shipmentId), params.proofId, mediaType);
    const ofFile = { 'content-type': mediaType, 'content-disposition': `inline; filename="${name}"` };
    return answer(200, content, { ...headers, ...ofFile });
  },

  async listUnreadableEvents({ ctx, caller, params }) {
    return toWireUnreadableEventList(await listUnreadableEvents(ctx.core, caller, params.shipmentId));
  },

  async listChanges({ ctx, caller, query }) {
    return toWireChangeList(await listChanges(ctx.core, caller, query));
  },
} satisfies Partial<Routes>;

/** One chunk per page. Stops reading pages when the client is gone. */
async function* linesOf(
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

/** One chunk per page. */
async function* bundleOf(
  first: readonly BundlePart[],
  parts: AsyncGenerator<BundlePart[], void, undefined>,
): AsyncGenerator<string, void, undefined> {
  let lines = first.length;
  yield first.map(bundleLine).join('');
  for await (const page of parts) {
    lines += page.length;
    yield page.map(bundleLine).join('');
  }
  yield bundleEnd(lines);
}

function fileName(format: ExportFormat, now: Date): string {
  return `shipments-${now.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z.${format}`;
}

/** 304 if the client has the record already. `tagged` changes whenever `text` does. */
function answerTagged(ifNoneMatch: string | undefined, text: string, tagged: string) {
  const etag = entityTag(tagged);
  const headers = { etag, 'cache-control': 'private, no-cache' };
  return matchesTag(ifNoneMatch, etag) ? answer(304, undefined, headers) : answer(200, asJson(text), headers);
}
