import type { EdiMessage } from '#shared/edi/edi-reading.ts';
import type { EdiEnvelope } from '#shared/edi/read-edi-file.ts';
import { readEdiFile } from '#shared/edi/read-edi-file.ts';
import { type EdiFixture, nowMs } from './edi-fixtures.ts';

/** Another form of a file. */
export type EdiVariant = string | Uint8Array<ArrayBuffer>;

/**
 * A relation between two files and what is read of them. `variants`: none if the file has nothing to vary. `violations`:
 * in what the reading of the variant breaks the relation.
 */
export type EdiRelation = {
  name: string;
  holds: string;
  variants: (fixture: EdiFixture) => EdiVariant[];
  /** The file to compare with, if it is not the fixture itself. */
  base?: (fixture: EdiFixture) => EdiVariant;
  violations: (before: EdiOutcome, after: EdiOutcome, fixture: EdiFixture) => string[];
};

export type EdiOutcome = { interchanges: EdiEnvelope[]; messages: EdiMessage[] };

/** All that is read of a file. A file that is refused has one message, with the reason. */
export function readVariant({ format }: EdiFixture, file: EdiVariant): EdiOutcome {
  const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file;
  const read: EdiOutcome = { interchanges: [], messages: [] };
  for (const part of readEdiFile({ format, bytes, charset: null, nowMs })) {
    if (part?.kind === 'envelopes') read.interchanges.push(...part.interchanges);
    if (part?.kind === 'messages') read.messages.push(...part.messages);
  }
  return read;
}

/** Everything that is read but the text itself and, if `isMoved`, the places of the segments. */
export function statedBy({ interchanges, messages }: EdiOutcome, { isMoved = false } = {}): string[] {
  const hidden = isMoved ? ['raw', 'segment'] : ['raw'];
  const text = (value: unknown) =>
    JSON.stringify(value, (key, each: unknown) => (hidden.includes(key) ? undefined : each));
  return [...interchanges.map(text), ...messages.map(text)];
}

export function nothingChanges(before: EdiOutcome, after: EdiOutcome): string[] {
  return lostAndAdded(statedBy(before), statedBy(after));
}

/** The lines that only one of both has. */
export function lostAndAdded(was: readonly string[], is: readonly string[]): string[] {
  const [left, right] = [new Set(was), new Set(is)];
  return [
    ...was.filter((line) => !right.has(line)).map((line) => `− ${line}`),
    ...is.filter((line) => !left.has(line)).map((line) => `+ ${line}`),
    ...(was.length === is.length ? [] : [`${was.length} → ${is.length} lines`]),
  ];
}
