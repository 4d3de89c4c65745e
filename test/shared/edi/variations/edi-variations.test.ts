import { expect, it } from 'vitest';
import { sampleRows } from '#test/support/run-scale.ts';
import { ediExceptions } from './edi-exceptions.ts';
import { ediFixtures } from './edi-fixtures.ts';
import { readVariant } from './edi-relation.ts';
import { ediRelations } from './edi-relations.ts';

it('holds every relation on every message', () => {
  const fixtures = ediFixtures();
  const rows = fixtures.flatMap((fixture) =>
    ediRelations.flatMap((relation) => relation.variants(fixture).map((variant) => ({ fixture, relation, variant }))),
  );
  const violations: { relation: string; fixture: string; violations: string[] }[] = [];
  const counts = new Map<string, number>();
  // Nine of ten files are wrapped ones, of which the short form reads a part.
  const isWrapped = ({ relation }: (typeof rows)[number]) => relation.name.startsWith('wrapped');
  const read = [...sampleRows(rows.filter(isWrapped)), ...rows.filter((row) => !isWrapped(row))];
  for (const { fixture, relation, variant } of read) {
    const before = readVariant(fixture, relation.base?.(fixture) ?? fixture.text);
    const found = relation.violations(before, readVariant(fixture, variant), fixture);
    counts.set(relation.name, (counts.get(relation.name) ?? 0) + 1);
    if (found.length > 0) violations.push({ relation: relation.name, fixture: fixture.name, violations: found });
  }
  console.log(
    `${fixtures.length} files, ${ediRelations.length} relations, ${rows.length} variants, ${ediExceptions.length} exceptions`,
  );
  expect(violations).toEqual([]);
  const formats = [...new Set(fixtures.map(({ format }) => format))];
  const cells = ediRelations.flatMap(({ name }) => formats.map((format) => `${format}: ${name}`));
  const varied = new Set(rows.map(({ fixture, relation }) => `${fixture.format}: ${relation.name}`));
  const excepted = ediExceptions.flatMap(({ relations, format }) =>
    ediRelations.filter(({ name }) => relations.test(name)).map(({ name }) => `${format}: ${name}`),
  );
  expect(cells.filter((cell) => !varied.has(cell)).sort()).toEqual(excepted.sort());
});
