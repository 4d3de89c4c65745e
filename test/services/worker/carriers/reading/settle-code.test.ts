import { describe, expect, it } from 'vitest';
import { codeOfDhl } from '#services/worker/carriers/dhl/dhl-codes.ts';
import { settleCode } from '#services/worker/carriers/reading/status-words/settle-code.ts';

describe('the code of a delivery', () => {
  it.each([
    'has been delivered and is available at a PO Box',
    'Delivered after delivery attempt',
    'Zustellversuch. Zugestellt an Nachbar',
    'Delivered to customer, available at reception',
    'Delivered. Signed for by: RTO',
    'Delivered; return receipt sent to shipper',
    'Delivered. Refused items returned to shipper',
  ])('stays with "%s"', (words) => {
    expect(settleCode('delivered', words).code).toBe('delivered');
    expect(codeOfDhl('delivered', { status: 'delivered', description: words }).code).toBe('delivered');
  });

  it.each([
    ['Delivered to access point', 'available_for_pickup'],
    ['Delivery attempted, delivered to parcel shop', 'delivery_attempted'],
    ['Delivered to locker, awaiting collection', 'available_for_pickup'],
    ['Not delivered', 'delivery_attempted'],
    ['Will be delivered', 'other'],
    ['Return to sender', 'return_started'],
  ])('is taken back by "%s"', (words, code) => {
    expect(settleCode('delivered', words).code).toBe(code);
  });
});
