import { expect, it } from 'vitest';
import { defaultLimits, limitsOf, signInNetwork } from '#shared/domain/keys/limits.ts';

it('overrides only the limits that an account names', () => {
  expect(limitsOf({})).toEqual(defaultLimits);
  expect(limitsOf({ batch: 5 })).toEqual({ ...defaultLimits, batch: 5 });
});

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['2001:db8:1::', '2001:db8:1:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('counts failed sign-ins of %s for %s', (address, network) => {
  expect(signInNetwork(address)).toBe(network);
});
