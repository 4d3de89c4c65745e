import { z } from 'zod';
import { LandfallError } from '#shared/domain/errors.ts';
import { acceptedRanges } from '../input/accepted-ranges.ts';
import { parseQuery } from '../input/parse-query.ts';
import type { RawQuery } from '../operation.ts';

const formats = ['json', 'csv'] as const;
export type TermsFormat = (typeof formats)[number];

export const termsQuery = z.strictObject({
  format: z
    .enum(formats)
    .optional()
    .meta({ description: 'Takes precedence over `Accept`. Default: json.', examples: ['csv'] }),
});

/** Throws LandfallError `validation_failed`, `unknown_parameter`, or `not_acceptable`. */
export function parseTermsQuery(query: RawQuery, accept: string | undefined): { format: TermsFormat } {
  const { format } = parseQuery(termsQuery, query);
  if (format !== undefined) return { format };
  const ranges = acceptedRanges(accept);
  if (ranges === null) return { format: 'json' };
  for (const range of ranges) {
    if (['application/json', 'application/*', '*/*'].includes(range)) return { format: 'json' };
    if (['text/csv', 'text/*'].includes(range)) return { format: 'csv' };
  }
  throw new LandfallError('not_acceptable', 'Terms are application/json or text/csv. Allow one of them in Accept.');
}
