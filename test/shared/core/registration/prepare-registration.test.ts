import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRegisterShipmentBody } from '#shared/contract/registration/register-shipment-body.ts';
import { type PreparedRegistration, prepareRegistration } from '#shared/core/registration/prepare-registration.ts';
import { LandfallError } from '#shared/domain/errors.ts';

const example = { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: 'MAEU123456789' } };

/** As the API reads a body: its shape by contract, its meaning by core. */
function read(body: unknown, test = false): PreparedRegistration | LandfallError {
  return prepareRegistration({ test }, parseRegisterShipmentBody(body));
}

function preparedOf(body: unknown, test = false): PreparedRegistration {
  const prepared = read(body, test);
  if (prepared instanceof LandfallError) throw prepared;
  return prepared;
}

function refusalOf(body: unknown, test = false): LandfallError {
  const refused = read(body, test);
  if (!(refused instanceof LandfallError)) throw new Error('was accepted');
  return refused;
}

it('accepts the smallest registration', () => {
  expect(preparedOf(example)).toEqual({
    registration: {
      transportMode: 'ocean',
      carrier: 'MAEU',
      identifiers: { mbl: 'MAEU123456789' },
      serviceType: null,
      reference: null,
      references: [],
      tags: [],
      metadata: {},
      destinationPostalCode: null,
    },
    entries: [{ key: 'mbl', value: 'MAEU123456789', matchValue: '123456789' }],
    carrierName: 'Maersk',
    connector: 'maersk',
    staleAfterHours: null,
    warnings: [],
  });
});

it('accepts every field, with an alias and a carrier by name', () => {
  const body = {
    ...example,
    carrier: 'maersk',
    identifiers: { mbl_number: 'MAEU123456789', container: 'CSQU3054384' },
    service_type: null,
    reference: ' PO-7741 ',
    tags: ['acme', 'acme '],
    metadata: { buyer: 'x' },
    destination_postal_code: '10115',
  };
  const { registration, warnings } = preparedOf(body);
  expect(registration).toMatchObject({
    carrier: 'MAEU',
    reference: 'PO-7741',
    tags: ['acme'],
    metadata: { buyer: 'x' },
    destinationPostalCode: '10115',
  });
  expect(warnings).toMatchObject([{ code: 'check_digit_mismatch' }]);
});

it('refuses more references than a shipment may have, `reference` included', () => {
  const references = Array.from({ length: 50 }, (_, n) => `PO-${n}`);
  expect(preparedOf({ ...example, reference: 'PO-0', references }).registration.references).toHaveLength(50);
  expect(refusalOf({ ...example, reference: 'FIRST', references }).mistakes).toMatchObject([
    { pointer: '/references', code: 'too_long' },
  ]);
});

it('names every mistake at once, in shape and meaning', () => {
  const error = refusalOf({
    transport_mode: 'ocean',
    carrier: 'MEAU',
    identifiers: { mbl: 'no good!', contaner: 'X', awb: '020-08002050' },
    referense: 'x',
    tags: ['ok', 5, ''],
    metadata: { a: 1 },
    service_type: 'express',
    reference: 'a\u0000b',
  });
  expect(error.code).toBe('validation_failed');
  expect(error.mistakes.map(({ pointer, code }) => `${pointer} ${code}`).sort()).toEqual([
    '/carrier carrier_not_supported',
    '/identifiers/awb identifier_mode_mismatch',
    '/identifiers/contaner unknown_field',
    '/identifiers/mbl invalid_format',
    '/metadata/a wrong_type',
    '/reference invalid_text',
    '/referense unknown_field',
    '/service_type invalid_value',
    '/tags/1 wrong_type',
    '/tags/2 too_short',
  ]);
  expect(error.mistakes.find((mistake) => mistake.pointer === '/referense')?.detail).toContain(
    'Did you mean reference?',
  );
});

