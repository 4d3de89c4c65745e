import type { DcsaDialect } from './dialect.ts';

/** The line's name in a record's source: `dcsa:maersk`, or `dcsa` for the plain standard. */
export function sourceName({ connector }: Pick<DcsaDialect, 'connector'>): string {
  return connector === 'dcsa' ? 'dcsa' : `dcsa:${connector}`;
}
