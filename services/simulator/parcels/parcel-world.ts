import type { FastifyRequest } from 'fastify';
import type { CarrierRoute } from '../carrier-route.ts';
import type { SimulatorWorld } from '../ocean/event-routes.ts';
import type { KnownParcels } from './known-parcels.ts';
import type { ParcelCarrier } from './networks.ts';
import { parcelTruth } from './parcel-truth.ts';

/** What the parcel carriers' routes share. */
export type ParcelWorld = SimulatorWorld & { parcels: KnownParcels; seed: string };

/** The config of a carrier's tracking route: how faults and counts find the numbers of a request, and what is true of them. */
export function parcelRoute(
  { parcels }: ParcelWorld,
  connector: ParcelCarrier,
  numbers: (request: FastifyRequest) => string | string[],
): { config: { carrier: CarrierRoute } } {
  const truth: CarrierRoute['truth'] = (number, nowMs) => {
    const view = parcels.viewAt(connector, number, nowMs);
    return view === null ? null : parcelTruth(view);
  };
  return { config: { carrier: { connector, kind: 'events', numbers: (request) => [numbers(request)].flat(), truth } } };
}
