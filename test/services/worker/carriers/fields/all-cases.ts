import { coscoFields } from './cosco.ts';
import type { FieldCase } from './field-case.ts';
import { glsFields } from './gls.ts';
import { withoutConnector } from './without-connector.ts';
import { upsFields } from './ups.ts';
import { uspsFields } from './usps.ts';

/** One case per page. A page without a case, or a case without a page, fails. */
export const fieldCases: readonly FieldCase[] = [
  coscoFields,
  glsFields,
  upsFields,
  uspsFields,
  ...withoutConnector,
];
