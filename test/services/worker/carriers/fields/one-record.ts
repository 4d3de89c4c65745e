import { oneRecord } from '#services/worker/carriers/one-record/one-record.ts';
import type { FieldCase } from './field-case.ts';
import { readFreight, responsesOf } from './read-fixtures.ts';

/** The objects of a server by class. */
type Objects = { LogisticsEvent: unknown[]; Waybill: unknown; Shipment: unknown };

export const answerTo = (response: unknown) => {
  const { LogisticsEvent: items, Waybill: waybill, Shipment: shipment } = response as Objects;
  return ({ pathname, searchParams }: URL): unknown => {
    if (pathname.endsWith('/logistics-events'))
      return searchParams.get('skip') === '0' ? { hasTotalItems: items.length, hasItem: items } : { hasTotalItems: 0 };
    if (pathname.endsWith('/shipment-1')) return shipment;
    return pathname.includes('/waybill-') ? waybill : undefined;
  };
};

export const oneRecordFields: FieldCase = {
  page: 'one-record',
  responses: responsesOf('one-record'),
  read: readFreight(oneRecord, 'air', { awb: '157-12345675' }, answerTo),
  schemaFile: 'one-record/schema.txt',
  expected: [
    ['LogisticsEvent[].eventCode', 'events[].code', 'received_from_shipper'],
    ['LogisticsEvent[].eventCode', 'events[].carrier_code', 'DIS_OFLD'],
    ['LogisticsEvent[].eventCode', 'status_detail', 'offloaded'],
    ['LogisticsEvent[].eventDate', 'events[].time.at', '2026-04-01T10:30:00.000Z'],
    ['LogisticsEvent[].eventName', 'events[].carrier_description', 'Departed on flight QR8171'],
    ['LogisticsEvent[].eventName', 'events[].vehicle.flight', 'QR8171'],
    ['LogisticsEvent[].eventTimeType', 'events[].classifier', 'estimated'],
    ['LogisticsEvent[].partialEventIndicator', 'events[].description', 'Part of the shipment'],
    ['LogisticsEvent[].recordedPieceCount', 'events[].details.pieces_count', 4],
    ['LogisticsEvent[].recordedPieceCount', 'pieces_count', 6],
    ['LogisticsEvent[].recordedWeight.numericalValue', 'events[].details.weight_kg', 60.6],
    ['LogisticsEvent[].recordedWeight.unit', 'events[].details.weight_kg', 19.958],
    ['LogisticsEvent[].eventFor.transportIdentifier', 'events[].vehicle.flight', 'QR8162'],
    ['LogisticsEvent[].eventFor.upid', 'events[].details.piece', 'UPID1'],
    ['LogisticsEvent[].eventFor.uldTypeCode', 'events[].details.uld', 'AKE12345QR'],
    ['LogisticsEvent[].eventFor.uldSerialNumber', 'events[].details.uld', 'AKE12345QR'],
    ['LogisticsEvent[].eventFor.ownerCode', 'events[].details.uld', 'AKE12345QR'],
    ['LogisticsEvent[].transportMovementReference.transportIdentifier', 'events[].vehicle.flight', 'QR8160'],
    ['LogisticsEvent[].involvedParties[].partyRole', 'delivery.received_by', 'Forwarder Ltd'],
    ['LogisticsEvent[].involvedParties[].partyDetails.name', 'delivery.received_by', 'Forwarder Ltd'],
    ['LogisticsEvent[].eventLocation.locationCodes[].code', 'events[].location.iata', 'DOH'],
    ['LogisticsEvent[].eventLocation.locationName', 'events[].location.name', 'Vienna Schwechat'],
    ['LogisticsEvent[].eventLocation.geolocation.latitude', 'events[].location.lat', 48.11],
    ['LogisticsEvent[].eventLocation.geolocation.longitude', 'events[].location.lng', 16.57],
    ['LogisticsEvent[].eventLocation.address.cityCode', 'events[].location.unlocode', 'ATVIE'],
    ['LogisticsEvent[].eventLocation.address.country', 'events[].location.country', 'AT'],
    ['Waybill.departureLocation.locationCodes[].code', 'origin.iata', 'VIE'],
    ['Waybill.arrivalLocation.locationCodes[].code', 'destination.iata', 'LHR'],
    ['Waybill.serviceCode', 'service.code', 'E'],
    ['Shipment.pieces', 'pieces_count', 3],
    ['Shipment.totalGrossWeight.numericalValue', 'weight_kg', 66.6],
    ['Shipment.totalGrossWeight.unit', 'weight_kg', 66.6],
    ['Shipment.pieces[].upid', 'pieces[].tracking_number', 'UPID1'],
    ['Shipment.pieces[].grossWeight.numericalValue', 'pieces[].weight_kg', 22.2],
    ['Shipment.pieces[].grossWeight.unit', 'pieces[].weight_kg', 22.2],
    ['Shipment.pieces[].dimensions.length.numericalValue', 'pieces[].dimensions_cm.length', 80],
    ['Shipment.pieces[].dimensions.length.unit', 'pieces[].dimensions_cm.length', 120],
    ['Shipment.pieces[].dimensions.width.numericalValue', 'pieces[].dimensions_cm.width', 60],
    ['Shipment.pieces[].dimensions.width.unit', 'pieces[].dimensions_cm.width', 80],
    ['Shipment.pieces[].dimensions.height.numericalValue', 'pieces[].dimensions_cm.height', 40],
    ['Shipment.pieces[].dimensions.height.unit', 'pieces[].dimensions_cm.height', 50],
  ],
};
