/**
 * The media ranges of an `Accept` header, preferred ones first, without those excluded by `q=0`; null without the
 * header.
 */
export function acceptedRanges(accept: string | undefined): string[] | null {
  if (accept === undefined || accept.trim() === '') return null;
  return accept
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim().toLowerCase()))
    .map(([range = '', ...parameters]) => ({ range, weight: weightOf(parameters) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((left, right) => right.weight - left.weight)
    .map(({ range }) => range);
}

function weightOf(parameters: readonly string[]): number {
  const text = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '';
  return /^(?:0(?:\.\d*)?|1(?:\.0*)?)$/.test(text) ? Number(text) : 1;
}
