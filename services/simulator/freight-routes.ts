import type { FastifyInstance } from 'fastify';
import { addLufthansaCargoRoutes } from './air/lufthansa-cargo-routes.ts';
import { addOneRecordRoutes } from './air/one-record-routes.ts';
import type { FreightWorld } from './freight-world.ts';
import { addNmftaDsdcRoutes } from './road/nmfta-dsdc-routes.ts';

/** The carriers by air and road: every number has a journey, except those that contain `404`. */
export function addFreightRoutes(app: FastifyInstance, world: FreightWorld): void {
  addOneRecordRoutes(app, world);
  addLufthansaCargoRoutes(app, world);
  addNmftaDsdcRoutes(app, world);
}
