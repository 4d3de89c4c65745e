import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { fileText } from '#test/support/repository.ts';

/** Names that had two meanings or none, with the word that replaced each. */
const replaced = {
  'shared/[a-z]+/push/': 'carrier-subscriptions',
  'shared/[a-z]+/operations/': 'installation',
  'shared/[a-z]+/people/': 'members',
  'services/desktop/': 'mcpb',
  '(carrier-subscriptions|system|routes|simulator)/(match-)?push(-(secret|candidates|deliveries|subscription.*))?[./]':
    'carrier subscription, delivery',
  '/(open-)?(proof-)?places\\.(pg\\.)?(test\\.)?ts': 'permits',
  '/(each-apart|give-way|own-filter|measure-work|stand-in-result|find-standing|because|moment)\\.':
    'what the file does',
  '/(event-|browser-)?marks\\.': 'hashes, trusted browsers, icons',
  '/(rejected|set-aside)-events\\.': 'unreadable-events',
};

/** The same in code, documentation and settings. */
const replacedWords = {
  '\\bPUSH\\b[=`:]|\\bPUSH_[A-Z_]+|env\\.PUSH\\b': 'CARRIER_SUBSCRIPTIONS, CARRIER_SUBSCRIPTION_SECRET_DAYS',
  '\\b[a-zA-Z]*[sS]etAside[a-zA-Z]*\\b|\\brejected_?[eE]vents\\b': 'unreadable',
  '\\b[a-z]*[sS]aying(s|Text)\\b': 'statements, statementText',
  '[dD]esktop[- ]?[bB]undle': 'MCPB file',
  '\\b(give_positions|given_positions)\\b': 'sequence',
  'prometheus/alerts\\.yaml': 'alert-rules.yaml',
};

const paths = execFileSync('git', ['ls-files', 'services', 'shared', 'infra', 'docs', '*.md', '*.yml'], {
  cwd: new URL('../../', import.meta.url),
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '');

it.each(Object.entries(replaced))('names no file or folder like %s: use %s', (pattern) => {
  const former = new RegExp(pattern);
  expect(paths.filter((path) => former.test(path) && !path.startsWith('infra/tools/desk/'))).toEqual([]);
});

it.each(Object.entries(replacedWords))('writes nothing like %s: use %s', (pattern) => {
  const former = new RegExp(pattern);
  const texts = paths.filter((path) => /\.(ts|tsx|mjs|md|ya?ml|sql)$/.test(path) && !path.startsWith('changes/'));
  expect(texts.filter((path) => former.test(fileText(path)))).toEqual([]);
});

it('recognizes a replaced name', () => {
  const isFormer = (path: string) => Object.keys(replaced).some((pattern) => new RegExp(pattern).test(path));
  expect(['shared/core/push/record-push.ts', 'services/api/open-places.ts'].map(isFormer)).toEqual([true, true]);
  expect(isFormer('shared/domain/lists/map-places.ts')).toBe(false);
  const isFormerWord = (text: string) => Object.keys(replacedWords).some((pattern) => new RegExp(pattern).test(text));
  expect(['`PUSH=off`', 'const { setAside } = read;', 'sayingText(event)'].map(isFormerWord)).toEqual([
    true,
    true,
    true,
  ]);
  expect(isFormerWord('PUSHED and unreadable')).toBe(false);
});
