import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { fileText } from '#test/support/repository.ts';

const folder = fileURLToPath(new URL('../../changes/', import.meta.url));
const maxChars = 400;

/** The mistakes in a fragment of the changelog. `name`: of its file. */
function mistakesIn(name: string, text: string): string[] {
  const words = text.trim().replaceAll('\n', ' ');
  return [
    ...(/^[a-z0-9]+(-[a-z0-9]+)*\.md$/.test(name) ? [] : [`${name} is not a kebab-case name that ends with .md`]),
    ...(/^(Breaking: )?\p{Lu}.*[.!]$/u.test(words) || /^`.*[.!]$/.test(words) ? [] : [`${name} is no sentence`]),
    ...(/\n\s*\n|^\s*[#*-] /m.test(text.trim()) ? [`${name} is more than one paragraph of plain text`] : []),
    ...(words.length > maxChars ? [`${name} is longer than ${maxChars} characters`] : []),
    ...(/^breaking/i.test(words) && !words.startsWith('Breaking: ')
      ? [`${name} does not begin with "Breaking: "`]
      : []),
  ];
}

test('every fragment of the changelog can be merged by a release', () => {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  expect(names.flatMap((name) => mistakesIn(name, fileText(`changes/${name}`)))).toEqual([]);
});

test.each([
  ['a-field.md', 'Lists filter by `vessel`.\n', 0],
  ['a-field.md', 'Breaking: `supported` is gone. Read `connection`.\n', 0],
  ['A field.md', 'Lists filter by vessel.\n', 1],
  ['a-field.md', '# Lists\n\nLists filter by vessel.\n', 2],
  ['a-field.md', 'Lists filter by vessel.\n\nAnd by voyage.\n', 1],
  ['a-field.md', 'BREAKING - `supported` is gone.\n', 1],
  ['a-field.md', 'lists filter by vessel\n', 1],
  ['a-field.md', `${'Long '.repeat(100)}.\n`, 1],
])('%s with %j has %i mistakes', (name, text, count) => {
  expect(mistakesIn(name, text)).toHaveLength(count);
});

test('the unreleased part of the changelog is short, and its breaking changes come first', () => {
  const [, unreleased = ''] = /^## Unreleased\n(.*?)^## /ms.exec(fileText('CHANGELOG.md')) ?? [];
  const lines = unreleased.trim().split('\n');
  const entries = lines.filter((line) => line.startsWith('- '));
  const lastBreaking = entries.findLastIndex((entry) => entry.startsWith('- **Breaking'));
  expect(lines.length).toBeLessThanOrEqual(25);
  expect(entries.slice(0, lastBreaking + 1).every((entry) => entry.startsWith('- **Breaking'))).toBe(true);
});
