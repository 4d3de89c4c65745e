import { z } from 'zod';
import { type SharePart, shareDays, shareParts, sharePasswordLength } from '#shared/domain/shares/share.ts';
import { refusal } from '../input/input-mistakes.ts';
import { parseBody } from '../input/parse-body.ts';
import { plainText } from '../input/plain-text.ts';
import { readInstant } from '../input/read-instant.ts';

export const shareShows = z
  .array(z.enum(shareParts))
  .max(shareParts.length)
  .meta({
    description:
      'Parts that the page shows beyond status, route, expected arrival and milestones: `identifiers` (with numbers ' +
      'of containers and pieces), `carrier` (with vessels and flights), `reference`, `tags`, `metadata`. Default: ' +
      'the account’s setting, initially empty.',
    examples: [['identifiers', 'carrier']],
  });
export const shareExpiryDays = z.int().min(shareDays.min).max(shareDays.max);

/** The body that creates a share. */
export const createShareBody = z.strictObject({
  label: plainText({ max: 200 })
    .optional()
    .meta({ description: 'Your label. The page does not show it.', examples: ['Customer portal'] }),
  shows: shareShows.optional(),
  password: plainText(sharePasswordLength)
    .optional()
    .meta({ description: 'Password that the page asks for. Stored hashed.', examples: ['correct horse battery'] }),
  expires_at: z
    .string()
    .refine((text) => readInstant(text, 'to') !== null, {
      error: 'must be a date (2026-04-15) or a time with an offset (2026-04-15T09:30:00Z).',
      params: { code: 'invalid_time' },
    })
    .optional()
    .meta({
      description: 'When the link expires: a time with an offset, or a date, which counts to its end in UTC.',
      examples: ['2026-12-31T23:59:59Z'],
    }),
  expires_after_days: shareExpiryDays.optional().meta({
    description:
      'Days from the closing of the shipment (delivered, returned, cancelled or failed) to the expiry of the link, ' +
      `${shareDays.min} to ${shareDays.max}. Default: the account’s setting, initially ${shareDays.default}. ` +
      'Not together with `expires_at`.',
    examples: [30],
  }),
});

export type CreateShareInput = {
  label: string | null;
  shows: SharePart[] | null;
  password: string | null;
  expiresAt: string | null;
  daysAfterClose: number | null;
};

/** Parses an untrusted body. Throws one LandfallError that names every mistake. */
export function parseCreateShareBody(body: unknown): CreateShareInput {
  const { label, shows, password, expires_at, expires_after_days } = parseBody(createShareBody, body);
  if (expires_at !== undefined && expires_after_days !== undefined) {
    const detail = 'Send either expires_at or expires_after_days.';
    throw refusal([{ pointer: '/expires_after_days', code: 'contradiction', detail }]);
  }
  return {
    label: label ?? null,
    shows: shows === undefined ? null : [...new Set(shows)],
    password: password ?? null,
    expiresAt: expires_at === undefined ? null : readInstant(expires_at, 'to'),
    daysAfterClose: expires_after_days ?? null,
  };
}
