import type { z } from 'zod';
import type { IdentifierKey } from '#shared/domain/record/shipment.ts';
import { anyOf } from '../input/filter-parts.ts';
import { plainText } from '../input/plain-text.ts';

/** Identifiers that REST filters by. */
export const identifierFilterKeys = [
  'mbl',
  'hbl',
  'booking',
  'container',
  'awb',
  'hawb',
  'bol',
  'pro',
  'tracking_number',
] as const satisfies readonly IdentifierKey[];

export type IdentifierFilterKey = (typeof identifierFilterKeys)[number];

const identifierText = plainText({ max: 120 });
const identifierList = (description: string, example: string) =>
  anyOf(identifierText, { description, examples: [[example]] });

export const identifierFields = {
  identifier: identifierList(
    'Any identifier, including containers and pieces reported by the carrier. Case, spaces and hyphens are ignored.',
    'MAEU123456789',
  ),
  mbl: identifierList('Master bill of lading, with or without the carrier prefix.', 'MAEU123456789'),
  hbl: identifierList('House bill of lading.', 'HBL-77'),
  booking: identifierList('Booking number, with or without the carrier prefix.', '123456789'),
  container: identifierList('Container number, including those reported by the carrier.', 'MSKU1234565'),
  awb: identifierList('Master air waybill.', '020-12345675'),
  hawb: identifierList('House air waybill.', 'HAWB-77'),
  bol: identifierList('Bill of lading (road, rail).', 'BOL-4411'),
  pro: identifierList('PRO number (road).', '1234567890'),
  tracking_number: identifierList(
    'Tracking number (parcel), including those of pieces that the carrier reports.',
    '1Z999AA10123456784',
  ),
} satisfies Record<IdentifierFilterKey | 'identifier', z.ZodType>;
