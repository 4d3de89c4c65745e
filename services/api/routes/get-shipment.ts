import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseGetShipmentQuery } from '#shared/contract/shipments/record-queries.ts';
import { journeyShape, toTaggedText, toWireShipment } from '#shared/contract/shipments/shipment-wire.ts';
import { getShipmentAsOf, type PastMoment } from '#shared/core/shipments/get-shipment-as-of.ts';
import { readRecord } from '#shared/core/shipments/read-record.ts';
import { annotateSpan } from '#shared/telemetry/events.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { entityTag, matchesTag } from '../plugins/entity-tag.ts';
import { shipmentIdOf } from './shipment-id-of.ts';

const jsonType = 'application/json; charset=utf-8';

/** The whole record, now or as it stood, or 304 when the client has it already. */
export function getShipmentRoute(ctx: ApiContext) {
  return (request: FastifyRequest, reply: FastifyReply) => {
    const moment = parseGetShipmentQuery(Object(request.query));
    return moment === null ? sendCurrent(ctx, request, reply) : sendPast(ctx, moment, { request, reply });
  };
}

async function sendCurrent(ctx: ApiContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const askedAt = performance.now();
  const record = await readRecord(ctx, callerOf(request), { shipmentId: shipmentIdOf(request), shape: journeyShape });
  // In place of a span: the statement serves several requests.
  annotateSpan({
    'carrier.code': record.carrier,
    'db.client.operation.duration': (performance.now() - askedAt) / 1000,
  });
  const { text, told } = toTaggedText(record);
  if (isKnown(request, reply, entityTag(told))) return reply.status(304).send();
  return reply.header('content-type', jsonType).send(text);
}

async function sendPast(
  ctx: ApiContext,
  moment: PastMoment,
  exchange: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const { shipment, asOf } = await getShipmentAsOf(ctx.core, callerOf(request), {
    shipmentId: shipmentIdOf(request),
    moment,
  });
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
