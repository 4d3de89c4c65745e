import { createCmaCgmDialect } from './cma-cgm-dialect.ts';
import type { Dialect } from './dialect.ts';
import { createEvergreenDialect } from './evergreen-dialect.ts';
import { hmmDialect } from './hmm-dialect.ts';
import { createMscDialect } from './msc-dialect.ts';
import { createOneDialect } from './one-dialect.ts';
import { yangMingDialect } from './yang-ming-dialect.ts';
import { zimDialect } from './zim-dialect.ts';

/** The lines' dialects besides the plain standard, Maersk's and Hapag-Lloyd's. `isToken` tells a living access token. */
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
