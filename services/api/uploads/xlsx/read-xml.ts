import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { SaxesParser } from 'saxes';
import { createYield } from '#shared/async/yield-event-loop.ts';
import { damaged } from './open-archive.ts';

export type XmlHandlers = {
  open?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  close?: (name: string) => void;
  text?: (text: string) => void;
};

const maxDepth = 100;
/** The parser holds a text, a tag or a comment as a whole. A cell of Excel has at most 32,767 characters. */
const maxHeldBytes = 1024 * 1024;

/**
 * Reads a part of a workbook and pauses after each of its chunks, so that the caller can take what the handlers
 * gathered. Names come without their prefix: some writers use one. Custom entities are not expanded. Throws
 * LandfallError `validation_failed` for XML that is not well-formed.
 */
export async function* readXml(part: Readable, handlers: XmlHandlers): AsyncGenerator<void> {
  const parser = new SaxesParser<{ xmlns: false }>({ xmlns: false });
  const yieldIfDue = createYield();
  let depth = 0;
  let heldBytes = 0;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    heldBytes = 0;
    depth += 1;
    if (depth > maxDepth) throw new Error('too many nested elements');
    handlers.open?.(localName(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    heldBytes = 0;
    depth -= 1;
    handlers.close?.(localName(name));
  });
  for (const kind of ['text', 'cdata'] as const) {
    parser.on(kind, (text) => {
      heldBytes = 0;
      handlers.text?.(text);
    });
  }
  const decoder = new StringDecoder('utf8');
  try {
    for await (const bytes of part) {
      heldBytes += (bytes as Buffer).length;
      if (heldBytes > maxHeldBytes) throw new Error('a text or tag of more than 1 MiB');
      parser.write(decoder.write(bytes as Buffer));
      yield;
      // A part that is stored without compression arrives without a pause.
      await yieldIfDue();
    }
    parser.write(decoder.end()).close();
  } catch (error) {
    throw damaged(error);
  }
  yield;
}

/** The same, for a part that is read as a whole. A missing part has nothing. */
export async function readWhole(part: Readable | null, handlers: XmlHandlers): Promise<void> {
  if (part === null) return;
  for await (const _ of readXml(part, handlers));
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
