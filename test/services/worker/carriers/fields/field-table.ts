/**
 * A row of a page in docs/reference/carrier-fields. `paths`: where the value is on the record; none: `reason` says why. `shown`:
 * those that aren't internal.
 */
export type FieldRow = { field: string; meaning: string; paths: string[]; shown: string[]; reason: string | null };

/** The rows of all tables of a page whose first column is `Field`. */
export function readFieldTable(markdown: string): FieldRow[] {
  const rows: FieldRow[] = [];
  let isTable = false;
  for (const line of markdown.split('\n')) {
    const cells = line.startsWith('|')
      ? line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim())
      : null;
    if (cells === null) isTable = false;
    else if (cells[0] === 'Field') isTable = true;
    else if (isTable && !/^:?-+:?$/.test(cells[0] ?? '')) rows.push(readRow(cells, line));
  }
  return rows;
}

function readRow(cells: readonly string[], line: string): FieldRow {
  const [field = '', meaning = '', place = ''] = cells;
  const name = /^`([^`]+)`$/.exec(field)?.[1];
  if (cells.length !== 3 || name === undefined || meaning === '')
    throw new Error(`A row needs a field in backticks, its meaning and its place: ${line}`);
  const reason = /^Not kept: (.+)$/.exec(place)?.[1] ?? null;
  const paths = reason === null ? [...place.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path) : [];
  if (paths.length === 0 && (reason === null || reason.split(' ').length < 3))
    throw new Error(`A row needs paths of the record, or "Not kept:" with the reason: ${line}`);
  const shown = paths.filter((path) => !place.includes(`\`${path}\` (internal)`));
  return { field: name, meaning, paths, shown, reason };
}

/** The path that the fields of a page start at, or ''. */
export function rootOf(markdown: string): string {
  const root = /^Paths start at: `([^`]+)`$/m.exec(markdown)?.[1];
  return root === undefined ? '' : `${root}.`;
}

/** The path without the conditions of its steps. */
export function plainPath(path: string): string {
  return path.replace(/\[[^\]]+\]/g, '[]');
}

/**
 * The values at a path of a JSON value, without nulls. `[]` stands for each item of a list, `[type=X]` for those whose
 * field `type` is X. A step into a list without either reaches all items.
 */
export function valuesAt(value: unknown, path: string): unknown[] {
  let values = [value];
  for (const step of path.split('.')) {
    const [, name = '', list, key = '', wanted = ''] = /^([^[]*)(\[(?:([^=\]]+)=([^\]]*))?\])?$/.exec(step) ?? [];
    values = values.flatMap((each) => (name === '' ? [each] : fieldsOf(each, name)));
    if (list !== undefined) values = values.flatMap((each) => (Array.isArray(each) ? (each as unknown[]) : []));
    if (key !== '') values = values.filter((each) => fieldOf(each, key) === wanted);
  }
  return values.filter((each) => each !== undefined && each !== null);
}

function fieldsOf(value: unknown, name: string): unknown[] {
  return Array.isArray(value) ? value.map((each) => fieldOf(each, name)) : [fieldOf(value, name)];
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
