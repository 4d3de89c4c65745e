import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readShipmentId, toWireShipment } from '#shared/contract/shipment-wire.ts';
import { getShipment } from '#shared/core/get-shipment.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { Shipment } from '#shared/domain/shipment.ts';
import { annotateSpan } from '#shared/telemetry/events.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { refuseQuery } from './refuse-query.ts';

/** The whole record, or 304 when the client has it already. */
export function getShipmentRoute(ctx: ApiContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = callerOf(request);
    refuseQuery(request);
    const { shipment_id: shipmentId } = request.params as { shipment_id: string };
    const id = readShipmentId(shipmentId);
    if (id === null) throw new LandfallError('shipment_not_found', 'There is no shipment with this id.');
    const shipment = await getShipment(ctx.core, caller, id);
    annotateSpan({ 'shipment.id': shipmentId, 'carrier.code': shipment.carrier });
    const tag = entityTag(shipment);
    reply.headers({ etag: tag, 'cache-control': 'private, no-cache' });
    if (matchesTag(request.headers['if-none-match'], tag)) return reply.status(304).send();
    return reply.send(toWireShipment(shipment));
  };
}

/** `version` moves with what is visible, and `tracking` moves with every look. */
function entityTag(shipment: Shipment): string {
  const moving = JSON.stringify([shipment.id, shipment.version, shipment.updatedAt, shipment.tracking]);
  return `"${createHash('sha256').update(moving).digest('base64url').slice(0, 22)}"`;
}

function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === tag);
}
