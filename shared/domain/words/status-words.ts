import type { Status } from '../record/shipment.ts';

/** Each status as people read it, in the dashboard and in messages. */
export const statusWords: Record<Status, string> = {
  pending: 'Pending',
  booked: 'Booked',
  in_transit: 'In transit',
  arrived: 'Arrived',
  available_for_pickup: 'Available',
  out_for_delivery: 'Out for delivery',
  delivered: 'Delivered',
  returned: 'Returned',
  failed: 'Failed',
  cancelled: 'Cancelled',
};
