import { validate } from 'dockerfile-utils';
import { expect, it } from 'vitest';
import { fileText, isInProject } from '#test/support/repository.ts';

const dockerfile = fileText('infra/deploy/Dockerfile');
const lastStage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));

it('the Dockerfile has no fault that a validator finds', () => {
  expect(validate(dockerfile)).toEqual([]);
  expect(validate('FROM node\nCMDD ["node"]\n')).not.toEqual([]);
});

it('the image does not run as root, and every base image has a version', () => {
  expect([...lastStage.matchAll(/^USER (.+)$/gm)].map(([, user]) => user).at(-1)).toBe('node');
  for (const [, base = ''] of dockerfile.matchAll(/^FROM (\S+)/gm)) expect(base).toMatch(/:\d/);
});

it('what the image copies exists and is let through, and nothing else is', () => {
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = '']) =>
    sources.split(' '),
  );
  const lines = fileText('.dockerignore').split('\n');
  const letThrough = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  expect(lines.find((line) => line !== '' && !line.startsWith('#'))).toBe('*');
  expect(new Set(letThrough)).toEqual(new Set(copied));
  for (const path of copied) expect(isInProject(path), path).toBe(true);
});

it('the image holds what a worker tells its reading of answers by', () => {
  expect(lastStage).toMatch(/^COPY .*\bpackage-lock\.json .*\.\/$/m);
});
