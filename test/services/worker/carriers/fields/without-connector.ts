import type { FieldCase } from './field-case.ts';

/** The pages of carriers whose specification can't be read, or not be used. They prove nothing, and no row may claim it. */
export const withoutConnector: readonly FieldCase[] = ['canada-post', 'dpd', 'oocl'].map((page) => ({
  page,
  responses: [],
  read: () => Promise.reject(new Error('this carrier has no connector')),
  expected: [],
  schemaFile: null,
}));
