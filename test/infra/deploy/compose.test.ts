import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { mainFileOf, nodeArgumentsOf } from '#infra/installation/service-programs.ts';
import { describeVariables } from '#shared/config/env.ts';
import { fileText, isInProject, yamlFile } from '#test/support/repository.ts';

type Service = {
  image: string;
  build?: unknown;
  command?: string[];
  environment?: Record<string, string>;
  healthcheck?: { test: string[] };
  profiles?: string[];
  ports?: string[];
  volumes?: string[];
  networks?: string[];
  depends_on?: Record<string, { condition: string }>;
  deploy?: { replicas?: number };
  read_only?: boolean;
  tmpfs?: string[];
  cap_drop?: string[];
  security_opt?: string[];
};

const compose = yamlFile<{ services: Record<string, Service>; networks: Record<string, { internal?: boolean }> }>(
  'docker-compose.yml',
);
const services = Object.entries(compose.services);
const ours = services.filter(([, service]) => service.image === 'landfall');

it('matches the schema of the compose specification', () => {
  const { $schema: _, ...schema } = JSON.parse(fileText('node_modules/dclint/schemas/compose.schema.json'));
  const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(schema);
  expect(validate(compose), JSON.stringify(validate.errors, null, 2)).toBe(true);
  expect(validate({ services: { api: { imagee: 'x' } } })).toBe(false);
});

it('runs every service of the product from one image with a command that exists', () => {
  expect(ours.map(([name]) => name)).toEqual(['migrate', 'api', 'worker', 'simulator']);
  for (const [name, { command }] of ours) expect(isInProject(command?.at(-1) ?? ''), name).toBe(true);
  expect(compose.services.simulator?.command).toEqual(['node', mainFileOf('simulator')]);
  for (const name of ['api', 'worker'] as const) {
    const file = mainFileOf(name);
    expect(compose.services[name]?.command).toEqual(['node', ...nodeArgumentsOf(file), file]);
  }
});

it('lets product containers write only to /tmp and gain no privileges', () => {
  const collector = services.filter(([name]) => name === 'collector');
  for (const [name, service] of [...ours, ...collector]) {
    expect(service, name).toMatchObject({
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  }
});

it('publishes ports only on loopback and keeps the database and the queue on an internal network', () => {
  for (const [name, { ports = [] }] of services) {
    expect(
      ports.filter((port) => !port.startsWith('127.0.0.1:')),
      name,
    ).toEqual([]);
  }
  expect(compose.networks.data).toEqual({ internal: true });
  for (const name of ['postgres', 'redis', 'migrate']) expect(compose.services[name]?.networks).toEqual(['data']);
});

it('starts only the product without a profile, with two workers that can be scaled', () => {
  const byProfile = Object.groupBy(services, ([, { profiles = [] }]) => profiles.join());
  expect(byProfile['']?.map(([name]) => name)).toEqual(['postgres', 'redis', 'migrate', 'api', 'worker']);
  expect(byProfile.demo?.map(([name]) => name)).toEqual(['simulator']);
  expect(byProfile.observe?.map(([name]) => name)).toEqual(['collector', 'grafana']);
  expect(compose.services.worker).toMatchObject({ deploy: { replicas: 2 } });
  expect(compose.services.worker).not.toHaveProperty('ports');
  expect(compose.services.worker).not.toHaveProperty('container_name');
});

it('defines a health check wherever possible and starts each service after its dependencies are healthy', () => {
  // The migration exits, and the collector's image contains no shell for a check.
  const without = services.filter(([, { healthcheck }]) => healthcheck === undefined).map(([name]) => name);
  expect(without).toEqual(['migrate', 'collector']);
  for (const [name, { depends_on: needed = {} }] of services) {
    for (const [other, { condition }] of Object.entries(needed)) {
      expect(condition, `${name} needs ${other}`).toBe(
        other === 'migrate' ? 'service_completed_successfully' : 'service_healthy',
      );
    }
  }
});

it('mounts only files that exist', () => {
  for (const [, { volumes = [] }] of services) {
    const files = volumes.map((volume) => volume.split(':')[0] ?? '').filter((source) => source.startsWith('./'));
    for (const file of files) expect(isInProject(file), file).toBe(true);
  }
});

it('passes on every variable that .env.example marks with (compose), and those that all processes share to API and worker', () => {
  const marked = [...fileText('.env.example').matchAll(/^# \(compose\)[^\n]*\n((?:# [A-Z_]+=[^\n]*\n)+)/gm)]
    .flatMap(([, lines = '']) => [...lines.matchAll(/^# ([A-Z_]+)=/gm)])
    .map(([, name = '']) => name);
  expect(marked).toContain('ALLOWED_HOSTS');
  const text = fileText('docker-compose.yml');
  expect(marked.filter((name) => !text.includes(`\${${name}:`))).toEqual([]);
  for (const name of ['api', 'worker'])
    expect(compose.services[name]?.environment).toMatchObject({
      ALLOWED_HOSTS: `\${ALLOWED_HOSTS:-}`,
      SETTLE_AFTER_DAYS: `\${SETTLE_AFTER_DAYS:-}`,
      FREE_TIME_NEAR_DAYS: `\${FREE_TIME_NEAR_DAYS:-}`,
      RETENTION_DAYS: `\${RETENTION_DAYS:-}`,
    });
});

it('sets only variables that exist', () => {
  const known = new Set(describeVariables().map(({ name }) => name));
  for (const [name, { environment = {} }] of ours) {
    const unknown = Object.keys(environment).filter(
      (variable) => !known.has(variable) && !variable.startsWith('OTEL_'),
    );
    expect(unknown, name).toEqual([]);
  }
});
