import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Connector } from '#services/worker/carriers/carrier.ts';
import { dhl } from '#services/worker/carriers/dhl/dhl.ts';
import { fedex } from '#services/worker/carriers/fedex/fedex.ts';
import { gls } from '#services/worker/carriers/gls/gls.ts';
import { refusalOfNumber } from '#services/worker/carriers/refused-number.ts';
import { connectors } from '#services/worker/carriers/registry.ts';
import { ups } from '#services/worker/carriers/ups/ups.ts';
import { usps } from '#services/worker/carriers/usps/usps.ts';
import { cannedCarrier, fetchFor, parcelSubject } from './canned-carrier.ts';

const parcelCarriers = { dhl, fedex, gls, ups, usps };

async function refused(connector: Connector, status: number, body: unknown) {
  const { ctx } = cannedCarrier(() => ({ status, body }), { simulated: true });
  return await fetchFor(connector, ctx, parcelSubject('1Z12345E0205271688'));
}

const notScanned = {
  error: {
    code: '400',
    message: 'A status update is not yet available on your package.',
    errors: [{ code: '150001' }],
  },
};

describe('a number that the carrier answers with 400 or 422', () => {
  it.each(Object.entries(parcelCarriers))('is asked for again at %s while it has no data', async (_, connector) => {
    for (const status of [400, 422])
      expect(await refused(connector, status, notScanned)).toMatchObject({
        outcome: 'not_found',
        httpStatus: status,
        reason: 'carrier_not_found_yet',
      });
  });

  it.each(Object.entries(parcelCarriers))(
    'is asked for again at %s when the reason is unknown',
    async (_, connector) => {
      for (const body of ['', {}, { message: 'Bad Request' }, { errors: [{ code: '999999', message: 'Oops' }] }])
        expect(await refused(connector, 400, body)).toMatchObject({
          outcome: 'error',
          reason: 'invalid_identifier',
          permanent: false,
        });
    },
  );

  it.each(Object.entries(parcelCarriers))(
    'is asked for again at %s when only words refuse it',
    async (_, connector) => {
      for (const message of ['Invalid API key format', 'Your account number is invalid', 'trackingNumber is too long'])
        expect(await refused(connector, 400, { message })).toMatchObject({
          outcome: 'error',
          reason: 'invalid_identifier',
          permanent: false,
        });
    },
  );

  it.each([
    [ups, '151018'],
    [ups, 'TV1002'],
    [fedex, 'TRACKING.TRACKINGNUMBER.INVALID'],
  ])('is given up when the code says that its form is wrong: %#', async (connector, code) => {
    const body = { errors: [{ code, message: 'Invalid' }] };
    const given = { outcome: 'error', reason: 'invalid_identifier' };
    expect(await refused(connector, 400, body)).toMatchObject({ ...given, permanent: true });
    expect(await refused(dhl, 400, body)).toMatchObject({ ...given, permanent: false });
  });
});

describe('refusalOfNumber', () => {
  it.each([
    ['No tracking information available', 'not_yet'],
    ['The shipment could not be found', 'not_yet'],
    ['Tracking number cannot be found. Please correct the tracking number and try again.', 'not_yet'],
    ['TRACKING.TRACKINGNUMBER.NOTFOUND', 'not_yet'],
    ['{"errors":[{"code":"151044"}]}', 'not_yet'],
    ['{"errorCode":"TRACKING.DATA.NOTFOUND"}', 'not_yet'],
    ['{"message":"Sorry. trackingNumber not found"}', 'not_yet'],
    ['{"errors":[{"code":"151018","message":"Invalid tracking number"}]}', null],
    ['{"message":"No events found for this booking, it is not yet known"}', 'not_yet'],
    ['Container not found', 'not_yet'],
    ['The air waybill does not exist', 'not_yet'],
    ['TRACKING.REFERENCEVALUE.INVALID', null],
    ['equipmentReference must match "^[A-Z]{4}[0-9]{7}$"', null],
    ['Invalid date format for field fromDate', null],
    ['pageSize must have a value', null],
    ['Unexpected end of JSON input; wrong length', null],
    ['{"trace":"E_400_01"}', null],
    ['{"error":"invalid_client","error_description":"client not found"}', null],
    ['Missing required header: transId; resource not found', null],
    ['The account number was not found', null],
    ['{"code":"ACCOUNT.NOTFOUND"}', null],
    ['FORBIDDEN.NOT.FOUND', null],
    ['Bad Request', null],
    ['', null],
  ])('%s', (text, refusal) => {
    expect(refusalOfNumber(text)).toBe(refusal);
  });

  it('reads the codes of the carrier that was asked', () => {
    const text = '{"errors":[{"code":"151018","message":"Invalid tracking number"}]}';
    expect(refusalOfNumber(text, 'ups')).toBe('malformed');
    expect(refusalOfNumber(text, 'fedex')).toBeNull();
    expect(refusalOfNumber('TRACKING.TRACKINGNUMBER.TOOLONG', 'fedex')).toBe('malformed');
  });
});

describe('the documentation of permanent refusals', () => {
  const page = readFileSync('docs/reference/permanent-refusals.md', 'utf8');
  const rowOf = (connector: string) => page.split('\n').find((line) => line.startsWith(`| \`${connector}\``)) ?? '';

  it('has a row for every connector', () => {
    const missing = Object.keys(connectors).filter((name) => name !== 'test' && !page.includes(`\`${name}\``));
    expect(missing).toEqual([]);
  });

  it.each(['ups', 'fedex'] as const)('lists codes of %s that are permanent', (connector) => {
    const codes = [...rowOf(connector).matchAll(/`((?:TRACKING|TV|\d{6})[\w.]*)`/g)].map((match) => match[1] ?? '');
    expect(codes).not.toEqual([]);
    expect(codes.map((code) => refusalOfNumber(code, connector))).toEqual(codes.map(() => 'malformed'));
  });
});
