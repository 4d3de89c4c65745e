export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The value with another one at a path. `a.b[].c`: `[]` stands for each item of a list, or for the value itself if it is
 * no list. `undefined` removes the field or the item. What the path doesn't lead to stays.
 */
export function edit(value: unknown, path: string, change: (value: unknown) => unknown): unknown {
  return path === '' ? change(value) : editAt(value, path.split('.'), change);
}

function editAt(value: unknown, [step = '', ...rest]: readonly string[], change: (value: unknown) => unknown): unknown {
  const name = step.replace('[]', '');
  const isEach = step.endsWith('[]');
  const next = (each: unknown) => (rest.length === 0 ? change(each) : editAt(each, rest, change));
  const ofItems = (each: unknown) =>
    isEach && Array.isArray(each) ? each.map(next).filter((item) => item !== undefined) : next(each);
  if (name === '') return ofItems(value);
  if (!isFields(value) || !Object.hasOwn(value, name)) return value;
  const changed = ofItems(value[name]);
  if (changed !== undefined) return { ...value, [name]: changed };
  const { [name]: _, ...others } = value;
  return others;
}

/** The values at a path. */
export function find(value: unknown, path: string): unknown[] {
  const found: unknown[] = [];
  edit(value, path, (each) => {
    found.push(each);
    return each;
  });
  return found;
}

/** The value with every object, list and leaf in it replaced, from the inside out. `undefined` removes it. */
export function replaceAll(value: unknown, replace: (value: unknown, key: string) => unknown, key = ''): unknown {
  if (Array.isArray(value))
    return replace(
      value.map((item) => replaceAll(item, replace, key)).filter((item) => item !== undefined),
      key,
    );
  if (!isFields(value)) return replace(value, key);
  const entries = Object.entries(value).map(([name, field]) => [name, replaceAll(field, replace, name)] as const);
  return replace(Object.fromEntries(entries.filter(([, field]) => field !== undefined)), key);
}
