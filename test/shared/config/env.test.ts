import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { carrierCodes, carrierEnv } from '#shared/config/carrier-variables.ts';
import {
  credentialKeys,
  describeVariables,
  EnvironmentError,
  isMachineOnly,
  readEnv,
  requireDatabaseUrl,
  requireOauthAddress,
} from '#shared/config/env.ts';

it('has a default for every variable', () => {
  const env = readEnv({});
  expect(env).toMatchObject({
    PORT: 8080,
    HOST: '127.0.0.1',
    DATABASE_URL: null,
    REDIS_URL: null,
    SIMULATOR: 'auto',
    CADENCE_SCALE: 1,
  });
  expect(carrierEnv(env, 'hapag-lloyd')).toEqual({
    baseUrl: null,
    authUrl: null,
    clientId: null,
    clientSecret: null,
    apiKey: null,
    certificate: null,
    privateKey: null,
    scope: null,
    accounts: [],
  });
});

it('treats an empty variable as unset and ignores surrounding blanks', () => {
  expect(readEnv({ PORT: '', REDIS_URL: '  ', HOST: ' 0.0.0.0 ' })).toMatchObject({
    PORT: 8080,
    REDIS_URL: null,
    HOST: '0.0.0.0',
  });
});

it('reports every problem at once, with the variable, its value and the remedy', () => {
  const problems = problemsOf({
    PORT: '80a',
    LOG_LEVEL: 'loud',
    DATABASE_URL: 'mysql://db',
    CADENCE_SCALE: '0',
    WORKER_HEALTH_PORT: '70000',
  });
  expect(problems).toHaveLength(5);
  expect(problems[0]).toBe('PORT="80a" must be a whole number from 0 to 65535. Correct it, or remove it to use 8080.');
  expect(problems[1]).toContain('LOG_LEVEL="loud" must be one of trace, debug');
  expect(problems.join('\n')).toMatch(/DATABASE_URL=.*postgres:\/\/ or postgresql:\/\//);
});

it('does not repeat a secret in a problem', () => {
  const problems = problemsOf({ DATABASE_URL: 'mysql://user:hunter2@db', REDIS_URL: 'hunter2' });
  expect(problems).toHaveLength(2);
  expect(problems.join('\n')).not.toContain('hunter2');
});

it('rejects a misspelled carrier variable, but not a variable of the platform', () => {
  expect(problemsOf({ CARRIER_MEARSK_BASE_URL: 'https://carrier.example' })[0]).toContain('MAERSK');
  expect(() => readEnv({ CARRIER_GATEWAY_SERVICE_HOST: '10.0.0.1' })).not.toThrow();
});

it('reads a carrier from its own variables', () => {
  const env = readEnv({
    CARRIER_HAPAG_LLOYD_BASE_URL: 'https://carrier.example',
    CARRIER_HAPAG_LLOYD_ACCOUNTS: 'one, two,',
  });
  expect(carrierEnv(env, 'hapag-lloyd')).toMatchObject({
    baseUrl: 'https://carrier.example',
    accounts: ['one', 'two'],
  });
});

it('throws without a database URL where a process needs one', () => {
  expect(() => requireDatabaseUrl(readEnv({}))).toThrow(/DATABASE_URL is not set/);
});

it('lists every variable in docs/reference/configuration.md, those of carriers by code and ending', () => {
  const document = readFileSync(new URL('../../../docs/reference/configuration.md', import.meta.url), 'utf8');
  const rows = document.split('\n').filter((line) => line.startsWith('| `'));
  const rowOf = (name: string) => rows.find((row) => row.startsWith(`| \`${name}\` |`));
  const codes = Object.values(carrierCodes).toSorted((left, right) => right.length - left.length);
  for (const code of codes) expect(rowOf(code), code).toBeDefined();
  const anyCode = new RegExp(`^CARRIER_(${codes.join('|')})_`);
  for (const { name, description } of describeVariables()) {
    expect(rowOf(name.replace(anyCode, 'CARRIER_<CODE>_')), name).toContain(description);
  }
});

function problemsOf(source: Record<string, string>): string[] {
  try {
    readEnv(source);
  } catch (error) {
    if (error instanceof EnvironmentError) return error.problems;
    throw error;
  }
  throw new Error('expected an EnvironmentError');
}

it('accepts the keys for stored secrets from a variable or a file, never from both, and never prints them', () => {
  const key = `v1:${'A'.repeat(43)}=`;
  const keys = [{ version: 'v1', key: `${'A'.repeat(43)}=` }];
  const read = (source: Record<string, string>, file = key) => credentialKeys(readEnv(source), () => file);
  expect(read({})).toEqual([]);
  expect(read({ CREDENTIAL_KEYS: key })).toEqual(keys);
  expect(read({ CREDENTIAL_KEYS_FILE: '/keys' }, `${key}\n`)).toEqual(keys);
  expect(() => read({ CREDENTIAL_KEYS: key, CREDENTIAL_KEYS_FILE: '/keys' })).toThrow(/both set/);
  expect(() => read({ CREDENTIAL_KEYS_FILE: '/keys' }, '')).toThrow(/cannot be read or contains no keys/);
  expect(() =>
    credentialKeys(readEnv({ CREDENTIAL_KEYS_FILE: '/missing' }), (path) => readFileSync(path, 'utf8')),
  ).toThrow(/cannot be read/);
  expect(problemsOf({ CREDENTIAL_KEYS: 'v1:needle' })).toEqual([
    expect.stringMatching(/^CREDENTIAL_KEYS=\(hidden\) must be <version>/),
  ]);
});

it('accepts MCP_OAUTH only with an encrypted address, or on the machine itself', () => {
  const checked = (source: Record<string, string>) => () =>
    requireOauthAddress(readEnv({ MCP_OAUTH: 'on', ...source }));
  for (const source of [
    {},
    { PUBLIC_BASE_URL: 'https://tracking.example.com' },
    { PUBLIC_BASE_URL: 'http://127.0.0.1:8080', HOST: '0.0.0.0' },
    { PUBLIC_BASE_URL: 'http://[::1]:8080' },
    { MCP_OAUTH: 'off', HOST: '0.0.0.0' },
  ])
    expect(checked(source)).not.toThrow();
  expect(checked({ HOST: '0.0.0.0' })).toThrow('Set PUBLIC_BASE_URL to an address that begins with https://');
  expect(checked({ PUBLIC_BASE_URL: 'http://tracking.example.com' })).toThrow('is not encrypted');
});

it.each([
  [{}, true],
  [{ HOST: 'localhost' }, true],
  [{ HOST: '::1', PUBLIC_BASE_URL: 'http://[::1]:8080' }, true],
  [{ PUBLIC_BASE_URL: 'http://127.0.0.1:8080' }, true],
  [{ PUBLIC_BASE_URL: 'https://track.example' }, false],
  [{ TRUST_PROXY: '127.0.0.1' }, false],
  [{ PUBLIC_BASE_URL: 'http://localhost:8080', TRUST_PROXY: '10.0.0.0/8' }, false],
  [{ HOST: '0.0.0.0' }, false],
  [{ HOST: '10.2.3.4' }, false],
  [{ HOST: '0.0.0.0', PUBLIC_BASE_URL: 'http://localhost:8080' }, false],
])('with %j, only programs on this machine reach the installation: %s', (environment, expected) => {
  expect(isMachineOnly(readEnv(environment as Record<string, string>))).toBe(expected);
});
