const shortest = 4;
const longest = 60;
const most = 50;

/**
 * The numbers of a pasted text: one a line, or separated by commas, semicolons or tabs. Spaces and hyphens belong to a number. Empty where
 * the text is no list of numbers, but one, or words.
 */
export function pastedNumbers(text: string): string[] {
  const parts = text
    .split(/[\n\r,;\t]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const numbers = [...new Set(parts)].filter(isNumber);
  return parts.length > 1 && numbers.length > 1 ? numbers.slice(0, most) : [];
}

/** Whether it may be a number of a shipment: it has a digit, and no more words than groups of one. */
export function isNumber(text: string): boolean {
  const plain = text.replaceAll(/[\s-]/g, '');
  return plain.length >= shortest && plain.length <= longest && /\d/.test(plain) && /^[A-Za-z0-9./_-]+$/.test(plain);
}
