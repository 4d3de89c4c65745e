import { containerCheckDigit } from './check-digits.ts';
import type { Line } from './fleet.ts';
import { findContainerLine, findLine, lines } from './fleet.ts';
import { createRandom, type Random } from './random.ts';

/** The kind of number that a voyage was first requested by. */
export type ReferenceKind = 'bl' | 'booking' | 'container';

/** The numbers of one shipment. `bl` is as requested, or without a prefix when the simulator generated it. */
export type Identifiers = { bl: string; booking: string; containers: [string, ...string[]] };

/** The normalized form of a number: upper case letters and digits only. */
export function plainReference(text: string): string {
  return text.toUpperCase().replace(/[^A-Z0-9]/g, '');
}

/** A B/L number without the line's prefix, and the line that the prefix identifies. */
export function splitBl(text: string): { bare: string; line: Line | null } {
  const plain = plainReference(text);
  const line = plain.length >= 8 ? findLine(plain.slice(0, 4)) : null;
  return line ? { bare: plain.slice(4), line } : { bare: plain, line: null };
}

/** The line of a number: a container's owner, or else a line derived from the number. */
export function guessLine(kind: ReferenceKind, bare: string): Line {
  return (kind === 'container' ? findContainerLine(bare.slice(0, 4)) : null) ?? createRandom('line', bare).pick(lines);
}

/** All numbers of the shipment with the requested number. Generated numbers never contain `404`. */
export function identifiersOf(seed: string, line: Line, kind: ReferenceKind, asked: string): Identifiers {
  const bare = kind === 'bl' ? splitBl(asked).bare : plainReference(asked);
  const random = createRandom(seed, 'identifiers', line.scac, kind, bare);
  const made = {
    bl: known(() => String(random.whole(210_000_000, 989_999_999))),
    booking: known(() => String(random.whole(210_000_000, 989_999_999))),
    containers: Array.from({ length: random.pick([1, 1, 2, 2, 3, 4]) }, () => container(random, line)),
  };
  const [first = container(random, line), ...others] = made.containers;
  if (kind === 'bl') return { ...made, bl: plainReference(asked), containers: [first, ...others] };
  if (kind === 'booking') return { ...made, booking: bare, containers: [first, ...others] };
  return { ...made, containers: [bare, ...others] };
}

/** True when the simulator treats this number as unknown. */
export function isUnknown(reference: string): boolean {
  return reference.includes('404');
}

function container(random: Random, line: Line): string {
  return known(() => {
    const ownerAndSerial = `${random.pick(line.containerPrefixes)}${random.whole(100_000, 999_999)}`;
    return `${ownerAndSerial}${containerCheckDigit(ownerAndSerial)}`;
  });
}

function known(make: () => string): string {
  let reference = make();
  while (isUnknown(reference)) reference = make();
  return reference;
}
