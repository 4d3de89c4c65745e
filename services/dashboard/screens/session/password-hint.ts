import { passwordLength } from '#shared/domain/people/role.ts';

export const { least: shortestPassword, most: longestPassword } = passwordLength;

export type PasswordHint = { strength: 'none' | 'short' | 'weak' | 'fair' | 'good'; words: string };

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
 * What to tell somebody who chooses a password. Length counts most; what others would try first counts against it. A hint: the service itself
 * asks for the length alone.
 */
export function passwordHint(password: string, known: readonly string[] = []): PasswordHint {
  const length = [...password].length;
  if (length === 0)
    return {
      strength: 'none',
      words: `At least ${shortestPassword} characters. A few words that do not belong together are easy to keep.`,
    };
  if (length < shortestPassword) return { strength: 'short', words: `${shortestPassword - length} more, at least` };
  if (length > longestPassword) return { strength: 'short', words: `At most ${longestPassword} characters` };
  const lower = password.toLowerCase();
  const own = known.flatMap((text) => text.toLowerCase().split(/[\s@.]+/)).filter((part) => part.length >= 4);
  if (own.some((part) => lower.includes(part)))
    return { strength: 'weak', words: 'Easy to guess: it has your name or address in it' };
  if (commonParts.some((part) => lower.includes(part)))
    return { strength: 'weak', words: 'Easy to guess: others use such words too' };
  if (new Set(lower).size < 6 || isRun(lower))
    return { strength: 'weak', words: 'Easy to guess: too few different characters' };
  return length >= 16 ? { strength: 'good', words: 'Strong' } : { strength: 'fair', words: 'Good; longer is better' };
}

/** Most characters follow the one before them, as in abcdefghij or 9876543210. */
function isRun(text: string): boolean {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
  const steps = codes.slice(1).filter((code, index) => Math.abs(code - (codes[index] ?? 0)) <= 1);
  return steps.length >= (codes.length - 1) * 0.8;
}

/** Whether the service takes it. */
export function isUsable(password: string): boolean {
  const length = [...password].length;
  return length >= shortestPassword && length <= longestPassword;
}

/** Whether others on the way can read along: http, except from the machine itself. */
export function isPlainHttp({ protocol, hostname }: { protocol: string; hostname: string }): boolean {
  return protocol === 'http:' && hostname !== 'localhost' && hostname !== '[::1]' && !/^127(\.\d+){3}$/.test(hostname);
}
