import { spawnSync } from 'node:child_process';
import { dirname, posix } from 'node:path';
import { expect, it } from 'vitest';
import { anchorsOf, fileText, isInProject, repositoryPath } from '#test/support/repository.ts';

/** Pages of other repositories that comments cite. */
const foreign = ['docs/info-cargotracking-en.md', 'docs/discovery.md'];

const files = listFiles();

it('resolves every relative link and anchor in Markdown', () => {
  const pages = files.filter((path) => path.endsWith('.md'));
  expect(pages.flatMap((path) => brokenLinks(path, fileText(path)))).toEqual([]);
});

it('names only existing pages and anchors of docs/ in code, texts and configuration', () => {
  expect(files.flatMap((path) => brokenMentions(path, fileText(path)))).toEqual([]);
});

it('reports a missing file, a missing anchor and a missing page', () => {
  const page = 'docs/guide/quickstart.md';
  expect(brokenLinks(page, '[a](concepts.md) [b](../../README.md#landfall) ![c](https://example.com/c.png)')).toEqual(
    [],
  );
  expect(brokenLinks(page, '[a](missing.md) [b](../../README.md#missing) [c](#missing)')).toEqual([
    `${page}: missing.md`,
    `${page}: ../../README.md#missing`,
    `${page}: #missing`,
  ]);
  const missing = ['docs', 'missing.md'].join('/');
  expect(brokenMentions('a.ts', `See ${page} and /docs/skill.md.`)).toEqual([]);
  expect(brokenMentions('a.ts', `See ${missing} or "x" in ${page}#missing.`)).toEqual([
    `a.ts: ${missing}`,
    `a.ts: ${page}#missing`,
  ]);
});

function brokenLinks(path: string, markdown: string): string[] {
  return [...withoutCode(markdown).matchAll(/\]\(([^)\s]+)[^)]*\)|\bsrc="([^"]+)"/g)]
    .map(([, href, src]) => href ?? src ?? '')
    .filter((target) => !/^([a-z][a-z+.-]*:|\/)/i.test(target) && !resolves(path, target))
    .map((target) => `${path}: ${target}`);
}

function resolves(from: string, target: string): boolean {
  const [file = '', anchor] = target.split('#');
  const path = file === '' ? from : posix.join(dirname(from), file);
  return isInProject(path) && (anchor === undefined || anchorsOf(withoutCode(fileText(path))).includes(anchor));
}

function brokenMentions(path: string, text: string): string[] {
  return [...text.matchAll(/(?<![\w./{}-])docs\/[\w/-]+\.md(?:#[\w-]+)?/g)]
    .map(([mention]) => mention)
    .filter((mention) => !foreign.includes(mention) && !resolves('README.md', mention))
    .map((mention) => `${path}: ${mention}`);
}

/** Blocks and spans of code hold no links and no headings. */
function withoutCode(markdown: string): string {
  return markdown
    .replaceAll(/^ *```.*?^ *```/gms, '')
    .replaceAll(/`([^`\n]*)`/g, (_, code: string) => code.replaceAll(/[[\]()]/g, ''));
}

function listFiles(): string[] {
  const { stdout } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: repositoryPath('.'),
    encoding: 'utf8',
  });
  const text = /\.(ts|tsx|mjs|md|json|css|sql|ya?ml|example)$/;
  return stdout.split('\n').filter((path) => text.test(path) && path !== 'package-lock.json' && isInProject(path));
}
