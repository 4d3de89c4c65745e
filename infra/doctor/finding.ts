/** The result of one check. `warning`: it works, but should be improved. `failure`: it doesn't work, or soon won't. */
export type Finding = {
  level: 'ok' | 'warning' | 'failure';
  /** Name of the check, in a word or two. The same in every run. */
  check: string;
  found: string;
  /** Remedy. Null when nothing needs to be done. */
  advice: string | null;
};

export function fine(check: string, found: string): Finding {
  return { level: 'ok', check, found, advice: null };
}

export function warn(check: string, found: string, advice: string): Finding {
  return { level: 'warning', check, found, advice };
}

export function fail(check: string, found: string, advice: string): Finding {
  return { level: 'failure', check, found, advice };
}

/** The first line of an error's message, or else its code. For several addresses of one host, the first error. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  const text = error.message.split('\n', 1)[0] ?? '';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return text || code || error.name;
}

/** Bytes in readable form: `1.4 GB`. */
export function sizeOf(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1000 ** power;
  return `${value >= 10 || power === 0 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}
