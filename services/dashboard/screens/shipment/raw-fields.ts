const deepest = 4;
const mostFields = 40;

/** What a carrier said, flattened to names and values: `transportCall.vessel.vesselIMONumber`, `9619921`. Nothing is left out but empty fields. */
export function rawFields(raw: unknown): { fields: { name: string; value: string }[]; left: number } {
  const fields: { name: string; value: string }[] = [];
  collect(raw, '', 0, fields);
  return { fields: fields.slice(0, mostFields), left: Math.max(0, fields.length - mostFields) };
}

function collect(value: unknown, name: string, depth: number, into: { name: string; value: string }[]): void {
  if (value === null || value === undefined || value === '') return;
  if (typeof value !== 'object') {
    into.push({ name, value: String(value) });
    return;
  }
  if (depth >= deepest) {
    into.push({ name, value: JSON.stringify(value) });
    return;
  }
  for (const [key, inner] of Object.entries(value)) {
    collect(inner, Array.isArray(value) ? `${name}[${key}]` : name === '' ? key : `${name}.${key}`, depth + 1, into);
  }
}
