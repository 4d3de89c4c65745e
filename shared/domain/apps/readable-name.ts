const maxLength = 80;

/**
 * The name that an app gives itself, as it may be shown: one line without control characters, marks of direction and
 * piles of accents, which could make it read like another name or like part of the page. Null: nothing is left.
 */
export function readableName(text: string | null): string | null {
  if (text === null) return null;
  const plain = text
    .normalize('NFC')
    .replace(/[\p{Zs}\p{Zl}\p{Zp}\t\n\r]+/gu, ' ')
    .replace(/\p{C}/gu, '')
    .replace(/(\p{M})\p{M}{2,}/gu, '$1')
    .trim();
  if (plain === '') return null;
  const letters = [...plain];
  return letters.length <= maxLength
    ? plain
    : `${letters
        .slice(0, maxLength - 1)
        .join('')
        .trimEnd()}…`;
}
