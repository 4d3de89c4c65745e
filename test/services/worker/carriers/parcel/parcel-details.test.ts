import { describe, expect, it } from 'vitest';
import type { Connector } from '#services/worker/carriers/carrier.ts';
import { dhl } from '#services/worker/carriers/dhl/dhl.ts';
import { fedex } from '#services/worker/carriers/fedex/fedex.ts';
import { wordedDetail } from '#services/worker/carriers/reading/worded-detail.ts';
import { ups } from '#services/worker/carriers/ups/ups.ts';
import type { StatusDetail } from '#shared/domain/events/status-details.ts';
import { readThrough } from '../fields/read-fixtures.ts';

type Fields = Record<string, unknown>;
type Detail = StatusDetail | null;

async function detailOf(connector: Connector, number: string, response: Fields): Promise<Detail> {
  const { events } = await readThrough(connector, number)(response);
  expect(events).toHaveLength(1);
  return events[0]?.details?.statusDetail ?? null;
}

describe('status detail of UPS', () => {
  const number = '1Z5R89390357567127';
  const read = (status: Fields, parcel: Fields = {}) =>
    detailOf(ups, number, {
      trackResponse: {
        shipment: [{ package: [{ trackingNumber: number, activity: [{ date: '20260210', status }], ...parcel }] }],
      },
    });

  it.each<[string, Detail]>([
    ['005', null],
    ['013', null],
    ['017', 'awaiting_collection_at_pickup_point'],
    ['018', 'held_at_request'],
    ['019', 'held_at_request'],
    ['027', 'redirected'],
    ['028', 'redirected'],
    ['032', 'weather'],
    ['033', 'returned_at_request'],
    ['040', 'awaiting_collection_at_pickup_point'],
    ['046', null],
    ['050', 'address_incomplete'],
    ['052', 'weather'],
    ['055', 'rescheduled'],
    ['058', 'customs_documents_needed'],
    ['059', 'damaged'],
    ['061', 'signature_needed'],
    ['062', 'payment_due'],
    ['064', 'refused'],
    ['085', 'payment_due'],
    ['132', 'security_check'],
    ['139', 'no_access'],
    ['144', 'awaiting_collection_at_pickup_point'],
    ['149', 'destroyed'],
    ['161', 'awaiting_collection_at_pickup_point'],
  ])('number %s is %s', async (statusCode, detail) => {
    expect(await read({ type: 'X', statusCode })).toBe(detail);
  });

  // Texts of UPS's "Package Exceptions" and "Delivery Codes".
  it.each<[string, Detail]>([
    ['Your delivery will be rescheduled.', 'rescheduled'],
    ["We've missed the scheduled transfer time. This may cause a delay.", 'missed_connection'],
    ["We've misrouted the package. This may cause a delay.", 'misrouted'],
    ['Due to operating conditions, your package may be delayed.', 'carrier_delay'],
    ["A mechanical failure has delayed delivery. We're adjusting plans.", 'vehicle_breakdown'],
    ['A late flight has caused a delay. We will update the delivery date as soon as possible.', 'carrier_delay'],
    ['Merchandise missing, balance is being delivered. UPS will notify the sender.', 'missing_pieces'],
    ['Your package was damaged in transit. We will notify the sender with details.', 'damaged'],
    [
      'UPS initiated contact with the sender to obtain clearance information. Once received, UPS will submit for clearance.',
      'customs_documents_needed',
    ],
    [
      "The receiver was not available for delivery. We'll make a second attempt the next business day.",
      'addressee_absent',
    ],
    ['We tried to deliver the package, but were unable to receive payment.', 'payment_due'],
    ["The receiving business was closed. We'll attempt to deliver the package.", 'business_closed'],
    ['The package contains articles that UPS prohibits for international shipping.', 'prohibited_goods'],
    ['Import charges are due for this package. Select Pay Now or pay at delivery.', 'payment_due'],
    ['Import C.O.D. (ICOD) charges have been paid or billed.', null],
    ['Per government agency instruction, UPS has destroyed the package.', 'destroyed'],
    ['We are trying to get the security access our driver needs for this delivery.', 'no_access'],
    ['Not Delivered - Incorrect Address', 'address_incomplete'],
    ['Receiver Refused Package', 'refused'],
    ['Not Delivered - Room Number Needed', 'address_incomplete'],
    ['Delay - Local Weather', 'weather'],
    ['Package Missed Scheduled Connection', 'missed_connection'],
    ['Closed early.', 'business_closed'],
    ['Not in.', 'addressee_absent'],
    ['No money.', 'payment_due'],
    [
      'We were unable to deliver your package. It’s on the way to a secure UPS Access Point™ location for pick up.',
      'redirected',
    ],
    [
      'Recipient did not collect the package; UPS Access Point™ returned package to inventory.',
      'collection_period_expired',
    ],
    ['The post office was unable to deliver the UPS SurePost® package as addressed.', 'address_incomplete'],
    ['Please contact UPS for additional information.', null],
  ])('"%s" is %s', async (description, detail) => {
    expect(await read({ type: 'X', description })).toBe(detail);
  });

  it.each<[string, Detail]>([
    ['3H', 'delivered_to_neighbour'],
    ['P5', 'delivered_to_locker'],
    ['M4', 'left_with_reception'],
    ['ML', 'left_at_door'],
    ['MU', 'left_in_mailbox'],
    ['MP', 'left_in_safe_place'],
    ['MG', 'delivered_to_addressee'],
    ['ZI', 'delivered_to_pickup_point'],
    ['M2', null],
  ])('the delivery code %s is %s', async (code, detail) => {
    expect(await read({ type: 'D', statusCode: '011', code, description: 'DELIVERED' })).toBe(detail);
  });

  it.each<[string, Detail]>([
    ['Front Door', 'left_at_door'],
    ['Porch', 'left_at_door'],
    ['Garage', 'left_in_safe_place'],
    ['Mailbox', 'left_in_mailbox'],
    ['Mail Room', 'left_with_reception'],
    ['Front Desk', 'left_with_reception'],
    ['Concierge', 'left_with_reception'],
    ['Locker', 'delivered_to_locker'],
    ['Neighbor - By Request', 'delivered_to_neighbour'],
    ['Met Customer', 'delivered_to_addressee'],
    ['Receiver', 'delivered_to_addressee'],
    ['Dock', null],
    ['Residential', null],
  ])('a package left at "%s" is %s', async (location, detail) => {
    expect(await read({ type: 'D', statusCode: '011' }, { deliveryInformation: { location } })).toBe(detail);
  });

  it('names the locker if the words do, for any number', async () => {
    expect(await read({ type: 'I', statusCode: '161', description: 'Ready in the locker' })).toBe(
      'awaiting_collection_at_locker',
    );
  });
});

