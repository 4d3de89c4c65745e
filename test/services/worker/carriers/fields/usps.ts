import { usps } from '#services/worker/carriers/usps/usps.ts';
import type { FieldCase } from './field-case.ts';
import { readThrough, responsesOf } from './read-fixtures.ts';

const scan = 'trackingEvents[]';

export const uspsFields: FieldCase = {
  page: 'usps',
  responses: responsesOf('usps'),
  read: readThrough(usps, '9400109104250532908587'),
  schemaFile: 'usps/schema.txt',
  expected: [
    ['mailClass', 'service.name', 'USPS Ground Advantage™'],
    ['serviceTypeCode', 'service.code', '001'],
    ['destinationCity', 'destination.name', 'HERNANDO, FL'],
    ['destinationState', 'destination.name', 'HERNANDO, FL'],
    ['destinationCountryCode', 'destination.country', 'US'],
    ['originCity', 'origin.name', 'JAMAICA, NY'],
    ['originState', 'origin.name', 'JAMAICA, NY'],
    ['originCountry', 'origin.country', 'US'],
    ['endOfDay', 'delivery.window.to.local', '2026-02-15T21:00'],
    ['expectedDeliveryTimeStamp', 'delivery.estimated.local', '2026-02-15T21:00'],
    ['guaranteedDeliveryTimeStamp', 'delivery.planned.local', '2026-02-13'],
    ['predictedDeliveryTimeStamp', 'delivery.estimated.local', '2026-02-16'],
    ['predictedDeliveryDate', 'delivery.estimated.local', '2026-02-14T17:15'],
    ['predictedDeliveryWindowStartTime', 'delivery.window.from.local', '2026-02-14T13:15'],
    ['predictedDeliveryWindowEndTime', 'delivery.window.to.local', '2026-02-14T17:15'],
    ['returnDateNotice', 'pickup_point.kept_until.local', '2026-03-01'],
    ['statusCategory', 'events[].code', 'out_for_delivery'],
    [`${scan}.eventType`, 'events[].carrier_description', 'Delivered, Front Door/Porch'],
    [`${scan}.eventType`, 'events[].code', 'delayed'],
    [`${scan}.eventType`, 'status_detail', 'left_at_door'],
    [`${scan}.eventType`, 'delivery.left_at', 'Front Door/Porch'],
    [`${scan}.eventTimestamp`, 'events[].time.local', '2026-02-14T13:58:00'],
    [`${scan}.GMTTimestamp`, 'events[].time.at', '2026-02-12T14:10:45.000Z'],
    [`${scan}.GMTOffset`, 'events[].time.at', '2026-02-11T11:16:00.000Z'],
    [`${scan}.eventCountry`, 'events[].location.country', 'JP'],
    [`${scan}.eventCity`, 'events[].location.name', 'QUEENS, NY'],
    [`${scan}.eventCity`, 'events[].location.facility', 'QUEENS NY DISTRIBUTION CENTER'],
    [`${scan}.eventState`, 'events[].location.name', 'MEMPHIS, TN'],
    [`${scan}.firm`, 'delivery.received_by', 'MILLER & SONS'],
    [`${scan}.name`, 'delivery.received_by', 'J. MILLER'],
    [`${scan}.eventCode`, 'events[].carrier_code', 'T1'],
    [`${scan}.eventCode`, 'events[].code', 'delivered'],
    [`${scan}.eventCode`, 'status_detail', 'awaiting_collection_at_pickup_point'],
    [`${scan}.eventCode`, 'return.reason', 'Unclaimed/Being Returned to Sender'],
  ],
};
