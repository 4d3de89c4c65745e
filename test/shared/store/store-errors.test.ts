import { expect, it } from 'vitest';
import { unavailabilityOf } from '#shared/store/store-errors.ts';

const errorOf = (code: string) => Object.assign(new Error('from PostgreSQL'), { code });

it.each([
  '53000',
  '53200',
  '53300',
  '53400',
  '58030',
  '57P03',
  '57P04',
  '57P05',
  '25006',
  'ECONNREFUSED',
  'ENETUNREACH',
  'CERT_HAS_EXPIRED',
  'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED',
])('asks clients to retry after %s', (code) => {
  const cause = errorOf(code);
  expect(unavailabilityOf(cause)).toMatchObject({ code: 'unavailable', retryAfterS: 2, cause });
});

it('reports to clients that the storage is full', () => {
  expect(unavailabilityOf(errorOf('53100'))).toMatchObject({ code: 'storage_full', retryAfterS: 30 });
});

it.each(['23505', '42P01', '22001'])('leaves the error %s to its caller', (code) => {
  expect(unavailabilityOf(errorOf(code))).toBeNull();
});
