import type { EventCode } from '#shared/domain/events/event.ts';
import type { StatusDetail } from '#shared/domain/events/status-details.ts';
import { wordedDetail } from '../reading/worded-detail.ts';
import type { UpsStatus } from './ups-codes.ts';

/** UPS's published "Status/Description Codes", as far as they state a detail. The mapping is ours. */
const numbers: { [detail in StatusDetail]?: readonly number[] } = {
  weather: [32, 51, 52, 53],
  held_at_request: [18, 19, 20, 102, 103, 104, 105, 106, 107, 108, 109],
  redirected: [27, 28, 57, 96, 97, 100, 101],
  rescheduled: [55, 115, 116, 136],
  returned_at_request: [33, 118, 119],
  address_incomplete: [50],
  customs_documents_needed: [58, 124, 125, 141],
  damaged: [59, 81],
  signature_needed: [61],
  payment_due: [62, 85],
  refused: [64],
  security_check: [132],
  no_access: [139],
  destroyed: [149],
  awaiting_collection_at_pickup_point: [17, 40, 144, 161],
};

/** UPS's published "Delivery Codes", which come in a delivered activity's `status.code`. */
const deliveryCodes: { [detail in StatusDetail]?: readonly string[] } = {
  delivered_to_neighbour: ['3H'],
  delivered_to_locker: ['P5'],
  delivered_to_pickup_point: ['ZI'],
  delivered_to_addressee: ['3G', 'M7', 'MG', 'MH', 'MJ', 'MK'],
  left_with_reception: ['8O', 'M3', 'M4', 'M5', 'M8', 'M9', 'ME', 'OZ', 'ZG', 'ZH'],
  left_at_door: ['ML', 'MM', 'MN', 'MQ', 'MR', 'MS'],
  left_in_safe_place: ['MP', 'MW', 'MX', 'NL', 'NT', 'ZF'],
  left_in_mailbox: ['MU'],
};

const detailOfNumber = inverted(numbers);
const detailOfDeliveryCode = inverted(deliveryCodes);

function inverted<Key>(table: { [detail in StatusDetail]?: readonly Key[] }): ReadonlyMap<Key, StatusDetail> {
  return new Map(
    Object.entries(table).flatMap(([detail, keys]) => keys.map((key) => [key, detail as StatusDetail] as const)),
  );
}

/**
 * The detail of an activity with this meaning. `location`: where UPS says that the delivered package was left. Words
 * that name a locker count before the number, which is the same for shops and lockers.
 */
export function detailOfUps(code: EventCode, status: UpsStatus, location: string | null): StatusDetail | undefined {
  const words = status.description ?? '';
  if (code === 'delivered') {
    const coded = detailOfDeliveryCode.get(status.code?.toUpperCase() ?? '');
    return coded ?? wordedDetail(code, location ?? '') ?? wordedDetail(code, words);
  }
  const number = /^\d{1,4}$/.test(status.statusCode ?? '') ? Number(status.statusCode) : null;
  const numbered = number === null ? undefined : detailOfNumber.get(number);
  const worded = wordedDetail(code, words);
  if (code === 'available_for_pickup') return worded ?? numbered;
  return numbered ?? worded;
}
