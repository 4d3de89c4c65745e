import type { ErrorEntry } from '#shared/contract/error-catalogue.ts';

/** The codes that hold a text in name or title, in the catalogue's order. */
export function findErrors(catalogue: Readonly<Record<string, ErrorEntry>>, sought: string): [string, ErrorEntry][] {
  const text = sought.trim().toLowerCase();
  return Object.entries(catalogue).filter(
    ([code, { title }]) => code.includes(text.replaceAll(' ', '_')) || title.toLowerCase().includes(text),
  );
}
