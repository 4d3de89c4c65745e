import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSignature } from '#shared/domain/carrier-subscriptions/carrier-subscription.ts';
import { type DeliveryCandidate, isAbout, soughtValues } from '#shared/domain/carrier-subscriptions/match-delivery.ts';
import {
  callbackUrlOf,
  readSubscriptionName,
  subscriptionName,
} from '#shared/domain/carrier-subscriptions/subscription-address.ts';
import { runs } from '#test/support/run-scale.ts';

const nobody = { bookings: [], bills: [], containers: [] };
const shipment = (changes: Partial<DeliveryCandidate>): DeliveryCandidate => ({
  shipmentId: 'x',
  carrier: 'MSCU',
  closed: false,
  bills: [],
  bookings: [],
  containers: [],
  ...changes,
});

describe('an event is about a shipment', () => {
  const both = shipment({ bills: ['70000013'], bookings: ['EBKG1'], containers: ['MSCU1234567'] });
  it.each([
    { named: { bills: ['MEDU70000013'] }, candidate: both, expected: true },
    { named: { bills: ['medu 70000013'] }, candidate: both, expected: true },
    { named: { bills: ['70000013'], bookings: ['OTHER'] }, candidate: both, expected: true },
    { named: { bills: ['HLCU70000013'] }, candidate: both, expected: false },
    { named: { bills: ['70000014'], bookings: ['EBKG1'] }, candidate: both, expected: false },
    { named: { bookings: ['ebkg-1'] }, candidate: both, expected: true },
    { named: { bills: ['70000014'], containers: ['MSCU1234567'] }, candidate: both, expected: false },
    { named: { containers: ['MSCU 123456-7'] }, candidate: both, expected: true },
    { named: { containers: ['MSCU1234567'] }, candidate: { ...both, closed: true }, expected: false },
    {
      named: { bills: ['70000014'], containers: ['MSCU1234567'] },
      candidate: shipment({ containers: ['MSCU1234567'] }),
      expected: true,
    },
    {
      named: { bookings: ['EBKG1'], containers: ['MSCU1234567'] },
      candidate: shipment({ bills: ['7'], containers: ['MSCU1234567'] }),
      expected: false,
    },
    { named: {}, candidate: both, expected: false },
  ])('$named $expected', ({ named, candidate, expected }) => {
    expect(isAbout({ ...nobody, ...named }, candidate)).toBe(expected);
  });

  it('matches one of the searched values whenever it matches', () => {
    const number = fc.stringMatching(/^[A-Z0-9]{6,10}$/);
    const prefix = fc.constantFrom('', 'MEDU', 'MSCU', 'medu ');
    fc.assert(
      fc.property(number, prefix, (bare, put) => {
        const named = { ...nobody, bills: [`${put}${bare}`] };
        const stored = shipment({ bills: [bare] });
        expect(!isAbout(named, stored) || soughtValues([named]).includes(bare)).toBe(true);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('a signature header', () => {
  it('consists of the algorithm and 64 hex digits', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.boolean(), (bytes, upper) => {
        const hex = Buffer.from(bytes).toString('hex');
        expect(readSignature(` sha256=${upper ? hex.toUpperCase() : hex}`)).toEqual(new Uint8Array(bytes));
      }),
      { numRuns: runs(100) },
    );
    for (const other of [
      undefined,
      '',
      'sha256=',
      `sha1=${'0'.repeat(40)}`,
      '0'.repeat(64),
      `sha256=${'g'.repeat(64)}`,
      `sha256=${'0'.repeat(63)}`,
    ]) {
      expect(readSignature(other)).toBeNull();
    }
  });
});

it('names the subscription in the callback URL', () => {
  const subscription = {
    connector: 'dcsa',
    id: '019a8f1c-3d42-7abc-8def-0123456789ab',
    token: '0123456789abcdef0123456789abcdef',
  };
  expect(readSubscriptionName(subscriptionName(subscription))).toEqual({
    id: subscription.id,
    token: subscription.token,
  });
  expect(callbackUrlOf('https://x.test/base/', subscription)).toBe(
    `https://x.test/base/hooks/dcsa/${subscriptionName(subscription)}`,
  );
  for (const name of ['', 'sub_', subscriptionName(subscription).toUpperCase(), `${subscriptionName(subscription)}0`]) {
    expect(readSubscriptionName(name)).toBeNull();
  }
});
