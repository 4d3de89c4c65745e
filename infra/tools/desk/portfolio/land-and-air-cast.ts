import { air, door } from './journeys.ts';
import { neverRefreshed, refused, silenced, story, unknownYet } from './make-story.ts';
import { lastWeek } from './moments.ts';
import { numberOf } from './numbers.ts';
import type { Story } from './story.ts';

export const hawbNumber = 'HAWB-FRA-55120';
export const airWaybill = numberOf.airWaybill('020', 5_512_001);
export const fedexNumber = numberOf.fedex(3_300_401);
export const upsNumber = numberOf.ups(4_400_501);

const flight = { from: 'HKG', to: 'FRA', flight: 'LH8401' } as const;
const truck = { mode: 'road', from: 'USDAL', to: 'USATL' } as const;
const parcel = { mode: 'parcel', from: 'USMEM', to: 'USSEA' } as const;
const awb = (carrier: string, number: string, reference: string, hawb?: string) => ({
  transportMode: 'air' as const,
  carrier,
  identifiers: { awb: number, ...(hawb === undefined ? {} : { hawb }) },
  reference,
});
const tracked = (carrier: string, number: string, reference: string) => ({
  transportMode: 'parcel' as const,
  carrier,
  identifiers: { tracking_number: number },
  reference,
});
const pro = (carrier: string, number: string, reference: string, bol?: string) => ({
  transportMode: 'road' as const,
  serviceType: 'ltl' as const,
  carrier,
  identifiers: { pro: number, ...(bol === undefined ? {} : { bol }) },
  reference,
});

/** The flights, trucks and parcels that questions name. */
export const landAndAirCast: Story[] = [
  story(
    'air-hawb',
    awb('LH', airWaybill, 'PO-8001', hawbNumber),
    air({ ...flight, departs: -7, arrives: 5, first: 3 }),
    { changedFor: 7 },
  ),
  story(
    'air-late',
    awb('CX', numberOf.airWaybill('160', 5_512_002), 'PO-8002'),
    air({ ...flight, to: 'ORD', flight: 'CX2084', departs: -6, arrives: 44, first: 8 }),
    { changedFor: 6 },
  ),
  story(
    'air-held',
    awb('LH', numberOf.airWaybill('020', 5_512_003), 'PO-8003'),
    air({
      ...flight,
      departs: -60,
      arrives: -46,
      endings: [{ code: 'customs_hold', hour: -30 }],
      open: ['customs_hold'],
    }),
  ),
  story(
    'air-ready',
    awb('LH', numberOf.airWaybill('020', 5_512_004), 'PO-8004'),
    air({ ...flight, departs: -50, arrives: -37, endings: [{ code: 'consignee_notified', hour: -28 }] }),
  ),
  story('air-unknown', awb('EK', numberOf.airWaybill('176', 5_512_005), 'PO-8005'), unknownYet, {
    trackingState: 'awaiting_carrier',
  }),
  story(
    'fedex-on-the-way',
    tracked('fedex', fedexNumber, 'PO-8101'),
    door({ ...parcel, pickedUp: -30, due: 29, hub: { at: 'USDAL', hour: -9 } }),
    { changedFor: 9 },
  ),
  story(
    'ups-attempted',
    tracked('ups', upsNumber, 'PO-8102'),
    door({
      ...parcel,
      pickedUp: -70,
      due: 20,
      endings: [
        { code: 'out_for_delivery', hour: -12 },
        { code: 'delivery_attempted', hour: -5 },
      ],
      open: ['delivery_attempt_failed'],
    }),
    { changedFor: 5 },
  ),
  story(
    'ups-lost',
    tracked('ups', numberOf.ups(4_400_502), 'PO-8103'),
    door({ ...parcel, pickedUp: -300, due: -180, endings: [{ code: 'lost', hour: -100 }], open: ['other'] }),
  ),
  story(
    'fedex-returned',
    tracked('fedex', numberOf.fedex(3_300_402), 'PO-8104'),
    door({ ...parcel, pickedUp: -300, due: -180, endings: [{ code: 'returned', hour: -90 }] }),
    { trackingState: 'completed' },
  ),
  story('fedex-refused', tracked('fedex', numberOf.fedex(3_300_403), 'PO-8105'), refused, { trackingState: 'failed' }),
  story('ups-fresh', tracked('ups', numberOf.ups(4_400_504), 'PO-8106'), neverRefreshed, { trackingState: 'queued' }),
  story(
    'ltl-dallas',
    pro('ODFL', '4410098812', 'PO-8201', 'BOL-DAL-7788'),
    door({ ...truck, pickedUp: -20, due: 25, hub: { at: 'USMEM', hour: -4 } }),
    { changedFor: 4 },
  ),
  story('ltl-silent', pro('SAIA', '90211204', 'PO-8202'), silenced(door({ ...truck, pickedUp: -80, due: 30 })), {
    staleFor: 30,
    trackingState: 'degraded',
  }),
  story(
    'ltl-delivered',
    pro('ODFL', '4410098813', 'PO-8203'),
    door({
      ...truck,
      pickedUp: lastWeek.from + 2,
      due: lastWeek.from + 60,
      endings: [
        { code: 'out_for_delivery', hour: lastWeek.from + 55 },
        { code: 'delivered', hour: lastWeek.from + 58 },
      ],
    }),
    { trackingState: 'completed' },
  ),
];
