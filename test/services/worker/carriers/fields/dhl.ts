import { dhl } from '#services/worker/carriers/dhl/dhl.ts';
import type { ExpectedField, FieldCase } from './field-case.ts';
import { readThrough, responsesOf } from './read-fixtures.ts';

const document = 'details.proofOfDelivery.documentUrl';
const signature = 'details.proofOfDelivery.signatureUrl';
const signed = 'details.proofOfDelivery.signed';

function placeFields(path: string, to: string, name: string, country: string): ExpectedField[] {
  return [
    [`${path}.address.addressLocality`, `${to}.name`, name],
    [`${path}.address.addressRegion`, `${to}.name`, name],
    [`${path}.address.countryCode`, `${to}.country`, country],
  ];
}

export const dhlFields: FieldCase = {
  page: 'dhl',
  responses: responsesOf('dhl'),
  read: readThrough(dhl, '7777777770'),
  schemaFile: 'dhl/schema.txt',
  expected: [
    ['service', 'service.code', 'freight'],
    ...placeFields('origin', 'origin', 'Seattle, WA', 'US'),
    ...placeFields('destination', 'destination', 'Denver, CO', 'US'),
    ['destination.address.streetAddress', 'pickup_point.address', 'Heussallee 20, Eingang B'],
    ['destination.address.addressLine', 'pickup_point.address', 'Heussallee 20, Eingang B'],
    ['destination.servicePoint.label', 'pickup_point.name', 'Packstation 145'],
    ['destination.servicePoint.label', 'pickup_point.kind', 'locker'],
    ['status.timestamp', 'events[].time.at', '2026-03-01T08:00:00.000Z'],
    ['status.statusCode', 'events[].code', 'information_received'],
    ['estimatedTimeOfDelivery', 'delivery.estimated.local', '2026-03-05'],
    ['estimatedDeliveryTimeFrame.estimatedFrom', 'delivery.window.from.local', '2026-03-05T10:00:00'],
    ['estimatedDeliveryTimeFrame.estimatedThrough', 'delivery.window.to.local', '2026-03-05T14:00:00'],
    ['estimatedDeliveryTimeFrame.estimatedThrough', 'delivery.estimated.local', '2026-03-06T15:30:00'],
    ['estimatedTimeOfDeliveryRemark', 'events[].carrier_description', 'By End of Day'],
    ['returnFlag', 'events[].code', 'returned'],
    ['details.product.productCode', 'service.code', 'P'],
    ['details.product.productName', 'service.name', 'Worldwide Priority'],
    [document, 'delivery.proof[].kind', 'document'],
    [document, 'delivery.proof[].handle', 'https://webpod.dhl.com/webPOD/DHLePODRequest'],
    [signature, 'delivery.proof[].kind', 'signature'],
    [signature, 'delivery.proof[].handle', 'https://webpod.dhl.com/signature?id=1'],
    [`${signed}.givenName`, 'delivery.received_by', 'Jane Doe'],
    [`${signed}.familyName`, 'delivery.received_by', 'Jane Doe'],
    [`${signed}.name`, 'delivery.received_by', 'Ms Keller'],
    [`${signed}.organizationName`, 'delivery.received_by', 'The First Dome Ltd.'],
    ['details.totalNumberOfPieces', 'pieces_count', 8],
    ['details.pieceIds[]', 'pieces[].tracking_number', 'JD014600000000000002'],
    ['details.weight.value', 'weight_kg', 253.5],
    ['details.weight.unitText', 'weight_kg', 2],
    ...(['length', 'width', 'height'] as const).flatMap((side): ExpectedField[] => {
      const cm = { length: 35, width: 20, height: 18 }[side];
      return [
        [`details.dimensions.${side}.value`, `pieces[].dimensions_cm.${side}`, cm],
        [`details.dimensions.${side}.unitText`, `pieces[].dimensions_cm.${side}`, cm],
      ];
    }),
    ['events[].timestamp', 'events[].time.at', '2026-03-03T15:00:00.000Z'],
    ...placeFields('events[].location', 'events[].location', 'Boston, MA', 'US'),
    ['events[].location.address.streetAddress', 'pickup_point.address', 'Domstr. 1, 1. Stock'],
    ['events[].location.address.addressLine', 'pickup_point.address', 'Domstr. 1, 1. Stock'],
    ['events[].location.servicePoint.label', 'pickup_point.name', 'DHL Shop Kiosk Meyer'],
    ['events[].location.servicePoint.label', 'pickup_point.kind', 'shop'],
    ['events[].statusCode', 'events[].code', 'exception'],
    ['events[].statusCode', 'events[].carrier_code', 'failure'],
    ['events[].status', 'events[].code', 'delivery_attempted'],
    ['events[].status', 'events[].carrier_description', 'NOT_HOME'],
    ['events[].statusDetailed', 'status_detail', 'strike'],
    ['events[].description', 'events[].carrier_description', 'Departed Facility in Leipzig'],
    ['events[].description', 'status_detail', 'refused'],
    ['events[].remark', 'events[].carrier_description', 'Shipment on hold: Damaged in transit'],
    ['events[].remark', 'status_detail', 'damaged'],
    ['events[].pieceIds[]', 'events[].details.piece', 'JD014600000000000002'],
  ],
};