describe('status detail of FedEx', () => {
  const number = '794643569140';
  const read = (scan: Fields, result: Fields = {}) =>
    detailOf(fedex, number, {
      output: {
        completeTrackResults: [
          {
            trackingNumber: number,
            trackResults: [
              {
                trackingNumberInfo: { trackingNumber: number },
                scanEvents: [{ date: '2026-02-02T12:01:00-07:00', ...scan }],
                ...result,
              },
            ],
          },
        ],
      },
    });

  // Texts of published example responses.
  it.each<[string, string, Detail]>([
    ['DE', 'Customer not available or business closed', 'addressee_absent'],
    ['DE', 'Delivery was refused by the recipient.', 'refused'],
    ['DE', 'A request was made to change this delivery date.', 'rescheduled'],
    ['DE', 'Local delivery restriction, delivery not attempted', 'no_access'],
    ['DE', 'Incorrect address', 'address_incomplete'],
    ['DE', 'FedEx redirected your package to a nearby FedEx location', 'redirected'],
    ['DE', 'Damaged - delivery not completed', 'damaged'],
    ['DY', 'Delay', 'carrier_delay'],
    ['CD', 'Clearance delay', null],
    ['HL', 'Hold at location', 'awaiting_collection_at_pickup_point'],
    ['RS', 'Return to shipper', null],
    ['RS', 'Refused by recipient', 'returned_refused'],
    ['DL', 'Left at front door. Signature Service not requested.', 'left_at_door'],
    ['DL', 'Package delivered to recipient address - release authorized', null],
    ['OD', 'Delivery was refused by the recipient', null],
  ])('%s "%s" is %s', async (eventType, exceptionDescription, detail) => {
    expect(await read({ eventType, exceptionDescription })).toBe(detail);
  });

  it.each<[string, Detail]>([
    ['RECEPTIONIST_OR_FRONT_DESK', 'left_with_reception'],
    ['SHIPPING_RECEIVING', null],
    ['MAILROOM', 'left_with_reception'],
    ['RESIDENCE', null],
    ['GUARD_OR_SECURITY_STATION', 'left_with_reception'],
    ['GATE_HOUSE', 'left_with_reception'],
    ['LEASING_OFFICE', 'left_with_reception'],
    ['APARTMENT_OFFICE', 'left_with_reception'],
    ['OTHER', null],
  ])('a delivery at %s is %s', async (locationType, detail) => {
    expect(await read({ eventType: 'DL' }, { deliveryDetails: { locationType } })).toBe(detail);
  });

  it.each<[Fields, Detail]>([
    [{ type: 'WEATHER', status: 'DELAYED' }, 'weather'],
    [{ type: 'OPERATIONAL', status: 'DELAYED' }, 'carrier_delay'],
    [{ type: 'CLEARANCE', status: 'DELAYED' }, null],
    [{ type: 'WEATHER', status: 'ON_TIME' }, null],
  ])('the delay %j is %s', async (delayDetail, detail) => {
    expect(await read({ eventType: 'AR', delayDetail })).toBe(detail);
    expect(await read({ eventType: 'AR' }, { latestStatusDetail: { code: 'AR', delayDetail } })).toBe(detail);
    expect(await read({ eventType: 'AR' }, { latestStatusDetail: { code: 'IT', delayDetail } })).toBeNull();
    expect(await read({ eventType: 'DL', delayDetail })).toBeNull();
  });
});

