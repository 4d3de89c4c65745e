import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseGetShipmentQuery } from '#shared/contract/record-queries.ts';
import { toWireShipment } from '#shared/contract/shipment-wire.ts';
import { getShipment } from '#shared/core/get-shipment.ts';
import { getShipmentAsOf } from '#shared/core/get-shipment-as-of.ts';
import type { Shipment } from '#shared/domain/shipment.ts';
import { annotateSpan } from '#shared/telemetry/events.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { entityTag, matchesTag } from '../plugins/entity-tag.ts';
import { shipmentIdOf } from './shipment-id-of.ts';

/** The whole record, now or as it stood, or 304 when the client has it already. */
export function getShipmentRoute(ctx: ApiContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = callerOf(request);
    const moment = parseGetShipmentQuery(Object(request.query));
    const shipmentId = shipmentIdOf(request);
    const { shipment, asOf } =
      moment === null
        ? { shipment: await getShipment(ctx.core, caller, shipmentId), asOf: null }
        : await getShipmentAsOf(ctx.core, caller, { shipmentId, moment });
    annotateSpan({ 'carrier.code': shipment.carrier });
    const record = toWireShipment(shipment, asOf);
    const tag = asOf === null ? currentTag(shipment) : entityTag(JSON.stringify(record));
    reply.headers({ etag: tag, 'cache-control': 'private, no-cache' });
    if (matchesTag(request.headers['if-none-match'], tag)) return reply.status(304).send();
    return reply.send(record);
  };
}

/** `version` moves with what is visible, and `tracking`, with its freshness, moves with every look and with time. */
function currentTag(shipment: Shipment): string {
  return entityTag(JSON.stringify([shipment.id, shipment.version, shipment.updatedAt, shipment.tracking]));
}
