import type { FastifyRequest } from 'fastify';
import type { CarrierRoute } from '../carrier-route.ts';
import type { FirstSeen } from '../first-seen.ts';
import type { SimulatorWorld } from '../ocean/event-routes.ts';
import { isFast, virtualNow, voyageStart } from '../voyages/clock.ts';
import { isUnknown, plainReference } from '../voyages/identifiers.ts';
import { firstNumbersOf } from './goods.ts';
import type { ParcelCarrier } from './networks.ts';
import { planParcel } from './parcel.ts';
import { type ParcelView, parcelAt, parcelTruth, pieceAt } from './parcel-at.ts';

type KnownParcels = {
  /** The parcel of a number at this real time (epoch ms). Null for a number that contains `404`. */
  viewAt: (carrier: ParcelCarrier, number: string, nowMs: number) => ParcelView | null;
};

/** The parcels of this seed. A parcel's journey starts with the first request for its number. */
export function createKnownParcels(options: { seed: string; voyageS: number; firstSeen: FirstSeen }): KnownParcels {
  const { seed, voyageS, firstSeen } = options;
  /** UPS returns the whole shipment for the number of each of its packages. */
  const shipmentOf = (carrier: ParcelCarrier, number: string): string => {
    if (carrier !== 'ups' || firstSeen.has(carrier, number)) return number;
    const first = firstNumbersOf(number).find(
      (each) =>
        firstSeen.has(carrier, each) &&
        planParcel(seed, carrier, each).goods.pieces.some((piece) => piece.number === number),
    );
    return first ?? number;
  };
  return {
    viewAt: (carrier, number, nowMs) => {
      const plain = shipmentOf(carrier, plainReference(number));
      if (plain === '' || isUnknown(plain)) return null;
      const parcel = planParcel(seed, carrier, plain);
      const fast = isFast(plain);
      const firstSeenMs = firstSeen.of(carrier, plain, nowMs);
      return parcelAt(
        parcel,
        voyageStart(parcel, fast, firstSeenMs),
        virtualNow(parcel, fast, firstSeenMs, voyageS, nowMs),
      );
    },
  };
}

/** Dependencies that the parcel carriers' routes share. */
export type ParcelWorld = SimulatorWorld & { parcels: KnownParcels; seed: string };

/**
 * The config of a carrier's tracking route: the numbers in a request and the truth about them, for faults and counts.
 */
export function parcelRoute(
  { parcels }: ParcelWorld,
  connector: ParcelCarrier,
  numbers: (request: FastifyRequest) => string | string[],
): { config: { carrier: CarrierRoute } } {
  const truth: CarrierRoute['truth'] = (number, nowMs) => {
    const view = parcels.viewAt(connector, number, nowMs);
    if (view === null) return null;
    // FedEx returns the one package that has the number.
    return parcelTruth(connector === 'fedex' ? pieceAt(view, 0) : view);
  };
  return { config: { carrier: { connector, kind: 'events', numbers: (request) => [numbers(request)].flat(), truth } } };
}
