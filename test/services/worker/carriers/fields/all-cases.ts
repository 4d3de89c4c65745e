import type { FieldCase } from './field-case.ts';

/** One case per page. A page without a case, or a case without a page, fails. */
export const fieldCases: readonly FieldCase[] = [];
