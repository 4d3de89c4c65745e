import { z } from 'zod';
import { passwordLength, roles } from '#shared/domain/people/role.ts';
import { plainText } from '../plain-text.ts';

export const personName = plainText({ max: 200 });
export const emailAddress = z
  .string()
  .trim()
  .max(254)
  .refine((text) => z.email().safeParse(text).success, { error: 'must be an e-mail address' });
export const newPassword = z.string().min(passwordLength.least).max(passwordLength.most);
export const linkToken = z.string().min(1).max(200);
export const wireRole = z.enum(roles);
export const nothing = z.strictObject({});
