/** What some refreshes wrote to the log together, in bytes. */
export type WalPass = { bytes: number; changed: number; unchanged: number };

/**
 * The bytes of WAL of a refresh with news and of one without: those two numbers that explain the passes best (least
 * squares). NaN for a kind that never occurred.
 */
export function walPerRefresh(passes: readonly WalPass[]): { changed: number; unchanged: number } {
  const sum = (of: (pass: WalPass) => number) => passes.reduce((all, pass) => all + of(pass), 0);
  const [changedTwice, unchangedTwice] = [sum(({ changed }) => changed ** 2), sum(({ unchanged }) => unchanged ** 2)];
  const both = sum(({ changed, unchanged }) => changed * unchanged);
  const [ofChanged, ofUnchanged] = [
    sum(({ bytes, changed }) => bytes * changed),
    sum(({ bytes, unchanged }) => bytes * unchanged),
  ];
  if (unchangedTwice === 0) return { changed: ofChanged / changedTwice, unchanged: Number.NaN };
  if (changedTwice === 0) return { changed: Number.NaN, unchanged: ofUnchanged / unchangedTwice };
  const determinant = changedTwice * unchangedTwice - both ** 2;
  return {
    changed: (ofChanged * unchangedTwice - ofUnchanged * both) / determinant,
    unchanged: (ofUnchanged * changedTwice - ofChanged * both) / determinant,
  };
}
