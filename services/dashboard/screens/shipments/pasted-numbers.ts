const minChars = 4;
const maxChars = 60;
const maxNumbers = 50;

/**
 * The numbers of a pasted list, separated by line ends, commas, semicolons or tabs. Spaces and hyphens are part of a
 * number. Empty unless the text contains at least two numbers.
 */
export function pastedNumbers(text: string): string[] {
  const parts = text
    .split(/[\n\r,;\t]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const numbers = [...new Set(parts)].filter(isNumber);
  return parts.length > 1 && numbers.length > 1 ? numbers.slice(0, maxNumbers) : [];
}

/** True when a text can be the number of a shipment. */
export function isNumber(text: string): boolean {
  const plain = text.replaceAll(/[\s-]/g, '');
  return plain.length >= minChars && plain.length <= maxChars && /\d/.test(plain) && /^[A-Za-z0-9./_-]+$/.test(plain);
}
