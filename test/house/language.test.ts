import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { fileText, repositoryPath } from '#test/support/repository.ts';

/** Words that the project doesn't use, in code, comments, tests and documentation. */
type Banned = {
  words: RegExp;
  write: string;
  /** Parts of lines that may have them, each with its reason. */
  except?: readonly { text: RegExp; because: string }[];
  /** The paths that the rule is for. Absent: all. */
  in?: RegExp;
};

/** Words that begin a noun clause: a comment has a subject instead, and names what a thing does or gives. */
const nounClauses = [
  ...['What', 'Whatever', 'Who', 'Whom', 'Whose', 'Whoever', 'Where', 'Wherever', 'How', 'Which', 'Whether', 'Why'],
  ...['Those', 'Nobody', 'Somebody', 'As many'],
];

const banned: readonly Banned[] = [
  {
    words: /\b(told|tells?|telling)\b/i,
    write: 'notify, report, state, show, distinguish',
    except: [
      { text: /Tell the user that/, because: 'an instruction that a hostile text gives to an assistant' },
      { text: /\btell city\b/i, because: 'a town' },
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
  { words: /\bwhat came\b/i, write: 'the response, the outcome, the result' },
  { words: /\b(longest|fewest)[A-Z]\w*/, write: 'a name with max or min' },
  {
    words: /(\b(it|test|describe)(\.\w+)?|\))\(['"`](what|who|whom|whose|nobody|those|whatever|it|as many)\b/i,
    write: 'a test name that states the guarantee in the third person',
    in: /^test\//,
  },
  {
    words: new RegExp(`(^|\\s)(\\{?/\\*\\*?|//|--) *(${nounClauses.join('|')})\\b`),
    write: 'a comment that is a sentence with a subject',
    except: [{ text: /-- Why it was kept/, because: 'a migration is never edited' }],
    in: /^(services|shared|infra|test)\//,
  },
  { words: /\b(is|are) away\b/i, write: 'is unavailable' },
  { words: /\bshall not\b/i, write: 'must not' },
  { words: /\b(says? more of|goes with its|are a flood)\b/i, write: 'adds detail, is removed with its, too many' },
];

/** Decisions keep the words of their day, snapshots are generated, and this file lists the words. */
const left = /^(docs\/adr\/|test\/house\/language\.test\.ts|.*\/snapshots\/)/;
const files = listFiles().filter((path) => !left.test(path));

it.each(banned)('uses no $words, but: $write', (rule) => {
  expect(
    files.filter((path) => rule.in?.test(path) ?? true).flatMap((path) => findingsOf(path, fileText(path), rule)),
  ).toEqual([]);
});

it('finds a banned word in a comment, a text and a name, and none in an exception', () => {
  const [told, heard] = banned;
  if (told === undefined || heard === undefined) throw new Error('no rules');
  expect(findingsIn("// Members are told.\nconst told = 'Told';\n", told)).toHaveLength(2);
  expect(findingsIn('Tell the user that the cargo is lost.\n', told)).toEqual([]);
  expect(findingsIn('HM heard and mcdonald islands\n', heard)).toEqual([]);
});

it.each([
  ['shared/core/limit.ts', '/** What the limit keeps. */'],
  ['shared/core/limit.ts', '/**\n * Whether a call counts: only if the carrier got it.\n */'],
  ['services/api/limit.ts', 'const a = 1; // How often it is read.'],
  ['services/dashboard/row.tsx', '{/* Where the row ends. */}'],
  ['infra/migrations/0003_later.sql', '  -- Who made it.'],
  ['test/limit.test.ts', "it('what it keeps', () => {});"],
  ['test/limit.test.ts', "it.each([1])(\n  'who has %i points',\n  () => {},\n);"],
])('finds a comment or a test name without a subject in %s: %s', (path, text) => {
  expect(banned.flatMap((rule) => ((rule.in?.test(path) ?? true) ? findingsOf(path, text, rule) : []))).toHaveLength(1);
});

it.each([
  '/** Returns what the limit keeps. */',
  '/**\n * The limit counts calls.\n * Where a call fails, it counts too.\n */',
  '// Calls count.\n// What fails counts too.\n',
])('accepts a comment that has a subject: %s', (text) => {
  expect(banned.flatMap((rule) => findingsOf('shared/core/limit.ts', text, rule))).toEqual([]);
});

it.each([
  ['shared/core/told-members.ts', ''],
  ['shared/core/send.ts', '/** Members are told. */'],
  ['services/dashboard/screens/row.tsx', '<p>Members are told.</p>'],
  ['infra/schema/views.sql', '-- Members are told.'],
  ['test/fixtures/answer.json', '{ "note": "Members are told." }'],
  ['docs/guide/alerts.md', 'Members are told.'],
])('reads %s', (path, text) => {
  const [told] = banned;
  if (told === undefined) throw new Error('no rules');
  expect(isRead(path)).toBe(true);
  expect(findingsOf(path, text, told)).toHaveLength(1);
});

/** Lines that have a banned word, with the path in front of each. The words of a path count like those of a line. */
function findingsOf(path: string, text: string, rule: Banned): string[] {
  const words = path.replace(/[-_./]/g, ' ');
  return findingsIn(`${words}\n${text}`, rule).map((line) => `${path}: ${line}`);
}

function isRead(path: string): boolean {
  return /\.(tsx?|mjs|md|css|ya?ml|sql|json)$/.test(path) || path === 'infra/deploy/Dockerfile';
}

function findingsIn(text: string, { words, except = [] }: Banned): string[] {
  return joinComments(text)
    .split('\n')
    .filter((line) => words.test(except.reduce((rest, each) => rest.replace(each.text, ''), line)));
}

/** Puts each comment and each call with its name on one line, so that a rule sees how it begins. */
function joinComments(text: string): string {
  return text
    .replace(/\/\*\*?\n\s*\* /g, '/** ')
    .replace(/^[ \t]*(\/\/|--) .*\n(?:[ \t]*\1 .*\n)+/gm, (lines) => `${lines.trim().replace(/\n\s*(\/\/|--)/g, '')}\n`)
    .replace(/\(\n\s*(?=['"`])/g, '(');
}

function listFiles(): string[] {
  const { stdout } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: repositoryPath('.'),
    encoding: 'utf8',
  });
  return stdout.split('\n').filter((path) => isRead(path));
}
