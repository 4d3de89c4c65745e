import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { SaxesParser } from 'saxes';
import { damaged } from './open-archive.ts';

export type XmlHandlers = {
  open?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  close?: (name: string) => void;
  text?: (text: string) => void;
};

const maxDepth = 100;

/**
 * Reads a part of a workbook and pauses after each of its chunks, so that the caller can take what the handlers
 * gathered. Names come without their prefix: some writers use one. Custom entities are not expanded. Throws
 * LandfallError `validation_failed` for XML that is not well-formed.
 */
export async function* readXml(part: Readable, handlers: XmlHandlers): AsyncGenerator<void> {
  const parser = new SaxesParser<{ xmlns: false }>({ xmlns: false });
  let depth = 0;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    if (depth > maxDepth) throw new Error('too many nested elements');
    handlers.open?.(localName(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    handlers.close?.(localName(name));
  });
  parser.on('text', (text) => handlers.text?.(text));
  const decoder = new StringDecoder('utf8');
  try {
    for await (const bytes of part) {
      parser.write(decoder.write(bytes as Buffer));
      yield;
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
