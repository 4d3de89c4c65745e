import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseGetShipmentQuery } from '#shared/contract/record-queries.ts';
import { journeyShape, toWireShipment, toWireShipmentText } from '#shared/contract/shipment-wire.ts';
import { getShipmentAsOf, type PastMoment } from '#shared/core/get-shipment-as-of.ts';
import { readRecord } from '#shared/core/read-record.ts';
import type { StoredRecord } from '#shared/domain/stored-record.ts';
import { annotateSpan } from '#shared/telemetry/events.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { entityTag, matchesTag } from '../plugins/entity-tag.ts';
import { shipmentIdOf } from './shipment-id-of.ts';

const jsonType = 'application/json; charset=utf-8';

/** The whole record, now or as it stood, or 304 when the client has it already. */
export function getShipmentRoute(ctx: ApiContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const moment = parseGetShipmentQuery(Object(request.query));
    return moment === null ? sendCurrent(ctx, request, reply) : sendPast(ctx, moment, { request, reply });
  };
}

async function sendCurrent(ctx: ApiContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const record = await readRecord(ctx, callerOf(request), { shipmentId: shipmentIdOf(request), shape: journeyShape });
  annotateSpan({ 'carrier.code': record.carrier });
  if (isKnown(request, reply, currentTag(record))) return reply.status(304).send();
  return reply.header('content-type', jsonType).send(toWireShipmentText(record));
}

async function sendPast(
  ctx: ApiContext,
  moment: PastMoment,
  exchange: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const { shipment, asOf } = await getShipmentAsOf(ctx.core, callerOf(request), { shipmentId: shipmentIdOf(request), moment });
  annotateSpan({ 'carrier.code': shipment.carrier });
  const text = JSON.stringify(toWireShipment(shipment, asOf));
  if (isKnown(request, reply, entityTag(text))) return reply.status(304).send();
  return reply.header('content-type', jsonType).send(text);
}

/** Names the answer's tag; true when the client has that one. */
function isKnown(request: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  reply.header('etag', tag).header('cache-control', 'private, no-cache');
  return matchesTag(request.headers['if-none-match'], tag);
}

/**
 * `version` moves with what is visible, and `tracking`, with its freshness, moves with every look and with time; the form of the journey's
 * text moves with the release.
 */
function currentTag({ id, version, updatedAt, tracking }: StoredRecord): string {
  return entityTag(JSON.stringify([journeyShape, id, version, updatedAt, tracking]));
}
