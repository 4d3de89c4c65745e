import { z } from 'zod';
import { LandfallError } from '#shared/domain/errors.ts';
import { acceptedRanges } from '../input/accepted-ranges.ts';
import { parseQuery } from '../input/parse-query.ts';
import type { Operations, RawQuery } from '../operation.ts';
import { freeTimeTermsBody, maxTerms, readTermsBody } from './terms-body.ts';
import { readTermsTable, termColumns } from './terms-csv.ts';
import { wireFreeTimeTerms, wireTermsPreview } from './terms-wire.ts';

const formats = ['json', 'csv'] as const;
type TermsFormat = (typeof formats)[number];

const termsQuery = z.strictObject({
  format: z
    .enum(formats)
    .optional()
    .meta({ description: 'Takes precedence over `Accept`. Default: json.', examples: ['csv'] }),
});

/** Throws LandfallError `validation_failed`, `unknown_parameter`, or `not_acceptable`. */
function parseTermsQuery(query: RawQuery, accept: string | undefined): { format: TermsFormat } {
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

const common = { access: 'key_or_session', tag: 'Free time' } as const;
const etag = { ETag: { description: 'Of these terms, for `If-Match` of the next replacement.', schema: z.string() } };
const csv =
  `As \`text/csv\`, the columns are ${termColumns.map((name) => `\`${name}\``).join(', ')}; \`rates\` is written ` +
  '`1:85;6:140`. An empty cell is an absent field.';

const example = {
  terms: [
    {
      kind: 'demurrage',
      carrier: 'MAEU',
      country: 'NL',
      free_days: 5,
      counting: 'working',
      rates: [
        { from_day: 1, amount: 85 },
        { from_day: 6, amount: 140 },
      ],
      currency: 'EUR',
    },
    {
      kind: 'detention',
      carrier: 'MAEU',
      country: 'NL',
      free_days: 10,
      rates: [{ from_day: 1, amount: 60 }],
      currency: 'EUR',
    },
  ],
} as const;

const termsBody = {
  schema: freeTimeTermsBody,
  read: readTermsBody,
  readTable: readTermsTable,
  mediaTypes: ['application/json', 'text/csv'],
  maxBytes: 2 * 1024 * 1024,
  tooLarge: `At most ${maxTerms} rows fit.`,
} as const;

const bodyErrors = [
  'invalid_json',
  'validation_failed',
  'unknown_field',
  'unknown_parameter',
  'payload_too_large',
] as const;

export const freeTimeOperations = {
  getFreeTimeTerms: {
    ...common,
    scope: 'shipments:read',
    method: 'GET',
    path: '/v1/free-time-terms',
    summary: 'Get the free-time terms',
    description:
      'Returns the terms by which the clocks of demurrage and detention are assessed. Live keys see the terms of ' +
      'live shipments, test keys those of test shipments. `format=csv` returns a file that can be sent back.',
    limit: 'read',
    query: termsQuery,
    parseQuery: parseTermsQuery,
    anyAccept: true,
    answers: {
      200: { description: 'The terms.', schema: wireFreeTimeTerms, moreMediaTypes: ['text/csv'], headers: etag },
    },
    errors: ['validation_failed', 'unknown_parameter', 'not_acceptable'],
  },
  replaceFreeTimeTerms: {
    ...common,
    scope: 'shipments:write',
    method: 'PUT',
    path: '/v1/free-time-terms',
    summary: 'Replace the free-time terms',
    description:
      'Replaces all rows. Of the rows that match a container, the most specific counts: by carrier, then place, ' +
      'country and equipment. A clock keeps the terms that were valid on the day it started. If any row has a ' +
      `mistake, nothing is stored and the error names each row. ${csv} To replace only the version that you have ` +
      'read, send its ETag as `If-Match`.',
    limit: 'write',
    body: {
      ...termsBody,
      description: 'All rows.',
      examples: { terms: { summary: 'Terms of one carrier', value: example } },
    },
    answers: { 200: { description: 'The stored terms.', schema: wireFreeTimeTerms, headers: etag } },
    errors: [...bodyErrors, 'precondition_failed'],
  },
  previewFreeTimeTerms: {
    ...common,
    scope: 'shipments:read',
    method: 'POST',
    path: '/v1/free-time-terms/preview',
    summary: 'Preview free-time terms',
    description:
      'Returns the effect of these terms without storing them: the number of clocks by state before and after, and ' +
      `the first 50 clocks that change. ${csv}`,
    limit: 'batch',
    body: {
      ...termsBody,
      description: 'All rows.',
      examples: { terms: { summary: 'Terms of one carrier', value: example } },
    },
    answers: { 200: { description: 'The effect of the terms.', schema: wireTermsPreview } },
    errors: bodyErrors,
  },
} as const satisfies Operations;
