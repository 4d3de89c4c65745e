import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describeVariables } from '#shared/config/env.ts';
import { projectFolder } from './data-folder.ts';

const file = join(projectFolder, 'docs', 'configuration.md');
const document = configurationDocument();

if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== document) {
    process.stderr.write('docs/configuration.md is out of date: run npm run config-docs.\n');
    process.exitCode = 1;
  }
} else {
  writeFileSync(file, document);
  process.stdout.write('docs/configuration.md is written\n');
}

function configurationDocument(): string {
  const variables = describeVariables();
  const groups = [...new Set(variables.map(({ group }) => group))];
  const intro = [
    '# Configuration',
    '',
    'Everything is set by environment variables; all have a default, and an empty one counts as unset. A process that starts with a wrong one',
    'says what is wrong with each, and exits. Generated from `shared/config/env.ts` by `npm run config-docs`.',
    '',
    'Telemetry is set by the standard `OTEL_*` variables, such as `OTEL_EXPORTER_OTLP_ENDPOINT`.',
  ];
  const tables = groups.map((group) => {
    const rows = variables.filter((variable) => variable.group === group).map(row);
    return ['', `## ${group}`, '', '| variable | default | meaning |', '|---|---|---|', ...rows].join('\n');
  });
  return `${intro.join('\n')}\n${tables.join('\n')}\n`;
}

function row({ name, fallback, choices, description }: ReturnType<typeof describeVariables>[number]): string {
  const values = choices.length > 0 ? ` One of ${choices.map((choice) => `\`${choice}\``).join(', ')}.` : '';
  return `| \`${name}\` | ${fallback ? `\`${fallback}\`` : '–'} | ${description}${values} |`;
}
