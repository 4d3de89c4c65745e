import { expect, test } from 'vitest';
import { type FileTiming, filesOverLimit, slowestFiles, timingsText } from './file-timings.ts';

test('a file over 20 s of CPU time is over the limit', () => {
  expect(filesOverLimit([timing({ cpuMs: 20_001 }), timing({ cpuMs: 20_000 })])).toEqual([
    '20.0 s  test/a.test.ts (plain, 3 tests, CPU 20.0 s, clock 2.0 s)',
  ]);
});

test('a file that waits for more than 20 s is over the limit even with no CPU time', () => {
  expect(filesOverLimit([timing({ wallMs: 30_000, uncontendedMs: 25_000 })])).toHaveLength(1);
});

test('a busy machine raises no file over the limit', () => {
  expect(filesOverLimit([timing({ wallMs: 90_000, uncontendedMs: 4000, cpuMs: 15_000 })])).toEqual([]);
});

test('the ten slowest files are listed, slowest first', () => {
  const files = Array.from({ length: 12 }, (_, index) => timing({ file: `${index}`, cpuMs: index * 1000 }));
  const lines = slowestFiles(files);
  expect(lines).toHaveLength(10);
  expect(lines[0]).toMatch(/^11\.0 s {2}11 /);
  expect(lines[9]).toMatch(/^2\.0 s {2}2 /);
});

test('the file of timings holds every file and the CPU time of the run', () => {
  const text = timingsText([timing({}), timing({ file: 'b', cpuMs: 9000 })], { testsMs: 5, postgresMs: 6 });
  expect(JSON.parse(text)).toEqual({
    cpu: { testsMs: 5, postgresMs: 6 },
    files: [timing({ file: 'b', cpuMs: 9000 }), timing({})],
  });
});

function timing(changes: Partial<FileTiming>): FileTiming {
  return {
    file: 'test/a.test.ts',
    project: 'plain',
    tests: 3,
    wallMs: 2000,
    cpuMs: 1000,
    uncontendedMs: 500,
    ...changes,
  };
}
