import type { FastifyRequest } from 'fastify';
import { type AirJourney, weightOf } from './air-journey.ts';
import type { Station } from './stations.ts';

export const basePath = '/sim/one-record';
const units = 'https://onerecord.iata.org/ns/code-lists/MeasurementUnitCode#';

export function location(station: Station): Record<string, unknown> {
  return {
    '@type': 'cargo:Location',
    'cargo:locationName': station.name,
    'cargo:locationType': 'AIRPORT',
    'cargo:locationCodes': [
      { '@type': 'cargo:CodeListElement', 'cargo:code': station.iata, 'cargo:codeListName': 'IATA' },
    ],
  };
}

export function waybill(request: FastifyRequest, journey: AirJourney): Record<string, unknown> {
  return {
    '@type': 'cargo:Waybill',
    'cargo:waybillPrefix': journey.awb.slice(0, 3),
    'cargo:waybillNumber': journey.awb.slice(3),
    'cargo:departureLocation': location(journey.origin),
    'cargo:arrivalLocation': location(journey.destination),
    'cargo:shipment': { '@id': objectIri(request, `shipment-${journey.awb}`) },
  };
}

export function shipment(request: FastifyRequest, journey: AirJourney): Record<string, unknown> {
  return {
    '@type': 'cargo:Shipment',
    'cargo:goodsDescription': 'Consolidated goods',
    'cargo:totalGrossWeight': kilograms(weightOf(journey, journey.pieces)),
    'cargo:pieces': Array.from({ length: journey.pieces }, (_, index) => ({
      '@type': 'cargo:Piece',
      '@id': objectIri(request, `piece-${journey.awb}-${index + 1}`),
    })),
    'cargo:waybill': { '@id': objectIri(request, `waybill-${journey.awb.slice(0, 3)}-${journey.awb.slice(3)}`) },
  };
}

export function kilograms(weight: number): Record<string, unknown> {
  return {
    '@type': 'cargo:Value',
    'cargo:numericalValue': weight,
    'cargo:unit': { '@id': `${units}KGM` },
  };
}

export function objectIri(request: FastifyRequest, id: string): string {
  return `${request.protocol}://${request.host}${basePath}/logistics-objects/${id}`;
}
