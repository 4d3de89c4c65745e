import { dhlFields } from './dhl.ts';
import { fedexFields } from './fedex.ts';
import type { FieldCase } from './field-case.ts';
import { upsFields } from './ups.ts';

/** One case per page. A page without a case, or a case without a page, fails. */
export const fieldCases: readonly FieldCase[] = [dhlFields, fedexFields, upsFields];
