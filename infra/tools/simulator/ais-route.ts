import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { seaLane } from '#shared/domain/positions/sea-lanes.ts';
import type { SimulatorWorld } from './ocean/event-routes.ts';
import { type GeoPoint, pointBetween } from './voyages/point-between.ts';
import { distanceKm } from './voyages/ports.ts';
import type { Voyage } from './voyages/voyage.ts';

const aisPath = '/sim/ais/positions';

const questionSchema = z.object({ vessels: z.array(z.object({ imo: z.string() })).max(500) });
const voyagesWatched = 2000;

type Sighting = { imo: string; name: string; lat: number; lng: number; at: string; source: string };

/** A source of ships' positions by the contract of `POSITIONS_URL`: the ships of requested voyages, between their ports. */
export function addAisRoute(app: FastifyInstance, world: SimulatorWorld): void {
  app.post(aisPath, async (request) => {
    const { vessels } = questionSchema.parse(request.body);
    const asked = new Set(vessels.map(({ imo }) => imo));
    const seen = new Map<string, Sighting>();
    for (const record of world.known.latest(voyagesWatched, null)) {
      const sighting = sightingOf(world.known.voyageOf(record), world.known.momentOf(record, world.now()));
      if (sighting !== null && asked.has(sighting.imo)) seen.set(sighting.imo, sighting);
    }
    return { positions: [...seen.values()] };
  });
}

/** Computes the vessel's position between two ports. Null: it is in port. */
function sightingOf(voyage: Voyage, { startMs, virtualMs }: { startMs: number; virtualMs: number }): Sighting | null {
  const moves = voyage.milestones.filter(({ subject }) => subject.transportEventTypeCode !== undefined);
  for (const departure of moves.filter(({ subject }) => subject.transportEventTypeCode === 'DEPA')) {
    const sequence = Number(departure.id.slice('DEPA-'.length));
    const arrival = moves.find(({ id }) => id === `ARRI-${sequence + 1}`);
    const [from, to] = [departure.subject.transportCall?.location, arrival?.subject.transportCall?.location];
    const vessel = departure.subject.transportCall?.vessel;
    if (arrival === undefined || from === undefined || to === undefined || vessel === undefined) continue;
    const share = (virtualMs - startMs - departure.actualMs) / (arrival.actualMs - departure.actualMs);
    if (!(share > 0 && share < 1)) continue;
    const [lat, lng] = alongLane(pointOf(from), pointOf(to), share);
    const at = new Date(Math.floor(virtualMs / 60_000) * 60_000).toISOString();
    return { imo: vessel.vesselIMONumber, name: vessel.vesselName, lat, lng, at, source: 'simulator' };
  }
  return null;
}

/** The point at this share of the way by sea. */
function alongLane(from: GeoPoint, to: GeoPoint, share: number): [number, number] {
  const way = seaLane([from.longitude, from.latitude], [to.longitude, to.latitude]).map(
    ([longitude, latitude]): GeoPoint => ({ longitude, latitude }),
  );
  const lengths = way.slice(1).map((point, index) => distanceKm(way[index] ?? point, point));
  let leftKm = share * lengths.reduce((sum, km) => sum + km, 0);
  for (const [index, km] of lengths.entries()) {
    const [start, end] = [way[index], way[index + 1]];
    if (start !== undefined && end !== undefined && leftKm <= km && km > 0)
      return pointBetween(start, end, leftKm / km);
    leftKm -= km;
  }
  return [to.latitude, to.longitude];
}

function pointOf({ latitude, longitude }: { latitude: string; longitude: string }) {
  return { latitude: Number(latitude), longitude: Number(longitude) };
}
