import {
  awbCheckDigit,
  fedexCheckDigit,
  iso6346CheckDigit,
  upsCheckDigit,
} from '#shared/domain/registration/check-digits.ts';

/** Realistic numbers with valid check digits; `n` makes them distinct. */
export const numberOf = {
  container: (prefix: string, n: number) => withDigit(`${prefix}${String(n).padStart(6, '0')}`, iso6346CheckDigit),
  airWaybill: (prefix: string, n: number) =>
    withDigit(`${prefix}${String(n).padStart(7, '0')}`, awbCheckDigit).replace(/^(\d{3})/, '$1-'),
  ups: (n: number) => withDigit(`1Z999AA101${String(n).padStart(7, '0')}`, upsCheckDigit),
  fedex: (n: number) => withDigit(`7712${String(n).padStart(7, '0')}`, (body) => fedexCheckDigit(`${body}0`)),
};

function withDigit(body: string, checkDigit: (body: string) => string | null): string {
  const digit = checkDigit(body);
  if (digit === null) throw new Error(`no check digit exists for ${body}`);
  return body + digit;
}
