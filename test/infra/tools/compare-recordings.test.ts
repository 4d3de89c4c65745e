import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { RecordedAnswer } from '#infra/tools/golden/capture.ts';
import { compareRecordings } from '#infra/tools/golden/compare-recordings.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

type Ids = { shipment: string; first: string; second: string; etag: string };
const oldIds: Ids = { shipment: idOf('shp', 'a'), first: idOf('evt', 'b'), second: idOf('evt', 'c'), etag: '"x"' };
const newIds: Ids = { shipment: idOf('shp', '1'), first: idOf('evt', '2'), second: idOf('evt', '3'), etag: '"y"' };

function idOf(prefix: string, digit: string): string {
  return `${prefix}_0${digit.repeat(25)}`;
}

/** Two answers about one shipment: its record, and its events, one of which replaced the other. */
function answersOf({ shipment, first, second, etag }: Ids): RecordedAnswer[] {
  const events = [
    { event_id: first, time: { at: '2026-03-01T08:00:00.000Z' }, superseded_by: second },
    { event_id: second, time: { at: '2026-03-01T09:00:00.000Z' }, superseded_by: null },
  ];
  const common = { status: 200, type: 'application/json', link: '' };
  return [
    {
      ...common,
      request: `GET /v1/shipments/${shipment}`,
      etag,
      body: JSON.stringify({ shipment_id: shipment, status_evidence: { event_id: second } }),
    },
    { ...common, request: `GET /v1/shipments/${shipment}/events`, etag: '', body: JSON.stringify({ data: events }) },
  ];
}

function recordingOf(answers: readonly RecordedAnswer[], list: RecordedAnswer | null = null): string {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-recording-'));
  folders.push(folder);
  if (list !== null) writeFileSync(join(folder, 'account-0.ndjson'), `${JSON.stringify(list)}\n`);
  writeFileSync(join(folder, 'voyage.ndjson'), answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''));
  return folder;
}

/** The recording of the other build with a change of its text. */
function compareWith(change: (answers: RecordedAnswer[]) => RecordedAnswer[]) {
  return compareRecordings(recordingOf(answersOf(oldIds)), recordingOf(change(answersOf(newIds))));
}

const inEvents = (edit: (body: string) => string) => (answers: RecordedAnswer[]) =>
  answers.map((answer, index) => (index === 1 ? { ...answer, body: edit(answer.body) } : answer));

describe('the comparison of two recordings', () => {
  it('finds nothing in recordings that differ in their ids only', () => {
    expect(compareWith((answers) => answers)).toEqual({
      answers: 2,
      differing: 0,
      differences: [],
      files: new Map(),
    });
  });

  it.each([
    ['a time that differs by a second', inEvents((body) => body.replace('T09:00:00', 'T09:00:01')), 'T09:00:01'],
    [
      'an id in the place of another',
      inEvents((body) => body.replace(`"${newIds.second}"}`, `"${newIds.first}"}`)),
      '',
    ],
    [
      'two ids that are exchanged',
      inEvents((body) => {
        const marked = body.replaceAll(newIds.first, 'MARK').replaceAll(newIds.second, newIds.first);
        return marked.replaceAll('MARK', newIds.second);
      }),
      newIds.second,
    ],
    ['one id that stands for two', inEvents((body) => body.replaceAll(newIds.first, newIds.second)), newIds.second],
    ['an id where there was null', inEvents((body) => body.replace('null', `"${newIds.first}"`)), newIds.first],
    [
      'another order of fields',
      inEvents((body) => body.replace(/("time":{[^}]*}),("superseded_by":[^}]*)/, '$2,$1')),
      '',
    ],
    ['a blank', inEvents((body) => body.replace('{"data"', '{ "data"')), ' "data"'],
    ['an answer that is missing', (answers: RecordedAnswer[]) => answers.slice(0, 1), 'no answer'],
    [
      'another status',
      (answers: RecordedAnswer[]) =>
        answers.map((answer, index) => (index === 1 ? { ...answer, status: 404 } : answer)),
      '404',
    ],
    [
      'an entity tag that was lost',
      (answers: RecordedAnswer[]) => answers.map((answer) => ({ ...answer, etag: '' })),
      '',
    ],
  ])('finds %s', (_, change, shown) => {
    const { differing, differences } = compareWith(change);
    expect(differing).toBeGreaterThan(0);
    expect(differences[0]?.is).toContain(shown);
  });

  it('finds a list in another order in the list alone', () => {
    const listOf = (ids: readonly string[]): RecordedAnswer => ({
      ...{ request: 'GET /v1/shipments', status: 200, type: 'application/json', etag: '', link: '' },
      body: JSON.stringify({ data: ids }),
    });
    const { files } = compareRecordings(
      recordingOf(answersOf(oldIds), listOf([oldIds.first, oldIds.second])),
      recordingOf(answersOf(newIds), listOf([newIds.second, newIds.first])),
    );
    expect([...files]).toEqual([['account-0.ndjson', 1]]);
  });

  it('finds a voyage that only one build recorded', () => {
    const [full, empty] = [recordingOf(answersOf(oldIds)), recordingOf(answersOf(newIds))];
    rmSync(join(empty, 'voyage.ndjson'));
    expect(compareRecordings(full, empty).differences).toEqual([{ at: 'voyage.ndjson', was: 'a file', is: 'no file' }]);
  });
});