it('names every required field for an empty body', () => {
  const error = refusalOf({});
  expect(error.code).toBe('validation_failed');
  expect(error.mistakes.map(({ pointer, code }) => [pointer, code])).toEqual([
    ['/transport_mode', 'required'],
    ['/carrier', 'required'],
    ['/identifiers', 'required'],
  ]);
});

it.each([null, undefined, [], 'text', 5])('refuses %j as a registration', (body) => {
  expect(refusalOf(body)).toMatchObject({
    code: 'validation_failed',
    mistakes: [{ pointer: '', code: body === undefined ? 'required' : 'wrong_type' }],
  });
});

describe('the code of the refusal', () => {
  it.each([
    ['unknown_field', { ...example, colour: 'red' }],
    ['unknown_field', { ...example, identifiers: { mbl: 'MAEU123456789', mbll: 'X' } }],
    ['validation_failed', { ...example, transport_mode: 'sea' }],
    ['validation_failed', { ...example, identifiers: {} }],
    ['validation_failed', { ...example, service_type: 'ltl' }],
    ['carrier_not_supported', { ...example, carrier: 'XXXX' }],
    ['carrier_not_supported', { ...example, carrier: 'OOLU' }],
    ['carrier_not_supported', { transport_mode: 'air', carrier: 'MAEU', identifiers: { awb: '020-08002050' } }],
    ['carrier_not_supported', { transport_mode: 'rail', carrier: 'BNSF', identifiers: { railcar: 'BNSF 1' } }],
    ['identifier_mode_mismatch', { ...example, identifiers: { awb: '020-08002050' } }],
    ['identifier_not_trackable', { ...example, identifiers: { hbl: 'HOUSE1' } }],
  ])('%s', (code, body) => {
    expect(refusalOf(body).code).toBe(code);
  });

  it('lists the modes for an unknown one', () => {
    expect(refusalOf({ ...example, transport_mode: 'sea' }).mistakes).toMatchObject([
      { pointer: '/transport_mode', detail: 'transport_mode must be one of ocean, air, road, rail, parcel.' },
    ]);
  });

  it('suggests the nearest carrier for a misspelled one', () => {
    expect(refusalOf({ ...example, carrier: 'mearsk' }).message).toBe(
      'Unknown carrier: mearsk. Did you mean MAEU (Maersk)?',
    );
  });
});

describe('limits', () => {
  it.each([
    ['/tags', { tags: Array.from({ length: 21 }, (_, index) => `t${index}`) }],
    ['/tags/0', { tags: ['x'.repeat(65)] }],
    ['/metadata', { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`k${index}`, 'v'])) }],
    ['/metadata', { metadata: { k: 'ü'.repeat(2050) } }],
    ['/metadata', { metadata: { k: '\ud800' } }],
    ['/reference', { reference: 'x'.repeat(256) }],
  ])('%s', (pointer, part) => {
    expect(refusalOf({ ...example, ...part }).mistakes.map((mistake) => mistake.pointer)).toEqual([pointer]);
  });

  it('accepts 20 tags of 64 characters and 20 keys', () => {
    const tags = Array.from({ length: 20 }, (_, index) => String(index).padEnd(64, 'x'));
    const metadata = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, 'v']));
    expect(preparedOf({ ...example, tags, metadata }).registration).toMatchObject({
      tags,
      metadata,
    });
  });
});

it('lets a test key use any known carrier and TEST numbers', () => {
  const body = { transport_mode: 'rail', carrier: 'BNSF', identifiers: { railcar: 'TEST-DELIVERED' } };
  expect(preparedOf(body, true).registration.identifiers).toEqual({
    railcar: 'TEST-DELIVERED',
  });
  expect(refusalOf({ ...body, carrier: 'QQQQ' }, true).code).toBe('carrier_not_supported');
});

it('names at least one mistake for any malformed body', () => {
  const field = fc.constantFrom(
    'transport_mode',
    'carrier',
    'identifiers',
    'tags',
    'metadata',
    'service_type',
    'other',
  );
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.dictionary(field, fc.anything())), (body) => {
      expect(refusalOf(body).mistakes.length).toBeGreaterThan(0);
    }),
  );
});
