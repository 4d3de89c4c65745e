/** Tags as one cell of a table, separated by `|`. A backslash comes before a `|` or a backslash inside a tag. */
export function joinTags(tags: readonly string[]): string {
  return tags.map((tag) => tag.replace(/[\\|]/g, '\\$&')).join('|');
}

/** The tags of a cell, trimmed, without empty ones. */
export function splitTags(cell: string): string[] {
  const tags = cell.match(/(?:\\[\\|]|[^|])+/g) ?? [];
  return tags.map((tag) => tag.replace(/\\([\\|])/g, '$1').trim()).filter((tag) => tag !== '');
}
