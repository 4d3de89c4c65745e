/** A table's entry for a foreign word. Inherited names such as `constructor` have none. */
export function entryOf<Entry>(
  table: Readonly<Record<string, Entry>>,
  word: string | null | undefined,
): Entry | undefined {
  return typeof word === 'string' && Object.hasOwn(table, word) ? table[word] : undefined;
}
