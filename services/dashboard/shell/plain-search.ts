/** Writes a search into the address as plain words instead of quoted JSON: people read it. */
export const plainSearch = { stringifySearch: writeSearch, parseSearch: readSearch };

function writeSearch(search: Record<string, unknown>): string {
  const written = new URLSearchParams();
  for (const [key, value] of Object.entries(search)) {
    if (value === undefined || value === null || value === '') continue;
    for (const one of Array.isArray(value) ? value : [value]) written.append(key, String(one));
  }
  const text = written.toString();
  return text === '' ? '' : `?${text}`;
}

function readSearch(text: string): Record<string, string | string[]> {
  const read: Record<string, string | string[]> = {};
  const params = new URLSearchParams(text);
  for (const key of new Set(params.keys())) {
    const [first = '', ...others] = params.getAll(key);
    read[key] = others.length === 0 ? first : [first, ...others];
  }
  return read;
}
