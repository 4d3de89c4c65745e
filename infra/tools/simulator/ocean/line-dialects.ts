import { createCmaCgmDialect } from './cma-cgm-dialect.ts';
import type { Dialect } from './dialect.ts';
import { createEvergreenDialect } from './evergreen-dialect.ts';
import { hmmDialect } from './hmm-dialect.ts';
import { createMscDialect } from './msc-dialect.ts';
import { createOneDialect } from './one-dialect.ts';
import { yangMingDialect } from './yang-ming-dialect.ts';
import { zimDialect } from './zim-dialect.ts';

/**
 * The dialects of all lines except the plain standard, Maersk and Hapag-Lloyd. `isToken` checks whether an access token
 * is valid.
 */
export function lineDialects(isToken: (token: string, nowMs: number) => boolean): Dialect[] {
  return [
    createCmaCgmDialect(isToken),
    createMscDialect(isToken),
    createOneDialect(isToken),
    createEvergreenDialect(isToken),
    yangMingDialect,
    zimDialect,
    hmmDialect,
  ];
}
