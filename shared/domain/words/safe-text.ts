const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A text as the content of an element or of an attribute in quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);
}

/** Texts of strangers have no line ends and no end that turns the direction of what follows. */
export function oneLine(text: string, max: number): string {
  const plain = text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern is there to find them
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const letters = [...plain];
  return letters.length <= max ? plain : `${letters.slice(0, max - 1).join('')}…`;
}
