import { z } from 'zod';
import { parseApiKey } from '#shared/domain/keys/api-key.ts';
import { passwordLength } from '#shared/domain/members/role.ts';

type Group =
  | 'Service'
  | 'First start'
  | 'Storage'
  | 'Operations'
  | 'Traces'
  | 'Simulator'
  | 'Polling'
  | 'Webhooks'
  | 'Alerts'
  | 'Carriers';

/** One environment variable: how its value is read, and its place and text in docs/reference/configuration.md. */
export function variable<T extends z.ZodType>(field: T, group: Group, description: string): T {
  return field.meta({ group, description });
}

export const text = z.string();

/** Values separated by commas. */
export const list = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);

/** 1 or 0. */
export const flag = z.enum(['1', '0'], 'must be 1 or 0').transform((value) => value === '1');

export const port = wholeNumber(0, 65_535);

export const share = z.coerce
  .number('must be a share from 0 to 1')
  .min(0, 'must be at least 0')
  .max(1, 'must be at most 1');

export function positiveNumber(max: number) {
  const message = 'must be a number above 0';
  return z.coerce.number(message).positive(message).max(max, `must be at most ${max}`);
}

export function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,12}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** A whole number of days, or the word, which is null. */
export function daysOr(word: string) {
  const message = `must be a whole number from 1 to 36500, or ${word}`;
  return z
    .string()
    .regex(new RegExp(`^(${word}|[1-9]\\d{0,4})$`), message)
    .transform((value) => (value === word ? null : Number(value)))
    .refine((days) => days === null || days <= 36_500, message);
}

export function url(...protocols: string[]) {
  const message = `must be an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
  return z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), message);
}

/** One address, or several, separated by commas, of a Redis Cluster. */
export const redisUrl = text.refine(
  (value) => value.split(',').every((one) => url('redis:', 'rediss:').safeParse(one.trim()).success),
  'must be redis: or rediss: addresses',
);

export const networks = list.refine(
  (addresses) => addresses.every(isNetwork),
  'must be IP addresses or networks such as 10.0.0.0/8, separated by commas',
);

function isNetwork(address: string): boolean {
  return [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()].some((form) => form.safeParse(address).success);
}

const passwordForm = `must have ${passwordLength.least} to ${passwordLength.most} characters`;

export const password = text.refine((value) => passwordProblem(value) === null, passwordForm);

/** Returns the reason why a first password is invalid, or null. */
export function passwordProblem(value: string): string | null {
  return value.length >= passwordLength.least && value.length <= passwordLength.most ? null : passwordForm;
}

const apiKeyForm = 'must be a complete key: svc_live_ or svc_test_, 32 characters and their checksum';

export const apiKey = text.refine((value) => apiKeyProblem(value) === null, apiKeyForm);

/** Returns the reason why a first API key is invalid, or null. */
export function apiKeyProblem(value: string): string | null {
  return parseApiKey(value) === null ? apiKeyForm : null;
}

/** One address, with or without a name. */
export const mailAddress = z
  .string()
  .max(300)
  .regex(/^(?:[^<>"@\r\n,;:]{0,100}<[^\s<>"@,;]+@[a-z0-9.-]+>|[^\s<>"@,;]+@[a-z0-9.-]+)$/i, {
    error: 'must be an e-mail address such as Landfall <landfall@example.com>',
  });
