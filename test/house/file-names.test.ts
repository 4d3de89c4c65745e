import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

/** Names that had two meanings or none, with the word that replaced each. */
const replaced = {
  'shared/[a-z]+/push/': 'carrier-subscriptions',
  'shared/[a-z]+/operations/': 'installation',
  'shared/[a-z]+/people/': 'members',
  'services/desktop/': 'mcpb',
  '/(open-)?(proof-)?places\\.(pg\\.)?(test\\.)?ts': 'permits',
  '/(each-apart|give-way|own-filter|measure-work|stand-in-result|find-standing|because|moment)\\.':
    'what the file does',
  '/(event-|browser-)?marks\\.': 'hashes, trusted browsers, icons',
  '/(rejected|set-aside)-events\\.': 'unreadable-events',
};

const paths = execFileSync('git', ['ls-files', 'services', 'shared', 'infra'], {
  cwd: new URL('../../', import.meta.url),
  encoding: 'utf8',
}).split('\n');

it.each(Object.entries(replaced))('names no file or folder like %s: use %s', (pattern) => {
  const former = new RegExp(pattern);
  expect(paths.filter((path) => former.test(path) && !path.startsWith('infra/tools/desk/'))).toEqual([]);
});

it('recognizes a replaced name', () => {
  const isFormer = (path: string) => Object.keys(replaced).some((pattern) => new RegExp(pattern).test(path));
  expect(['shared/core/push/record-push.ts', 'services/api/open-places.ts'].map(isFormer)).toEqual([true, true]);
  expect(isFormer('shared/domain/lists/map-places.ts')).toBe(false);
});
