import { passwordLength } from '#shared/domain/members/role.ts';

export const { least: minPasswordChars, most: maxPasswordChars } = passwordLength;

export type PasswordHint = { strength: 'none' | 'short' | 'weak' | 'fair' | 'good'; text: string };

const commonParts = [
  'password',
  'passwort',
  'qwerty',
  'asdf',
  '12345',
  'letmein',
  'welcome',
  'admin',
  'landfall',
  'iloveyou',
];

/**
 * A hint about the strength of a new password: its length, and common or known words in it. The API checks the length,
 * and refuses leaked passwords and those made of known words.
 */
export function passwordHint(password: string, known: readonly string[] = []): PasswordHint {
  const length = [...password].length;
  if (length === 0)
    return {
      strength: 'none',
      text: `At least ${minPasswordChars} characters. A few unrelated words are easy to remember.`,
    };
  if (length < minPasswordChars) return { strength: 'short', text: `${minPasswordChars - length} more required` };
  if (length > maxPasswordChars) return { strength: 'short', text: `At most ${maxPasswordChars} characters` };
  const lower = password.toLowerCase();
  const own = known.flatMap((text) => text.toLowerCase().split(/[\s@.]+/)).filter((part) => part.length >= 4);
  if (own.some((part) => lower.includes(part)))
    return { strength: 'weak', text: 'Weak: contains your name or email address' };
  if (commonParts.some((part) => lower.includes(part)))
    return { strength: 'weak', text: 'Weak: contains a common word' };
  if (new Set(lower).size < 6 || isRun(lower)) return { strength: 'weak', text: 'Weak: too few different characters' };
  return length >= 16 ? { strength: 'good', text: 'Strong' } : { strength: 'fair', text: 'Good. Longer is better.' };
}

/** True when most characters are consecutive, as in abcdefghij or 9876543210. */
function isRun(text: string): boolean {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
  const steps = codes.slice(1).filter((code, index) => Math.abs(code - (codes[index] ?? 0)) <= 1);
  return steps.length >= (codes.length - 1) * 0.8;
}

/** True when the API accepts the password. */
export function isUsable(password: string): boolean {
  const length = [...password].length;
  return length >= minPasswordChars && length <= maxPasswordChars;
}

/** True for an unencrypted connection: HTTP to another machine. */
export function isPlainHttp({ protocol, hostname }: { protocol: string; hostname: string }): boolean {
  return protocol === 'http:' && hostname !== 'localhost' && hostname !== '[::1]' && !/^127(\.\d+){3}$/.test(hostname);
}
