import { coscoFields } from './cosco.ts';
import { dhlFields } from './dhl.ts';
import { fedexFields } from './fedex.ts';
import type { FieldCase } from './field-case.ts';
import { glsFields } from './gls.ts';
import { lufthansaCargoFields } from './lufthansa-cargo.ts';
import { nmftaDsdcFields } from './nmfta-dsdc.ts';
import { oneRecordFields } from './one-record.ts';
import { upsFields } from './ups.ts';
import { uspsFields } from './usps.ts';
import { withoutConnector } from './without-connector.ts';

/** One case per page. A page without a case, or a case without a page, fails. */
export const fieldCases: readonly FieldCase[] = [
  coscoFields,
  dhlFields,
  fedexFields,
  glsFields,
  lufthansaCargoFields,
  nmftaDsdcFields,
  oneRecordFields,
  upsFields,
  uspsFields,
  ...withoutConnector,
];
