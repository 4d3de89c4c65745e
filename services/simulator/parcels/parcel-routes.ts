import type { FastifyInstance } from 'fastify';
import type { SimulatorWorld } from '../ocean/event-routes.ts';
import { addDhlRoute } from './dhl-route.ts';
import { addFedexRoutes } from './fedex-routes.ts';
import { createKnownParcels } from './known-parcels.ts';
import type { ParcelWorld } from './parcel-world.ts';
import { addUpsRoutes } from './ups-routes.ts';

/** The parcel carriers: UPS, FedEx and DHL, each in its own shape under `/sim/<connector>`. */
export function addParcelRoutes(
  app: FastifyInstance,
  world: SimulatorWorld,
  options: { seed: string; voyageS: number },
): void {
  const parcels = createKnownParcels({ ...options, firstSeen: world.firstSeen });
  const shared: ParcelWorld = { ...world, parcels, seed: options.seed };
  addUpsRoutes(app, shared);
  addFedexRoutes(app, shared);
  addDhlRoute(app, shared);
}
