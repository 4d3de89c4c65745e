import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fieldCases } from './fields/all-cases.ts';
import { plainPath, readFieldTable, rootOf, valuesAt } from './fields/field-table.ts';
import { asRecord, isOnTheWire } from './fields/record-paths.ts';

const folder = 'docs/reference/carrier-fields';
const pageText = (page: string) => readFileSync(`${folder}/${page}.md`, 'utf8');

it('has a case for every page, and links every page from the index', () => {
  const pages = readdirSync(folder)
    .filter((name) => name !== 'README.md')
    .map((name) => name.replace(/\.md$/, ''));
  expect(fieldCases.map(({ page }) => page).sort()).toEqual(pages.sort());
  const linked = [...pageText('README').matchAll(/\]\(([a-z0-9-]+)\.md\)/g)].map(([, page]) => page);
  expect(linked.sort()).toEqual(pages);
  const fixtures = readdirSync('test/fixtures/carrier-fields');
  expect(fixtures.filter((carrier) => !pages.includes(carrier))).toEqual([]);
});

describe.each(fieldCases)('fields of $page', ({ page, responses, read, expected, schemaFile }) => {
  const text = pageText(page);
  const rows = readFieldTable(text);
  const root = rootOf(text);
  const records = new Map<unknown, Promise<unknown>>();
  const recordOf = (response: unknown): Promise<unknown> => {
    const known = records.get(response) ?? read(response).then(asRecord);
    records.set(response, known);
    return known;
  };

  it('names source, version, address and date', () => {
    expect(text).toMatch(/^Source: .+/m);
    expect(text).toMatch(/^Read on: 20\d\d-\d\d-\d\d$/m);
  });

  it('has one row for each field', () => {
    const fields = rows.map(({ field }) => field);
    expect(fields.filter((field, index) => fields.indexOf(field) !== index)).toEqual([]);
    if (schemaFile === null) return;
    const published = readFileSync(`test/fixtures/carrier-fields/${schemaFile}`, 'utf8').trim().split('\n');
    const covered = new Set(fields.map((field) => plainPath(root + field)));
    expect(published.filter((field) => !covered.has(field))).toEqual([]);
    expect([...covered].filter((field) => !published.includes(field))).toEqual([]);
  });

  it('names only paths that the record in the API has', () => {
    expect(rows.flatMap(({ shown }) => shown).filter((path) => !isOnTheWire(path))).toEqual([]);
  });

  it('proves every row that names a place on the record', () => {
    const stated = rows.flatMap(({ field, paths }) => paths.map((path) => `${field} → ${path}`));
    const proven = expected.map(([field, path]) => `${field} → ${path}`);
    expect(proven.sort()).toEqual(stated.sort());
  });

  it.each(expected)('%s is at %s', async (field, path, value) => {
    const holding = responses.filter((response) => valuesAt(response, root + field).length > 0);
    expect(holding, `no response has the field ${field}`).not.toEqual([]);
    const arrived = await Promise.all(holding.map(async (response) => valuesAt(await recordOf(response), path)));
    expect(arrived.flat(2)).toContainEqual(value);
  });
});

describe('readFieldTable', () => {
  const head = '| Field | Meaning | On the record |\n| --- | --- | --- |\n';

  it('reads fields with their paths or the reason', () => {
    const rows = readFieldTable(
      `Text\n\n${head}| \`a[].b\` | B of A | \`events[].code\` (internal), \`weight_kg\` |\n| \`c\` | C | Not kept: always the same |\n\n| Code | x |`,
    );
    expect(rows).toEqual([
      { field: 'a[].b', meaning: 'B of A', paths: ['events[].code', 'weight_kg'], shown: ['weight_kg'], reason: null },
      { field: 'c', meaning: 'C', paths: [], shown: [], reason: 'always the same' },
    ]);
  });

  it.each(['| a | A | `code` |', '| `a` |  | `code` |', '| `a` | A | |', '| `a` | A | Not kept: no |', '| `a` | A |'])(
    'refuses the row %s',
    (row) => {
      expect(() => readFieldTable(`${head}${row}`)).toThrow('A row needs');
    },
  );

  it('distinguishes paths of the record in the API from others', () => {
    const paths = ['delivery.window.from.local', 'pieces[].weight_kg', 'events[].delay_reason', 'pieces.weight_kg'];
    expect(paths.map(isOnTheWire)).toEqual([true, true, false, false]);
  });

  it('finds the values at a path', () => {
    const value = { a: [{ b: 1 }, { b: null }, {}, 'text', { b: 2 }], c: { d: ['x', 'y'] } };
    expect(valuesAt(value, 'a[].b')).toEqual([1, 2]);
    expect(valuesAt(value, 'c.d[]')).toEqual(['x', 'y']);
    expect(valuesAt([value], '[].c.d')).toEqual([['x', 'y']]);
    expect(valuesAt(value, 'c.toString')).toEqual([]);
    expect(
      valuesAt(
        {
          a: [
            { type: 'X', b: 1 },
            { type: 'Y', b: 2 },
          ],
        },
        'a[type=Y].b',
      ),
    ).toEqual([2]);
    expect(plainPath('a[type=Y].b[].c')).toBe('a[].b[].c');
    expect(rootOf('Read on: x\n\nPaths start at: `a.b[]`\n')).toBe('a.b[].');
  });
});
