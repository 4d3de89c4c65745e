import type { Refusal } from './dialect.ts';

/** What Azure's gateway says to a caller without the right subscription key (ZIM, MSC's older way in). */
export const azureKeyRefusal: Refusal = {
  status: 401,
  body: {
    statusCode: 401,
    message:
      'Access denied due to invalid subscription key. Make sure to provide a valid key for an active subscription.',
  },
};

/** The refusal of a call whose header lacks a key; the key `wrong` is refused too. */
export function keyRefusal(key: string | string[] | undefined, refusal: Refusal): Refusal | null {
  return typeof key === 'string' && key !== '' && key !== 'wrong' ? null : refusal;
}

/** The token of `Authorization: Bearer …`. */
export function bearerToken(authorization: string | undefined): string | null {
  return /^Bearer (.+)$/i.exec(authorization ?? '')?.[1] ?? null;
}
