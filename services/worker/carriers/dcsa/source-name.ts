import type { DcsaDialect } from './dialect.ts';

/** What a record's source calls the line: `dcsa:maersk`; `dcsa` for the standard as written. */
export function sourceName({ connector }: Pick<DcsaDialect, 'connector'>): string {
  return connector === 'dcsa' ? 'dcsa' : `dcsa:${connector}`;
}
