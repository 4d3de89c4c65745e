import { fedexCheckDigit, uspsCheckDigit, weightedMod10 } from './check-digits.ts';

/**
 * USPS puts the routing code, 420 and the ZIP code of the consignee, before the number (Publication 199, IMpb). The
 * number begins with 91 to 95 and has 22 digits.
 */
const uspsBarcode = /^420\d{5}(?:\d{4})?(9[1-5]\d{20})$/;

/**
 * FedEx prints 34 digits that begin with 1 or 96, of which the last 12 are the number, behind two zeros.
 * Other digits in their place belong to a longer field (jkeen/tracking_number_data, fedex.json).
 */
const fedexBarcode = /^(?:1\d|96)\d{18}00(\d{12})$/;

/** The label of FedEx SmartPost, a barcode of USPS: 420, the ZIP code and a number of 20 to 22 digits. */
const smartPostBarcode = /^420\d{5}(?:\d{4})?(92\d{18,20})$/;

/**
 * The number that the carrier knows, of a number that was scanned from a label. Null: it is none of the barcodes that hold
 * more than the number. A check digit that is wrong leaves the number as it is.
 */
export function scannedNumber(number: string, carrier: string | null): string | null {
  if (carrier === 'usps') return checked(uspsBarcode.exec(number)?.[1], uspsCheckDigit);
  if (carrier === 'fedex')
    return (
      checked(fedexBarcode.exec(number)?.[1], fedexCheckDigit) ??
      checked(smartPostBarcode.exec(number)?.[1], (digits) => weightedMod10(digits.slice(0, -1)))
    );
  return null;
}

function checked(number: string | undefined, checkDigit: (number: string) => string | null): string | null {
  return number !== undefined && checkDigit(number) === number.at(-1) ? number : null;
}
