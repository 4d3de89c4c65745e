import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseRegisterShipmentBody } from '#shared/contract/registration/register-shipment-body.ts';
import { toShipmentId, toWireShipment } from '#shared/contract/shipments/shipment-wire.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { annotateSpan } from '#shared/telemetry/events.ts';
import { addTo } from '#shared/telemetry/instruments.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { refuseQuery } from './refuse-query.ts';

/** 201 for a new shipment; 200 and `Existing-Shipment: true` for an open one with the same number. */
export function registerShipmentRoute(ctx: ApiContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = callerOf(request);
    refuseQuery(request);
    if (request.body === undefined) throw new LandfallError('invalid_json', 'The body is empty; send a JSON object');
    const { registration } = parseRegisterShipmentBody(request.body, { test: caller.test });
    const { outcome, replayed, shipment } = await registerShipment(ctx.core, caller, registration);
    const shipmentId = toShipmentId(shipment.id);
    annotateSpan({ 'shipment.id': shipmentId, 'carrier.code': shipment.carrier });
    reply.header('location', `/v1/shipments/${shipmentId}`);
    if (outcome === 'created' && !replayed) addTo('landfall.registrations', 1, { source: 'api' });
    if (outcome === 'existing') reply.header('existing-shipment', 'true');
    if (replayed) reply.header('idempotent-replayed', 'true');
    return reply.status(outcome === 'created' ? 201 : 200).send(toWireShipment(shipment));
  };
}
