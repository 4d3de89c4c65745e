import { gls } from '#services/worker/carriers/gls/gls.ts';
import type { FieldCase } from './field-case.ts';
import { readThrough, responsesOf } from './read-fixtures.ts';

const parcel = 'parcels[]';
const event = `${parcel}.events[]`;

export const glsFields: FieldCase = {
  page: 'gls',
  responses: responsesOf('gls'),
  read: readThrough(gls, '93835330599'),
  schemaFile: 'gls/schema.txt',
  expected: [
    [`${parcel}.unitno`, 'pieces[].tracking_number', '9383533060'],
    [`${parcel}.unitno`, 'events[].details.piece', '9383533060'],
    [`${parcel}.status`, 'events[].code', 'out_for_delivery'],
    [`${parcel}.status`, 'events[].carrier_code', 'INDELIVERY'],
    [`${parcel}.statusDateTime`, 'events[].time.local', '2026-02-12T07:30:00'],
    [`${event}.code`, 'events[].carrier_code', 'OUTBOD.NORMAL'],
    [`${event}.code`, 'events[].code', 'picked_up'],
    [`${event}.code`, 'status_detail', 'awaiting_collection_at_pickup_point'],
    [`${event}.city`, 'events[].location.name', 'Neuenstein'],
    [`${event}.country`, 'events[].location.country', 'FR'],
    [`${event}.description`, 'events[].carrier_description', 'The parcel was handed over to GLS.'],
    [`${event}.description`, 'events[].code', 'delivery_attempted'],
    [`${event}.description`, 'status_detail', 'refused'],
    [`${event}.eventDateTime`, 'events[].time.local', '2026-02-11T15:13:46'],
    [`${event}.eventDateTime`, 'events[].time.at', '2026-02-10T07:15:00.000Z'],
  ],
};
