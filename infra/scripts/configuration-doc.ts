import { join } from 'node:path';
import { carrierCodes } from '#shared/config/carrier-variables.ts';
import { describeVariables } from '#shared/config/env.ts';
import { credentialFormOf, describeForm } from '#shared/domain/carriers/credential-fields.ts';
import { connectorCodes } from '#shared/domain/carriers/known-connectors.ts';
import { projectFolder } from '../data-folder.ts';
import type { GeneratedFile } from './openapi-files.ts';

/** The documentation of every environment variable, from the schema of the environment. */
export function configurationDoc(): GeneratedFile {
  const variables = describeVariables();
  const groups = [...new Set(variables.map(({ group }) => group))];
  const intro = [
    '# Configuration',
    '',
    'Landfall is configured with environment variables. All of them have a default, and an empty one counts as unset.',
    'A process that starts with an invalid value prints every problem and exits.',
    'This page is generated from `shared/config` by `npm run generate`.',
    '',
    'Telemetry is configured with the standard `OTEL_*` variables, such as `OTEL_EXPORTER_OTLP_ENDPOINT`.',
  ];
  const sections = groups.map((group) => {
    const ofGroup = variables.filter((variable) => variable.group === group);
    return group === 'Carriers' ? carrierSection(ofGroup) : table(group, ofGroup);
  });
  return {
    path: join(projectFolder, 'docs', 'reference', 'configuration.md'),
    text: `${intro.join('\n')}\n${sections.join('\n')}\n`,
  };
}

type Variable = ReturnType<typeof describeVariables>[number];

function table(title: string, variables: readonly Variable[]): string {
  return ['', `## ${title}`, '', '| variable | default | meaning |', '|---|---|---|', ...variables.map(row)].join('\n');
}

/**
 * All carriers have the same variables apart from their prefix, so one table lists the suffixes and one the prefixes.
 */
function carrierSection(variables: readonly Variable[]): string {
  const first = Object.values(carrierCodes)[0] ?? '';
  const endings = variables
    .filter(({ name }) => name.startsWith(`CARRIER_${first}_`))
    .map((variable) => ({ ...variable, name: variable.name.replace(`CARRIER_${first}_`, 'CARRIER_<CODE>_') }));
  if (endings.length * connectorCodes.length !== variables.length)
    throw new Error('The carriers do not all have the same variables.');
  return [
    table('Carriers', endings),
    '',
    'Replace `<CODE>` with the code of the connector, for example `CARRIER_HAPAG_LLOYD_CLIENT_ID`:',
    '',
    '| `<CODE>` | connector | credentials |',
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
