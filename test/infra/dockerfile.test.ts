import { validate } from 'dockerfile-utils';
import { expect, it } from 'vitest';
import { fileText, isInProject } from '#test/support/repository.ts';

const dockerfile = fileText('infra/deploy/Dockerfile');
const lastStage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));

it('passes a Dockerfile linter', () => {
  expect(validate(dockerfile)).toEqual([]);
  expect(validate('FROM node\nCMDD ["node"]\n')).not.toEqual([]);
});

it('runs as a non-root user', () => {
  expect([...lastStage.matchAll(/^USER (.+)$/gm)].map(([, user]) => user).at(-1)).toBe('node');
});

it('copies only files that exist and that .dockerignore allows, and allows no others', () => {
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = '']) =>
    sources.split(' '),
  );
  const lines = fileText('.dockerignore').split('\n');
  const letThrough = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  expect(lines.find((line) => line !== '' && !line.startsWith('#'))).toBe('*');
  expect(new Set(letThrough)).toEqual(new Set(copied));
  for (const path of copied) expect(isInProject(path), path).toBe(true);
});

it('contains the files that identify the reader of a worker', () => {
  expect(lastStage).toMatch(/^COPY .*\bpackage-lock\.json .*\.\/$/m);
});
