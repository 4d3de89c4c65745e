import { describe, expect, it } from 'vitest';
import type { Connector } from '#services/worker/carriers/carrier.ts';
import { dhl } from '#services/worker/carriers/dhl/dhl.ts';
import { fedex } from '#services/worker/carriers/fedex/fedex.ts';
import { gls } from '#services/worker/carriers/gls/gls.ts';
import { refusalOfNumber } from '#services/worker/carriers/refused-number.ts';
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

  it.each(Object.entries(parcelCarriers))('is given up at %s when its form is wrong', async (_, connector) => {
    for (const message of ['Invalid tracking number format', 'trackingNumber is too long'])
      expect(await refused(connector, 400, { message })).toMatchObject({
        outcome: 'error',
        reason: 'invalid_identifier',
        permanent: true,
      });
  });
});

describe('refusalOfNumber', () => {
  it.each([
    ['No tracking information available', 'not_yet'],
    ['The shipment could not be found', 'not_yet'],
    ['Tracking number cannot be found. Please correct the tracking number and try again.', 'not_yet'],
    ['TRACKING.TRACKINGNUMBER.NOTFOUND', 'not_yet'],
    ['{"errors":[{"code":"151044"}]}', 'not_yet'],
    ['{"errors":[{"code":"151018","message":"Invalid tracking number"}]}', 'malformed'],
    ['TRACKING.TRACKINGNUMBER.INVALID', 'malformed'],
    ['TRACKING.REFERENCEVALUE.INVALID', null],
    ['equipmentReference must match "^[A-Z]{4}[0-9]{7}$"', 'malformed'],
    ['Wrong check digit', 'malformed'],
    ['Bad Request', null],
    ['', null],
  ])('%s', (text, refusal) => {
    expect(refusalOfNumber(text)).toBe(refusal);
  });
});
