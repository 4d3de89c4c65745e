/** Words that make a password easy to guess besides those of its user: the product's name and what it is about. */
export const guessableWords = [
  'landfall',
  'shipment',
  'shipping',
  'tracking',
  'container',
  'freight',
  'carrier',
] as const;

/** Shorter words are in too many other ones. */
const minWordLength = 4;
const maxAppended = 6;
const maxJoined = 16;

/**
 * Returns the reason why a password is among an attacker's first guesses: it is in the list of leaked passwords, or
 * such an entry with up to six other characters around it, written backwards, repeated, or joined with another one; or
 * it adds little to `words`, such as the user's name and email. Null: neither. Capital letters make no difference.
 */
export function guessableBecause(
  password: string,
  { isLeaked, words }: { isLeaked: (text: string) => boolean; words: readonly string[] },
): 'leaked' | 'known_words' | null {
  const lower = password.toLowerCase();
  if (isLeaked(lower) || isLeaked([...lower].reverse().join(''))) return 'leaked';
  const core = lower.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  if (core.length >= minWordLength && lower.length - core.length <= maxAppended && isLeaked(core)) return 'leaked';
  if (/^(.{1,6}?)\1+.{0,3}$/u.test(lower) || isJoined(lower, isLeaked)) return 'leaked';
  return saysLittleMoreThan(lower, [...guessableWords, ...words]) ? 'known_words' : null;
}

/** Two leaked passwords in a row. Three unrelated words are not guessed that way. */
function isJoined(text: string, isLeaked: (text: string) => boolean): boolean {
  if (text.length > maxJoined) return false;
  for (let cut = minWordLength; cut <= text.length - minWordLength; cut += 1)
    if (isLeaked(text.slice(0, cut)) && isLeaked(text.slice(cut))) return true;
  return false;
}

function saysLittleMoreThan(text: string, words: readonly string[]): boolean {
  const parts = words
    .flatMap((word) => word.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .filter((part) => part.length >= minWordLength)
    .toSorted((left, right) => right.length - left.length);
  const rest = parts.reduce((left, part) => left.replaceAll(part, ' '), text);
  return rest !== text && rest.replaceAll(/[^\p{L}]/gu, '').length < minWordLength;
}
