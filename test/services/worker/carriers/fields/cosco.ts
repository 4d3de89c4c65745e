import { cosco } from '#services/worker/carriers/cosco/cosco.ts';
import { cannedCarrier, readingOf } from '../canned-carrier.ts';
import { subject } from '../dcsa/fake-carrier.ts';
import type { FieldCase } from './field-case.ts';
import { responsesOf } from './read-fixtures.ts';

const content = 'data.content';
const leg = `${content}.actualShipment[]`;
const path = `${content}.trackingPath`;
const container = `${content}.containerStatus[].containers[]`;
const move = `${content}.containers[].containerCircleStatus[]`;

export const coscoFields: FieldCase = {
  page: 'cosco',
  responses: responsesOf('cosco'),
  read: (response) =>
    readingOf(
      cosco,
      cannedCarrier(() => ({ body: JSON.stringify(response) }), { simulated: true }).ctx,
      subject({ mbl: 'COSU6103622780' }, 'COSU'),
    ),
  schemaFile: 'cosco/schema.txt',
  expected: [
    [`${leg}.sequenceNumber`, 'events[].leg_role', 'pod'],
    [`${leg}.vesselName`, 'events[].vehicle.name', 'COSCO PHILIPPINES'],
    [`${leg}.voyageNo`, 'events[].vehicle.voyage', '039E'],
    [`${leg}.portOfLoading`, 'events[].location.name', 'Qingdao'],
    [`${leg}.actualDepartureDate`, 'events[].time.local', '2026-01-02T11:00'],
    [`${leg}.expectedDateOfDeparture`, 'events[].time.local', '2026-01-02T17:00'],
    [`${leg}.portOfDischarge`, 'events[].location.name', 'Long Beach'],
    [`${leg}.actualArrivalDate`, 'events[].time.local', '2026-01-27T05:24'],
    [`${leg}.estimatedDateOfArrival`, 'events[].time.local', '2026-01-27T06:00'],
    [`${leg}.actualShippingDate`, 'events[].time.local', '2026-01-02T07:59'],
    [`${leg}.city`, 'events[].location.country', 'US'],
    [`${leg}.actualDischargeDate`, 'events[].time.local', '2026-01-29T10:14'],
    [`${path}.fromCity`, 'origin.name', 'Qingdao'],
    [`${path}.fromCity`, 'origin.country', 'CN'],
    [`${path}.toCity`, 'destination.name', 'Dallas'],
    [`${path}.toCity`, 'destination.country', 'US'],
    [`${path}.cgoAvailTm`, 'events[].time.local', '2026-02-04T06:15'],
    [`${path}.pol`, 'events[].location.facility', 'QQCTU Qingdao Qianwan United Ctn'],
    [`${path}.pod`, 'events[].location.facility', 'Pacific Container Terminal'],
    [`${container}.containerNumber`, 'events[].container', 'CBHU4398928'],
    [`${container}.containerType`, 'containers[].iso_type', '20GP'],
    [`${container}.grossWeight`, 'events[].details.weight_kg', 12000.5],
    [`${container}.grossWeight`, 'weight_kg', 29720.5],
    [`${container}.piecesNumber`, 'events[].details.pieces_count', 20],
    [`${container}.piecesNumber`, 'pieces_count', 100],
    [`${container}.label`, 'events[].carrier_code', 'Empty Equipment Returned'],
    [`${container}.sealNumber`, 'containers[].seals[]', 'K31436'],
    [`${container}.location`, 'events[].location.name', 'Dallas'],
    [`${container}.locationDateTime`, 'events[].time.local', '2026-02-06T09:35'],
    [`${container}.transportation`, 'events[].code', 'departed_facility'],
    [`${content}.containers[].container.containerType`, 'containers[].iso_type', '20GP'],
    [`${content}.containers[].container.grossWeight`, 'events[].details.weight_kg', 20000],
    [`${content}.containers[].container.piecesNumber`, 'events[].details.pieces_count', 24],
    [`${content}.containers[].container.sealNumber`, 'containers[].seals[]', 'K31436'],
    [`${move}.containerNumber`, 'events[].container', 'CBHU4398907'],
    [`${move}.containerNumberStatus`, 'events[].carrier_code', 'Discharged at T/S POD'],
    [`${move}.containerNumberStatus`, 'events[].code', 'loaded'],
    [`${move}.location`, 'events[].location.facility', 'Pasir Panjang Terminal'],
    [`${move}.location`, 'events[].location.country', 'SG'],
    [`${move}.timeOfIssue`, 'events[].time.local', '2025-10-04T08:26'],
    [`${move}.timeOfIssue`, 'events[].time.at', '2025-10-04T00:26:00.000Z'],
    [`${move}.transportation`, 'events[].code', 'departed_facility'],
  ],
};
