import { expect, it } from 'vitest';
import { transportModes } from '#shared/domain/events/transport-mode.ts';
import { identifierRules } from '#shared/domain/registration/identifier-rules.ts';
import { identifierKeyOf, ownNameOf } from '#shared/domain/registration/peer-names.ts';

const body = ['transport_mode', 'carrier', 'identifiers', 'reference', 'tags', 'metadata'];
const query = ['carrier', 'container', 'mbl', 'bol', 'awb', 'identifier', 'reference', 'tag', 'q', 'limit', 'cursor'];

it.each([
  ['container_number', 'ocean', 'identifiers.container'],
  ['containerNumber', null, 'identifiers.container'],
  ['bill_of_lading', 'ocean', 'identifiers.mbl'],
  ['bill_of_lading_number', 'road', 'identifiers.bol'],
  ['mbl', 'air', 'identifiers.awb'],
  ['awb', 'parcel', 'identifiers.tracking_number'],
  ['tracking_number', 'road', 'identifiers.pro'],
  ['scac', 'ocean', 'carrier'],
  ['carrier_code', null, 'carrier'],
  ['slug', 'parcel', 'carrier'],
  ['mode', null, 'transport_mode'],
  ['transportMode', null, 'transport_mode'],
  ['labels', null, 'tags'],
  ['custom_fields', null, 'metadata'],
  ['colour', null, null],
  ['__proto__', null, null],
] as const)('in a body, %s (%s) stands for %s', (name, mode, own) => {
  expect(ownNameOf(name, body, mode)).toBe(own);
});

it.each([
  ['container_number', 'container'],
  ['scac', 'carrier'],
  ['mbl_number', 'mbl'],
  ['waybill', 'identifier'],
  ['per_page', 'limit'],
  ['page', 'cursor'],
  ['search', 'q'],
  ['label', 'tag'],
])('in a query, %s stands for %s', (name, own) => {
  expect(ownNameOf(name, query, null)).toBe(own);
});

it('names only identifiers that the mode has', () => {
  const names = [
    'bol',
    'mbl',
    'awb',
    'container',
    'tracking_number',
    'waybill',
    'equipment',
    'pro',
    'hawb',
    'nonsense',
  ];
  for (const mode of transportModes)
    for (const name of names) {
      const key = identifierKeyOf(name, mode);
      if (key !== null) expect(Object.keys(identifierRules[mode])).toContain(key);
    }
});
