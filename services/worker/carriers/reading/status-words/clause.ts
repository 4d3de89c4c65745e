/** The parts of a clause: patterns for its first word and its last, and words that begin another thought between them. */
export type ClauseParts = { from: string; to: string; gap?: number; not?: string };

/**
 * The source of a pattern for a clause: a negation or an auxiliary, up to `gap` other words and a participle. Marks end
 * it, since what follows a comma or a full stop is another statement: "not at home, delivered to a neighbor".
 */
export function clause({ from, to, gap = 4, not = '-' }: ClauseParts): string {
  return String.raw`\b(?:${from})(?: (?!(?:${not})\b)\w[\w'-]*){0,${gap}}? (?:${to})(?!\w)`;
}
