import { timingSafeEqual } from 'node:crypto';
import { decodeTypeId, encodeTypeId } from '#shared/domain/type-id.ts';

const tokenBytes = 16;

/** A new secret of a member, which links in their mails contain. */
export function newMailToken(): Buffer {
  return Buffer.from(globalThis.crypto.getRandomValues(new Uint8Array(tokenBytes)));
}

export type UnsubscribeToken = { accountId: string; userId: string; messageId: string; secret: Buffer };

/** The token of a mail's unsubscribe link: whose mail it is, which one, and the secret that proves it. */
export function writeUnsubscribeToken({ accountId, userId, messageId, secret }: UnsubscribeToken): string {
  const ids = [encodeTypeId('a', accountId), encodeTypeId('u', userId), encodeTypeId('m', messageId)];
  return [...ids.map((id) => id.slice(2)), secret.toString('base64url')].join('.');
}

/** Null: the text is no token. */
export function readUnsubscribeToken(text: string): UnsubscribeToken | null {
  if (text.length > 200) return null;
  const [account = '', user = '', message = '', secret = '', ...rest] = text.split('.');
  const accountId = decodeTypeId('a', `a_${account}`);
  const userId = decodeTypeId('u', `u_${user}`);
  const messageId = decodeTypeId('m', `m_${message}`);
  const bytes = Buffer.from(secret, 'base64url');
  if (accountId === null || userId === null || messageId === null || rest.length > 0) return null;
  return bytes.length === tokenBytes ? { accountId, userId, messageId, secret: bytes } : null;
}

export function isSameSecret(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
