import type { Reading } from '#shared/domain/events/event.ts';

/**
 * Field that must be on the record for one row of a page. `field` and `path` are as in the row; the value is that of
 * the record, such as kilograms for pounds.
 */
export type ExpectedField = readonly [field: string, path: string, value: unknown];

/**
 * A page of docs/reference/carrier-fields and the responses that prove it. The responses are written by hand from the
 * specification: each field of the table has a value of its own in at least one of them.
 */
export type FieldCase = {
  /** Name of the page without `.md`. */
  page: string;
  responses: readonly unknown[];
  read: (response: unknown) => Promise<Reading>;
  expected: readonly ExpectedField[];
  /**
   * All fields of the published schema, one a line in a file of test/fixtures/carrier-fields. Each must have a row.
   * Null: the specification can't be read.
   */
  schemaFile: string | null;
};
