import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedAnswer } from './capture.ts';

/** `at`: the file and the request. */
export type Difference = { at: string; was: string; is: string };

/** Public ids, and trace ids where an answer names one. */
const idPattern = /\b[a-z]{2,5}_[0-7][0-9a-hjkmnp-tv-z]{25}\b|(?<=\\?"trace_id\\?":\\?")[0-9a-f]{32}/g;
const shownAround = 90;

/**
 * Compares two recordings byte for byte. An id of one must stand for the same id of the other wherever it occurs, and
 * no two for the same one; so must entity tags. Everything else must be equal. Returns the first `limit` differences,
 * how many answers were compared and differ, and how many of each file.
 */
export function compareRecordings(
  before: string,
  after: string,
  { limit = 20 }: { limit?: number } = {},
): { answers: number; differing: number; differences: Difference[]; files: Map<string, number> } {
  const ids = new OneToOne();
  const tags = new OneToOne();
  const found = { answers: 0, differing: 0, differences: [] as Difference[], files: new Map<string, number>() };
  const report = (difference: Difference): void => {
    found.differing += 1;
    const file = difference.at.split(' ')[0] ?? '';
    found.files.set(file, (found.files.get(file) ?? 0) + 1);
    if (found.differences.length < limit) found.differences.push(difference);
  };
  const names = new Set([...filesOf(before), ...filesOf(after)]);
  for (const name of [...names].toSorted(voyagesFirst)) {
    const [old, recent] = [linesOf(join(before, name)), linesOf(join(after, name))];
    if (old === null || recent === null) {
      report({ at: name, was: old === null ? 'no file' : 'a file', is: recent === null ? 'no file' : 'a file' });
      continue;
    }
    for (let index = 0; index < Math.max(old.length, recent.length); index++) {
      found.answers += 1;
      const [was, is] = [old[index], recent[index]];
      const at = `${name} ${was?.request ?? is?.request ?? ''}`;
      const difference =
        was === undefined || is === undefined
          ? { at, was: was === undefined ? 'no answer' : 'an answer', is: is === undefined ? 'no answer' : 'an answer' }
          : differenceOf(was, is, { ids, tags, at });
      if (difference !== null) report(difference);
    }
  }
  return found;
}

function differenceOf(
  was: RecordedAnswer,
  is: RecordedAnswer,
  { ids, tags, at }: { ids: OneToOne; tags: OneToOne; at: string },
): Difference | null {
  for (const field of ['request', 'type', 'link', 'body'] as const) {
    const place = firstDifference(was[field], is[field], ids);
    if (place !== null)
      return { at: `${at}: ${field}`, was: around(was[field], place.was), is: around(is[field], place.is) };
  }
  if (was.status !== is.status) return { at: `${at}: status`, was: String(was.status), is: String(is.status) };
  return tags.match(was.etag, is.etag) ? null : { at: `${at}: etag`, was: was.etag, is: is.etag };
}

/**
 * Voyages before accounts: they pair the ids of the same shipment. A list whose order differs would pair those of
 * different ones, and every voyage of the list would differ.
 */
function voyagesFirst(one: string, other: string): number {
  const isAccount = (name: string): number => Number(/\baccount-\d+\.ndjson$/.test(name));
  return isAccount(one) - isAccount(other) || (one < other ? -1 : 1);
}

/** Finds the first difference of two texts. Null: they are the same but for their ids. */
function firstDifference(was: string, is: string, ids: OneToOne): { was: number; is: number } | null {
  const [oldIds, newIds] = [[...was.matchAll(idPattern)], [...is.matchAll(idPattern)]];
  let [wasFrom, isFrom] = [0, 0];
  for (let index = 0; index <= Math.max(oldIds.length, newIds.length); index++) {
    const [oldId, newId] = [oldIds[index], newIds[index]];
    const between = was.slice(wasFrom, oldId?.index);
    const other = is.slice(isFrom, newId?.index);
    if (between !== other) {
      let same = 0;
      while (same < between.length && between[same] === other[same]) same += 1;
      return { was: wasFrom + same, is: isFrom + same };
    }
    if (oldId === undefined || newId === undefined)
      return oldId === newId ? null : { was: oldId?.index ?? was.length, is: newId?.index ?? is.length };
    if (prefixOf(oldId[0]) !== prefixOf(newId[0]) || !ids.match(oldId[0], newId[0]))
      return { was: oldId.index, is: newId.index };
    [wasFrom, isFrom] = [oldId.index + oldId[0].length, newId.index + newId[0].length];
  }
  return null;
}

/** Pairs that must stay pairs. */
class OneToOne {
  readonly #forth = new Map<string, string>();
  readonly #back = new Map<string, string>();

  /** Returns whether these two are a pair. Two unknown ones become one. */
  match(one: string, other: string): boolean {
    if (!this.#forth.has(one) && !this.#back.has(other)) {
      this.#forth.set(one, other);
      this.#back.set(other, one);
    }
    return this.#forth.get(one) === other && this.#back.get(other) === one;
  }
}

function prefixOf(id: string): string {
  return id.slice(0, id.indexOf('_') + 1);
}

function around(text: string, place: number): string {
  return text.slice(Math.max(0, place - shownAround), place + shownAround);
}

function filesOf(folder: string): string[] {
  return globSync('**/*.ndjson', { cwd: folder });
}

function linesOf(file: string): RecordedAnswer[] | null {
  if (!existsSync(file)) return null;
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as RecordedAnswer);
}
