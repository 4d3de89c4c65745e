import type { Status } from '#shared/domain/shipments/shipment.ts';

/** The word of each status, as people read it. */
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

/** The word of whatever the API says, also of what it learns to say later: `some_code` reads `Some code`. */
export function wordOf(code: string): string {
  const known = (statusWords as Record<string, string>)[code];
  if (known !== undefined) return known;
  const words = code.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
