import type { DcsaDialect } from './dialect.ts';

/** Where the record says that its data comes from: `dcsa:maersk`, `simulator:dcsa`. */
export function sourceName(dialect: DcsaDialect, simulated: boolean): string {
  const spoken = dialect.connector === 'dcsa' ? 'dcsa' : `dcsa:${dialect.connector}`;
  return simulated ? `simulator:${spoken}` : spoken;
}
