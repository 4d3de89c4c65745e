import type { StatusDetail } from '#shared/domain/events/status-details.ts';
import { wordOf } from './code-words.ts';

/** Words for the reason of a status or the kind of handover. Each works alone and after a name or a number. */
const details: Record<StatusDetail, string> = {
  delivered_to_addressee: 'Handed to the addressee',
  delivered_to_neighbour: 'Handed to a neighbour',
  delivered_to_locker: 'Delivered to a parcel locker',
  delivered_to_pickup_point: 'Delivered to a pickup point',
  left_at_door: 'Left at the door',
  left_in_safe_place: 'Left in a safe place',
  left_in_mailbox: 'Left in the mailbox',
  left_with_reception: 'Left with reception',
  awaiting_collection_at_locker: 'In a locker, to be collected',
  awaiting_collection_at_pickup_point: 'At a pickup point, to be collected',
  collection_period_expired: 'Not collected in time',
  refused: 'Refused by the addressee',
  addressee_absent: 'Nobody was there to receive it',
  business_closed: 'The business was closed',
  no_access: 'The driver had no access',
  address_incomplete: 'The address is incomplete',
  addressee_unknown: 'The addressee is unknown at this address',
  addressee_moved: 'The addressee has moved',
  appointment_needed: 'A delivery appointment is needed',
  rescheduled: 'Delivery was rescheduled',
  redirected: 'Redirected to another address',
  held_at_request: 'Held at the customer’s request',
  signature_needed: 'A signature is needed',
  customs_documents_needed: 'Customs needs more documents',
  payment_due: 'A payment is due',
  prohibited_goods: 'Contains prohibited goods',
  damaged: 'Damaged',
  lost: 'Lost',
  destroyed: 'Destroyed',
  misrouted: 'Misrouted',
  missing_pieces: 'Some pieces are missing',
  offloaded: 'Offloaded from its flight',
  overcarried: 'Carried past its destination',
  short_shipped: 'Some pieces were left behind',
  missed_connection: 'Missed its connection',
  weather: 'Delayed by the weather',
  strike: 'Delayed by a strike',
  vehicle_breakdown: 'Delayed by a vehicle breakdown',
  security_check: 'Held for a security check',
  carrier_delay: 'Delayed by the carrier',
  returned_unclaimed: 'Returned because it was not collected',
  returned_refused: 'Returned because it was refused',
  returned_at_request: 'Returned at the customer’s request',
};

/** A status detail as words, also one that this release does not know. */
export function detailWords(detail: string): string {
  return (details as Record<string, string>)[detail] ?? wordOf(detail);
}
