import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { carrierCodes, describeVariables } from '#shared/config/env.ts';
import { credentialFormOf, describeForm } from '#shared/domain/carriers/credential-fields.ts';
import { connectorCodes } from '#shared/domain/carriers/known-connectors.ts';
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
  const sections = groups.map((group) => {
    const ofGroup = variables.filter((variable) => variable.group === group);
    return group === 'Carriers' ? carrierSection(ofGroup) : table(group, ofGroup);
  });
  return `${intro.join('\n')}\n${sections.join('\n')}\n`;
}

type Variable = ReturnType<typeof describeVariables>[number];

function table(title: string, variables: readonly Variable[]): string {
  return ['', `## ${title}`, '', '| variable | default | meaning |', '|---|---|---|', ...variables.map(row)].join('\n');
}

/** Every carrier has the same endings: one table of them, one list of the codes. */
function carrierSection(variables: readonly Variable[]): string {
  const first = Object.values(carrierCodes)[0] ?? '';
  const endings = variables
    .filter(({ name }) => name.startsWith(`CARRIER_${first}_`))
    .map((variable) => ({ ...variable, name: variable.name.replace(`CARRIER_${first}_`, 'CARRIER_<CODE>_') }));
  if (endings.length * connectorCodes.length !== variables.length)
    throw new Error('the carriers do not all have the same variables');
  return [
    table('Carriers', endings),
    '',
    'Each connector has all of them under its own code, for example `CARRIER_HAPAG_LLOYD_CLIENT_ID`:',
    '',
    '| `<CODE>` | connector | credentials that it takes |',
    '|---|---|---|',
    ...connectorCodes.map(
      (connector) => `| \`${carrierCodes[connector]}\` | ${connector} | ${describeForm(credentialFormOf(connector))} |`,
    ),
  ].join('\n');
}

function row({ name, fallback, choices, description }: Variable): string {
  const values = choices.length > 0 ? ` One of ${choices.map((choice) => `\`${choice}\``).join(', ')}.` : '';
  return `| \`${name}\` | ${fallback ? `\`${fallback}\`` : '–'} | ${description}${values} |`;
}
