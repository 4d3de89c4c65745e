import { join } from 'node:path';
import { projectFolder } from '../data-folder.ts';
import { importRules } from './import-rules.ts';

/** The page that lists which part of the code may import what. */
export function importRulesDoc(): { path: string; text: string } {
  const rows = importRules.map(({ in: files, allows, staysInside, denies = [] }) => {
    const others = allows.filter((pattern) => !pattern.startsWith('.'));
    const relatives = allows.filter((pattern) => pattern.startsWith('.'));
    const except = denies.length === 0 ? '' : `, except ${list(denies)}`;
    return `| ${list(files)} | ${others.length === 0 ? 'nothing' : list(others)} | ${list(relatives)}${staysInside ? ', and everywhere in the folder' : ''}${except} |`;
  });
  const text = `# Import rules

<!-- Written by npm run generate from infra/house/import-rules.ts. -->

Each part of the code may import what its row lists, and nothing else. Biome enforces the table: \`npm run check\` fails on
an import that is not in it.

| files | packages and other parts | relative paths |
| --- | --- | --- |
${rows.join('\n')}
`;
  return { path: join(projectFolder, 'docs/reference/import-rules.md'), text };
}

function list(patterns: readonly string[]): string {
  return patterns.map((pattern) => `\`${pattern}\``).join(', ');
}
