/** Bytes of the log that some refreshes wrote together. */
export type WalPass = { bytes: number; changed: number; unchanged: number };

/**
 * The bytes of WAL of a refresh with news and of one without. Those without are measured in passes that brought no news
 * at all; what the other passes wrote beyond that belongs to the news. NaN for a kind that was never measured.
 */
export function walPerRefresh(passes: readonly WalPass[]): { changed: number; unchanged: number } {
  const quiet = passes.filter(({ changed }) => changed === 0);
  const busy = passes.filter(({ changed }) => changed > 0);
  const sum = (of: readonly WalPass[], field: keyof WalPass) => of.reduce((all, pass) => all + pass[field], 0);
  const unchanged = sum(quiet, 'bytes') / sum(quiet, 'unchanged');
  const withoutNews = sum(busy, 'unchanged') === 0 ? 0 : sum(busy, 'unchanged') * unchanged;
  return { changed: (sum(busy, 'bytes') - withoutNews) / sum(busy, 'changed'), unchanged };
}
