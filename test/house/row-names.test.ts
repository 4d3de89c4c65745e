import { globSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';
import { describe, expect, it } from 'vitest';
import { fileText } from '#test/support/repository.ts';

const rootFolder = fileURLToPath(new URL('../../', import.meta.url));

/** Files that name columns in code, with the reason. */
const namedAsColumns: Readonly<Record<string, string>> = {
  'shared/store/packing/lists-of-text.ts': 'members of a packed text, which clients receive as it is',
  'shared/store/tracking/event-row.ts': 'one table of columns writes and reads the events',
  'shared/store/tracking/events.ts': 'one table of columns writes and reads the events',
};

/** Files that read rows without `readRows`, with the reason. */
const readApart: Readonly<Record<string, string>> = {
  'shared/store/backup/list-tables.ts': 'a connection of the owner, and a catalogue of PostgreSQL',
  'shared/store/backup/read-schema-state.ts': 'a connection of the owner, and columns of one word',
  'shared/store/backup/with-snapshot.ts': 'a connection of the owner, and columns of one word',
  'shared/store/ensure-logins.ts': 'a connection of the owner, and columns of one word',
  'shared/store/inspect-database.ts': 'a connection of the owner, and columns of one word',
  'shared/store/is-read-only.ts': 'a connection of the owner, and columns of one word',
  'shared/store/open-store.ts': 'the check of a new pool, with columns of one word',
  'shared/store/role-statements.ts': 'a connection of the owner, and columns of one word',
  'shared/store/schema/describe-schema.ts': 'a catalogue of PostgreSQL',
  'shared/store/tracking/events.ts': 'one table of columns writes and reads the events',
  'shared/store/verify-logins.ts': 'the check of a new pool, with columns of one word',
  'shared/store/with-account.ts': 'the clock of PostgreSQL, as a `Date`',
};

const files = globSync('shared/store/**/*.ts', { cwd: rootFolder }).map((file) => file.split(sep).join('/'));

describe('rows of the store', () => {
  it('name their columns in camelCase', () => {
    expect(files.length).toBeGreaterThan(150);
    const found = files.filter((file) => columnNames(fileText(file)).length > 0);
    expect(found.toSorted()).toEqual(Object.keys(namedAsColumns));
  });

  it('are read by readRows, which gives them these names', () => {
    const found = files.filter((file) => fileText(file).includes('.query<'));
    expect(found.toSorted()).toEqual(Object.keys(readApart));
  });
});

describe('the search for names of columns', () => {
  it.each([
    ['row.created_at', ['created_at']],
    ['rows[0]?.created_at', ['created_at']],
    ['type Row = { id: string; created_at: string }', ['created_at']],
    ['const { created_at: createdAt } = row', ['created_at']],
    ['rows.map(({ account_id }) => account_id)', ['account_id']],
    ['const text = `select created_at from landfall.notes`', []],
    ['constants.ZSTD_c_windowLog', []],
    ['connect({ application_name: name })', []],
  ])('finds in %s: %j', (code, names) => {
    expect(columnNames(code)).toEqual(names);
  });
});

type Node = { type: string; [field: string]: unknown };

/** The members of rows with an underscore: read, taken apart, or declared in a type. */
function columnNames(code: string): string[] {
  const names: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    const node = value as Node;
    const named = memberNames(node).filter((name) => /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/.test(name));
    names.push(...named);
    Object.values(node).forEach(visit);
  };
  visit(parseAst(code, { lang: 'ts' }).body);
  return names;
}

function memberNames(node: Node): string[] {
  if (node.type === 'MemberExpression' && node.computed === false) return [nameOf(node.property)];
  if (node.type === 'TSPropertySignature') return [nameOf(node.key)];
  if (node.type === 'ObjectPattern') return (node.properties as Node[]).map(({ key }) => nameOf(key));
  return [];
}

function nameOf(key: unknown): string {
  const { name, value } = (key ?? {}) as { name?: unknown; value?: unknown };
  return String(name ?? value ?? '');
}
