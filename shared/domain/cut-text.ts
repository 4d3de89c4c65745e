/**
 * The start of a text, at most so many UTF-16 units. Postgres rejects half a surrogate pair, so a character that is cut
 * in two becomes U+FFFD.
 */
export function cutText(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : text.slice(0, maxLength).toWellFormed();
}
