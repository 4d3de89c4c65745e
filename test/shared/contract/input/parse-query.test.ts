import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseQuery } from '#shared/contract/input/parse-query.ts';

const schema = z.strictObject({ metadata: z.record(z.string(), z.array(z.string())).optional() });

test('reads keys in brackets, and refuses a text beside them in either order', () => {
  expect(parseQuery(schema, { 'metadata[a]': '1', 'metadata[b]': ['2', '3'] })).toEqual({
    metadata: { a: ['1'], b: ['2', '3'] },
  });
  expect(() => parseQuery(schema, { metadata: 'xy', 'metadata[a]': '1' })).toThrow('metadata');
  expect(() => parseQuery(schema, { 'metadata[a]': '1', metadata: 'xy' })).toThrow('metadata');
});
