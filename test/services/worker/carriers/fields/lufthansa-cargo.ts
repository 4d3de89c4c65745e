import { lufthansaCargo } from '#services/worker/carriers/lufthansa-cargo/lufthansa-cargo.ts';
import type { FieldCase } from './field-case.ts';
import { readFreight, responsesOf } from './read-fixtures.ts';

const milestone = 'milestonePlan.milestones.milestone[]';
const reported = `${milestone}.events.event[]`;
const event = 'events.event[]';
const movement = 'flightMovementDetails';

export const lufthansaCargoFields: FieldCase = {
  page: 'lufthansa-cargo',
  responses: responsesOf('lufthansa-cargo'),
  read: readFreight(lufthansaCargo, 'air', { awb: '020-08002050' }, (response) => () => response),
  schemaFile: 'lufthansa-cargo/schema.txt',
  expected: [
    [`${milestone}.type`, 'events[].code', 'manifested'],
    [`${milestone}.type`, 'events[].carrier_code', 'MAN'],
    [`${milestone}.station`, 'events[].location.iata', 'VIE'],
    [`${milestone}.plannedTime`, 'events[].time.at', '2026-07-19T08:01:00.000Z'],
    [`${milestone}.actualTime`, 'events[].time.at', '2026-07-19T08:12:00.000Z'],
    [`${milestone}.plannedTotals.noOfPieces`, 'events[].details.pieces_count', 11],
    [`${milestone}.plannedTotals.weight`, 'events[].details.weight_kg', 111.1],
    [`${milestone}.actualTotals[].noOfPieces`, 'events[].details.pieces_count', 7],
    [`${milestone}.actualTotals[].weight`, 'events[].details.weight_kg', 77.7],
    [`${milestone}.flight.flightCarrierCode`, 'events[].vehicle.flight', 'LH8169'],
    [`${milestone}.flight.flightNumber`, 'events[].vehicle.flight', 'LH8169'],
    [`${reported}.type`, 'events[].code', 'departed'],
    [`${reported}.type`, 'events[].carrier_code', 'DEP'],
    [`${reported}.station`, 'events[].location.iata', 'FRA'],
    [`${reported}.actualTime`, 'events[].time.at', '2026-07-19T09:41:00.000Z'],
    [`${reported}.actualTotals[].noOfPieces`, 'events[].details.pieces_count', 5],
    [`${reported}.actualTotals[].weight`, 'events[].details.weight_kg', 55.5],
    [`${reported}.classifier`, 'events[].carrier_code', 'DIS_SSPD'],
    [`${reported}.classifier`, 'events[].carrier_description', 'SSPD'],
    [`${reported}.classifier`, 'status_detail', 'short_shipped'],
    [`${event}.type`, 'events[].code', 'received_from_shipper'],
    [`${event}.type`, 'events[].carrier_code', 'RCS'],
    [`${event}.station`, 'events[].location.iata', 'LNZ'],
    [`${event}.actualTime`, 'events[].time.at', '2026-07-18T10:07:00.000Z'],
    [`${event}.actualTotals[].noOfPieces`, 'events[].details.pieces_count', 9],
    [`${event}.actualTotals[].weight`, 'events[].details.weight_kg', 99.9],
    [`${event}.classifier`, 'events[].carrier_code', 'DIS_MSCA'],
    [`${event}.classifier`, 'events[].carrier_description', 'MSCA'],
    [`${event}.classifier`, 'status_detail', 'missing_pieces'],
    ['booking.product.productName', 'service.name', 'td.Pro'],
    ['booking.product.productConditions.productCode', 'service.code', 'YNZ'],
    ['booking.totals.noOfPieces', 'pieces_count', 12],
    ['booking.totals.weight', 'weight_kg', 123.4],
    ['booking.originalTimeFrame.lAT', 'events[].time.at', '2026-07-18T18:35:00.000Z'],
    ['booking.originalTimeFrame.tOA', 'events[].time.at', '2026-07-20T01:00:00.000Z'],
    ['booking.origin', 'origin.iata', 'VIE'],
    ['booking.destination', 'destination.iata', 'JFK'],
    [`${movement}.flightCarrierCode`, 'events[].vehicle.flight', 'LH8170'],
    [`${movement}.flightNumber`, 'events[].vehicle.flight', 'LH8170'],
    [`${movement}.eta`, 'events[].time.at', '2026-07-19T18:00:00.000Z'],
    [`${movement}.etaUTC`, 'events[].time.at', '2026-07-19T18:03:00.000Z'],
    [`${movement}.flightEventInformation`, 'events[].carrier_description', 'Delayed by air traffic control'],
  ],
};
