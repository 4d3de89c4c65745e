import { createYield } from '#shared/async/yield-event-loop.ts';
import type { EdiFile, EdiPart } from '#shared/edi/read-edi-file.ts';
import type { Fit } from '../shared-pages/draw.ts';
import type { SentLogo } from '../shared-pages/read-logo.ts';
import type { TableInput, TablePart } from '../uploads/xlsx/read-table.ts';

/**
 * Reads a file in parts, each of which is handed over in a few milliseconds. `hold` takes memory beside that of the
 * file, in bytes. Throws LandfallError for what cannot be read.
 */
export type Parser<Input, Part> = (input: Input, hold: (bytes: number) => void) => AsyncIterable<Part>;

type Files = {
  edi: { input: EdiFile; part: EdiPart };
  workbook: { input: TableInput; part: TablePart };
  /** `bytes`: an SVG of ours. */
  picture: { input: { bytes: Uint8Array; fitTo: Fit }; part: Uint8Array };
  logo: { input: SentLogo; part: Uint8Array };
};

export type ParserName = keyof Files;
export type InputOf<Name extends ParserName> = Files[Name]['input'];
export type PartOf<Name extends ParserName> = Files[Name]['part'];

type Parsers = {
  [Name in ParserName]: {
    /** A file of at most this size, in bytes, is read on the calling thread. */
    maxInlineBytes: number;
    /**
     * The units of a part, by which a later reading of the same file finds where an earlier one stopped: its parts may
     * be cut elsewhere. Parts without a list of units are one.
     */
    unitsOf: (part: PartOf<Name>) => readonly unknown[] | null;
    /** The part without its first units. */
    after: (part: PartOf<Name>, units: number) => PartOf<Name>;
    load: () => Promise<Parser<InputOf<Name>, PartOf<Name>>>;
  };
};

const inOnePart = { maxInlineBytes: 0, unitsOf: () => null, after: (part: Uint8Array) => part };
/** Of a drawing of 1200 × 630 pixels with its fonts and its map. */
const pictureBytes = 12 * 1024 ** 2;

/** The parsers of files that strangers send, and what draws pictures. Each is loaded by its first file. */
export const parsers: Parsers = {
  // Handing over a short message would take longer than reading it.
  edi: {
    maxInlineBytes: 64 * 1024,
    unitsOf: (part) => (part.kind === 'messages' ? part.messages : null),
    after: (part, units) => (part.kind === 'messages' ? { ...part, messages: part.messages.slice(units) } : part),
    load: async () => {
      const { readEdiFile } = await import('#shared/edi/read-edi-file.ts');
      return (file) => withPauses(readEdiFile(file));
    },
  },
  // Few bytes may unpack to a thousand times as many.
  workbook: {
    maxInlineBytes: 0,
    unitsOf: (part) => (part.kind === 'rows' ? part.rows : null),
    after: (part, units) => (part.kind === 'rows' ? { ...part, rows: part.rows.slice(units) } : part),
    load: async () => (await import('../uploads/xlsx/read-table.ts')).readTable,
  },
  // Drawing takes a tenth of a second, and four million pixels take longer.
  picture: {
    ...inOnePart,
    load: async () => {
      const { drawPng } = await import('../shared-pages/draw.ts');
      return async function* ({ bytes, fitTo }, hold) {
        hold(pictureBytes);
        yield drawPng(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(), fitTo);
      };
    },
  },
  logo: {
    ...inOnePart,
    load: async () => {
      const { readLogo } = await import('../shared-pages/read-logo.ts');
      return async function* (logo, hold) {
        yield readLogo(logo, hold);
      };
    },
  },
};

/** The parts of a file that is read in steps, with pauses for other work. */
async function* withPauses<Part>(steps: Iterable<Part | undefined>): AsyncGenerator<Part> {
  const yieldIfDue = createYield();
  for (const part of steps) {
    if (part !== undefined) yield part;
    await yieldIfDue();
  }
}
