import type { Readable } from 'node:stream';
import { maxRowBytes } from '#shared/contract/imports/import-row-body.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { RawRow } from '#shared/domain/registration/import.ts';
import { maxWorkbookParts } from '../limits.ts';
import { readCellFormats } from './cell-formats.ts';
import { type Archive, damaged, openArchive } from './open-archive.ts';
import { readWhole } from './read-xml.ts';
import { openSharedTexts, type SharedTexts } from './shared-texts.ts';
import { readSheetRows, unescaped } from './sheet-rows.ts';

/** A visible sheet. `rows` reads it from its start. */
export type Sheet = { name: string; rows: () => AsyncGenerator<RawRow[]> };

/**
 * The visible sheets of a workbook (.xlsx, .xlsm) held in memory, in order. Throws LandfallError `validation_failed` for
 * another kind of ZIP and for a damaged or oversized workbook. `holdMemory` takes memory for its texts.
 */
export async function openWorkbook(
  bytes: Buffer,
  holdMemory: (bytes: number) => void,
): Promise<{ sheets: Sheet[]; close: () => void }> {
  const archive = await openArchive(bytes);
  try {
    const root = await readRelations(archive, '_rels/.rels', '');
    const path = root.find(({ type }) => type === 'officeDocument')?.path ?? 'xl/workbook.xml';
    if (!archive.names.includes(path) || !path.endsWith('.xml')) throw otherZip(archive.names);
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const relations = await readRelations(archive, `${folder}_rels/${path.slice(folder.length)}.rels`, folder);
    const partOf = (kind: string) => relations.find(({ type }) => type === kind)?.path ?? '';
    const { listed, is1904 } = await readSheetList(archive, path);
    const shared = {
      texts: await readSharedTexts(await archive.open(partOf('sharedStrings')), holdMemory),
      formats: await readCellFormats(await archive.open(partOf('styles'))),
      is1904,
    };
    const named = new Map<string, Sheet>();
    for (const { name, relation } of listed) {
      const found = relations.find(({ id, type }) => id === relation && type === 'worksheet');
      // Sheets that share a part would be read once for each name.
      if (found !== undefined && !named.has(found.path))
        named.set(found.path, { name, rows: () => rowsOf(found.path) });
    }
    const sheets = [...named.values()];
    return { sheets, close: archive.close };

    async function* rowsOf(sheet: string): AsyncGenerator<RawRow[]> {
      const part = await archive.open(sheet);
      if (part === null) throw damaged(new Error(`${sheet} is missing`));
      try {
        yield* readSheetRows(part, shared);
      } finally {
        part.destroy();
      }
    }
  } catch (error) {
    archive.close();
    throw error;
  }
}

type Relation = { id: string; type: string; path: string };

async function readRelations(archive: Archive, name: string, folder: string): Promise<Relation[]> {
  const relations: Relation[] = [];
  await readWhole(await archive.open(name), {
    open: (tag, { Id: id = '', Type: type = '', Target: target = '' }) => {
      if (tag !== 'Relationship') return;
      if (relations.length >= maxWorkbookParts) throw new Error('too many relationships');
      const path = target.startsWith('/') ? target.slice(1) : folder + target.replace(/^\.\//, '');
      relations.push({ id, type: type.slice(type.lastIndexOf('/') + 1), path });
    },
  });
  return relations;
}

async function readSheetList(
  archive: Archive,
  path: string,
): Promise<{ listed: { name: string; relation: string }[]; is1904: boolean }> {
  const listed: { name: string; relation: string }[] = [];
  let is1904 = false;
  await readWhole(await archive.open(path), {
    open: (tag, attributes) => {
      if (tag === 'workbookPr') is1904 = ['1', 'true'].includes(attributes.date1904 ?? '');
      if (tag !== 'sheet' || (attributes.state ?? 'visible') !== 'visible') return;
      if (listed.length >= maxWorkbookParts) throw new Error('too many sheets');
      const [, relation = ''] = Object.entries(attributes).find(([name]) => name.endsWith(':id')) ?? [];
      listed.push({ name: attributes.name ?? '', relation });
    },
  });
  return { listed, is1904 };
}

/** Rich text is joined, and what phonetic guides add is left out. */
async function readSharedTexts(part: Readable | null, holdMemory: (bytes: number) => void): Promise<SharedTexts> {
  const texts = openSharedTexts(holdMemory);
  let current = '';
  let isText = false;
  let inPhonetic = false;
  await readWhole(part, {
    open: (tag) => {
      if (tag === 'si') current = '';
      if (tag === 'rPh') inPhonetic = true;
      isText = tag === 't' && !inPhonetic;
    },
    text: (text) => {
      // A text in a million pieces would be joined from all of them.
      if (isText && current.length <= maxRowBytes) current += text;
    },
    close: (tag) => {
      if (tag === 't') isText = false;
      if (tag === 'rPh') inPhonetic = false;
      // Any number of cells may refer to a text: the spaces around it are dropped once.
      if (tag === 'si') texts.add(unescaped(current).trim());
    },
  });
  return texts;
}

function otherZip(names: readonly string[]): LandfallError {
  let kind = 'a ZIP archive, not a table. Unpack it and send the file inside';
  if (names.includes('xl/workbook.bin')) kind = 'a binary workbook (.xlsb). Save it as .xlsx or CSV';
  else if (names.includes('content.xml')) kind = 'an OpenDocument file (.ods). Save it as .xlsx or CSV';
  else if (names.some((name) => name.startsWith('word/') || name.startsWith('ppt/')))
    kind = 'a document, not a workbook. Save the table as .xlsx or CSV';
  return new LandfallError('validation_failed', `The file is ${kind}.`);
}
