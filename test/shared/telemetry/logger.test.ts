import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { TracerProvider } from '@opentelemetry/sdk-trace';
import { pino } from 'pino';
import { beforeAll, expect, it } from 'vitest';
import { currentIds, currentTraceId, currentTraceparent, inSpan } from '#shared/telemetry/events.ts';
import { openLineOutput } from '#shared/telemetry/line-output.ts';
import { createLogger } from '#shared/telemetry/logger.ts';

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(new TracerProvider());
});

function capture() {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger({
    name: 'test',
    level: 'info',
    destination: { write: (line) => lines.push(JSON.parse(line)) },
  });
  return { lines, log };
}

it('writes the ids of the active trace into each line, and none outside a span', async () => {
  const { lines, log } = capture();
  const ids = await inSpan('work', {}, () => {
    log.info('inside');
    return { trace_id: currentTraceId(), span_id: currentIds()?.spanId };
  });
  log.info('outside');
  expect(lines[0]).toMatchObject({ msg: 'inside', name: 'test', ...ids });
  expect(lines[1]).not.toHaveProperty('trace_id');
});

it('redacts keys and passwords', () => {
  const { lines, log } = capture();
  const headers = {
    authorization: 'secret',
    'x-api-key': 'secret',
    'consumer-key': 'secret',
    cookie: 'secret',
    accept: 'json',
  };
  log.info(
    { headers, req: { headers }, apiKey: 'secret', carrier: { clientSecret: 'secret', password: 'secret' } },
    'seen',
  );
  expect(JSON.stringify(lines)).not.toContain('"secret"');
  expect(lines[0]).toMatchObject({ headers: { accept: 'json' } });
});

it('continues a given traceparent, starts a new trace for a root, and ignores a malformed traceparent', async () => {
  const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  expect(await inSpan('child', { parent }, currentTraceId)).toBe('0af7651916cd43dd8448eb211c80319c');
  expect(await inSpan('orphan', { parent: 'nonsense' }, currentTraceId)).toMatch(/^[0-9a-f]{32}$/);
  const [outer, inner] = await inSpan('outer', {}, async () => [
    currentTraceId(),
    await inSpan('inner', { root: true, links: [parent, 'nonsense'] }, currentTraceId),
  ]);
  expect(inner).not.toBe(outer);
  expect(currentTraceparent()).toBeNull();
});

it('writes the lines of one turn together, and no line later than a turn', async () => {
  const writes: string[] = [];
  const log = pino({}, openLineOutput({ write: (text) => writes.push(text) }));
  log.info('first');
  log.info('second');
  expect(writes).toEqual([]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(writes.map((text) => text.trimEnd().split('\n').length)).toEqual([2]);
  log.info('x'.repeat(70_000));
  expect(writes).toHaveLength(2);
});

it.each([
  ['exit', 'process.exit(3)'],
  ['an uncaught error', 'throw new Error("broken")'],
  ['a fatal line', 'log.fatal("third"); process.kill(process.pid, "SIGKILL")'],
])('writes every line before %s', (_name, end) => {
  const program = `import { createLogger } from '#shared/telemetry/logger.ts';
    const log = createLogger({ name: 'test', level: 'info', format: 'json' });
    log.info('first'); log.info('second'); ${end};`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  expect(stdout).toMatch(/"msg":"first".*\n.*"msg":"second"/);
});
