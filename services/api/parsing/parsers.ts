import { createYield } from '#shared/async/yield-event-loop.ts';
import type { EdiFile, EdiPart } from '#shared/edi/read-edi-file.ts';
import type { TableInput, TablePart } from '../uploads/xlsx/read-table.ts';

/**
 * Reads a file in parts, each of which is handed over in a few milliseconds. `hold` takes memory beside that of the
 * file, in bytes. Throws LandfallError for what cannot be read.
 */
export type Parser<Input, Part> = (input: Input, hold: (bytes: number) => void) => AsyncIterable<Part>;

type Files = {
  edi: { input: EdiFile; part: EdiPart };
  workbook: { input: TableInput; part: TablePart };
};

export type ParserName = keyof Files;
export type InputOf<Name extends ParserName> = Files[Name]['input'];
export type PartOf<Name extends ParserName> = Files[Name]['part'];

type Parsers = {
  [Name in ParserName]: {
    /** A file of at most this size, in bytes, is read on the calling thread. */
    maxInlineBytes: number;
    load: () => Promise<Parser<InputOf<Name>, PartOf<Name>>>;
  };
};

/** The parsers of files that strangers send. Each is loaded by its first file. */
export const parsers: Parsers = {
  // Handing over a short message would take longer than reading it.
  edi: {
    maxInlineBytes: 64 * 1024,
    load: async () => {
      const { readEdiFile } = await import('#shared/edi/read-edi-file.ts');
      return (file) => withPauses(readEdiFile(file));
    },
  },
  // Few bytes may unpack to a thousand times as many.
  workbook: { maxInlineBytes: 0, load: async () => (await import('../uploads/xlsx/read-table.ts')).readTable },
};

/** The parts of a file that is read in steps, with pauses for other work. */
async function* withPauses<Part>(steps: Iterable<Part | undefined>): AsyncGenerator<Part> {
  const yieldIfDue = createYield();
  for (const part of steps) {
    if (part !== undefined) yield part;
    await yieldIfDue();
  }
}
