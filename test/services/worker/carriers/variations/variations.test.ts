import { expect, it } from 'vitest';
import { connectorCodes } from '#shared/domain/carriers/carrier-catalogue.ts';
import { sampleRows, scaled } from '#test/support/run-scale.ts';
import { allFixtures } from './all-fixtures.ts';
import { type Exception, exceptions } from './exceptions.ts';
import { type Outcome, readVaried } from './read-varied.ts';
import { relations } from './relations/all-relations.ts';
import { runRelation } from './run-relation.ts';

type Row = { relation: string; connector: string; fixture: string; count: number; violations: string[] };

const exceptionsFor = ({ relation, connector, fixture }: Omit<Row, 'count' | 'violations'>) =>
  exceptions.filter(
    (each) =>
      each.relation === relation &&
      each.connectors.some((code) => code === connector) &&
      (each.fixture === undefined || fixture.startsWith(each.fixture)),
  );

it('holds every relation on every fixture of every connector', async () => {
  const fixtures = await allFixtures();
  // By relation, so that a part of the rows has each relation.
  const pairs = sampleRows(relations.flatMap((relation) => fixtures.map((fixture) => ({ fixture, relation }))));
  const known = new Map<object, Outcome>();
  const rows: Row[] = [];
  for (const { fixture, relation } of pairs) {
    const before = known.get(fixture) ?? (await readVaried(fixture, (body) => body));
    known.set(fixture, before);
    const run = await runRelation(relation, fixture, before);
    rows.push({ relation: relation.name, connector: fixture.connector, fixture: fixture.name, ...run });
  }
  const broken = rows.filter((row) => row.violations.length > 0);
  const variants = rows.reduce((sum, { count }) => sum + count, 0);
  console.log(
    `${fixtures.length} fixtures, ${relations.length} relations, ${variants} varied answers, ${exceptions.length} exceptions`,
  );
  expect(broken.filter((row) => exceptionsFor(row).length === 0)).toEqual([]);
  scaled({ short: () => undefined, full: () => expectWholeTable(rows) })();
});

/** Each connector has an answer for each relation, or the reason that it has none, and no reason is out of use. */
function expectWholeTable(rows: readonly Row[]): void {
  const cells = relations.flatMap(({ name: relation }) => connectorCodes.map((connector) => ({ relation, connector })));
  const isOf = (row: Row, cell: { relation: string; connector: string }) =>
    row.relation === cell.relation && row.connector === cell.connector;
  const isVaried = (cell: { relation: string; connector: string }) =>
    rows.some((row) => isOf(row, cell) && row.count > 0);
  const silent = cells.filter((cell) => !isVaried(cell) && exceptionsFor({ ...cell, fixture: '' }).length === 0);
  expect(silent.map(({ relation, connector }) => `${connector}: ${relation}`)).toEqual([]);
  const excused = [
    ...rows.filter(({ violations }) => violations.length > 0),
    ...cells.filter((cell) => !isVaried(cell)).map((cell) => ({ ...cell, fixture: '' })),
  ];
  const textOf = (each: Exception, connector: string) => `${exceptions.indexOf(each)} ${connector}: ${each.relation}`;
  const used = new Set(excused.flatMap((row) => exceptionsFor(row).map((each) => textOf(each, row.connector))));
  const all = exceptions.flatMap((each) => each.connectors.map((connector) => textOf(each, connector)));
  expect(all.filter((text) => !used.has(text))).toEqual([]);
}
