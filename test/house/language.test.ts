import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { fileText, repositoryPath } from '#test/support/repository.ts';

/** Words that the project doesn't use, in code, comments, tests and documentation. */
type Banned = {
  words: RegExp;
  write: string;
  /** Parts of lines that may have them, each with its reason. */
  except?: readonly { text: RegExp; because: string }[];
};

const banned: readonly Banned[] = [
  {
    words: /\b(told|tells?|telling)\b/i,
    write: 'notify, report, state, show, distinguish',
    except: [
      { text: /cannot tell/i, because: 'the name of a free-time clock without terms' },
      { text: /Tell the user that/, because: 'an instruction that a hostile text gives to an assistant' },
    ],
  },
  {
    words: /\b(hear|hears|heard|sayings)\b/i,
    write: 'be notified, receive, statements',
    except: [{ text: /heard and mcdonald/, because: 'a country' }],
  },
  { words: /\b(judge[sd]?|judging)\w*/i, write: 'evaluate, check' },
  { words: /\b(whoever|nobody's)\b/i, write: 'a sentence with a subject' },
  { words: /\b(meanwhile|in the meantime)\b/i, write: 'until then, since then, at the same time' },
  { words: /\bwhat comes back\b/i, write: 'the response, returned goods' },
  { words: /\b(is|are) away\b/i, write: 'is unavailable' },
  { words: /\bshall not\b/i, write: 'must not' },
  { words: /\b(says? more of|goes with its|are a flood)\b/i, write: 'adds detail, is removed with its, too many' },
];

/** Released migrations and what is generated from elsewhere are never edited. This file lists the words. */
const left = /^(infra\/migrations\/|infra\/schema\.sql|docs\/adr\/|test\/house\/language\.test\.ts|.*\/snapshots\/)/;
/** Comments of these folders are still to be revised: remove an entry with the last of its findings. */
const toRevise: readonly RegExp[] = [];

const files = listFiles().filter((path) => !left.test(path) && !toRevise.some((pattern) => pattern.test(path)));

it.each(banned)('uses no $words, but: $write', (rule) => {
  expect(files.flatMap((path) => findingsIn(fileText(path), rule).map((line) => `${path}: ${line}`))).toEqual([]);
});

it('finds a banned word in a comment, a text and a name, and none in an exception', () => {
  const [told, heard] = banned;
  if (told === undefined || heard === undefined) throw new Error('no rules');
  expect(findingsIn("// Members are told.\nconst told = 'Told';\n", told)).toHaveLength(2);
  expect(findingsIn("unknown_terms: 'Cannot tell',\n", told)).toEqual([]);
  expect(findingsIn('HM heard and mcdonald islands\n', heard)).toEqual([]);
});

function findingsIn(text: string, { words, except = [] }: Banned): string[] {
  return text
    .split('\n')
    .filter((line) => words.test(except.reduce((rest, each) => rest.replace(each.text, ''), line)));
}

function listFiles(): string[] {
  const { stdout } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: repositoryPath('.'),
    encoding: 'utf8',
  });
  return stdout
    .split('\n')
    .filter((path) => /\.(ts|tsx|mjs|md|css|ya?ml)$/.test(path) || path === 'infra/deploy/Dockerfile');
}