describe('status detail of DHL', () => {
  const read = (event: Fields, shipment: Fields = {}) =>
    detailOf(dhl, '7777777770', {
      shipments: [{ id: '7777777770', events: [{ timestamp: '2026-03-02T07:53:47+01:00', ...event }], ...shipment }],
    });

  it.each<[string, string, Detail]>([
    ['failure', 'NOT_HOME', 'addressee_absent'],
    ['failure', 'STORAGE_PERIOD_ENDED_AT_PARCELSHOP', 'collection_period_expired'],
    ['failure', 'Recipient refused the shipment', 'refused'],
    ['failure', 'Shipment damaged', 'damaged'],
    ['failure', 'Shipment is on hold at customs', null],
    ['failure', 'Delivery not possible: incomplete address', 'address_incomplete'],
    ['transit', 'DELIVERED_AT_PARCELSHOP', 'awaiting_collection_at_pickup_point'],
    ['transit', 'Ready for collection at the Packstation', 'awaiting_collection_at_locker'],
    ['transit', 'Delay due to weather', 'weather'],
    ['transit', 'The shipment is being returned to the sender, not collected by the recipient', 'returned_unclaimed'],
    ['transit', 'Departed Facility in LEIPZIG', null],
    ['unknown', 'INTERVENTION_DELIVERY_ADDRESS_CHANGED_INTO_PARCELSHOP', 'redirected'],
    ['delivered', 'The shipment has been successfully delivered', null],
    ['delivered', 'Delivered to a neighbour', 'delivered_to_neighbour'],
    ['delivered', 'The recipient has collected the shipment from the Packstation', 'delivered_to_addressee'],
    ['delivered', 'Delivered to the locker, to be collected by the recipient', 'awaiting_collection_at_locker'],
    ['delivered', 'Collected from automated site', 'delivered_to_addressee'],
  ])('%s "%s" is %s', async (statusCode, status, detail) => {
    expect(await read({ statusCode, status })).toBe(detail);
  });

  it.each([
    ['PO', 'out_for_delivery'],
    ['ZN', 'delivery_attempted'],
    ['ZF', 'available_for_pickup'],
    ['LA', 'in_transit'],
  ])('the code %s of DHL Paket is %s, and means nothing in other divisions', async (status, code) => {
    const events = [{ timestamp: '2026-03-02T07:53:47', statusCode: 'transit', status, description: 'Text' }];
    const codes = async (service: string) => {
      const read = await readThrough(dhl, '1')({ shipments: [{ id: '1', service, events }] });
      return read.events.map((event) => event.code);
    };
    expect(await codes('parcel-de')).toEqual([code]);
    expect(await codes('express')).toEqual(['in_transit']);
  });
});

describe('wordedDetail', () => {
  it('returns no detail for a step whose words belong to an earlier problem', () => {
    expect(wordedDetail('out_for_delivery', 'The receiver was not available')).toBeUndefined();
    expect(wordedDetail('exception', 'The receiver was not available')).toBe('addressee_absent');
  });

  it('reads no more than the first 2,000 characters', () => {
    expect(wordedDetail('exception', `${'x '.repeat(990)}refused`)).toBe('refused');
    expect(wordedDetail('exception', `${'x '.repeat(32_000)}refused`)).toBeUndefined();
  });
});
