import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { projectFolder } from '../data-folder.ts';
import { type ImportRule, importRules } from './import-rules.ts';

/** Everything in biome.json but the import rules. */
const settings = {
  $schema: './node_modules/@biomejs/biome/configuration_schema.json',
  vcs: {
    enabled: true,
    clientKind: 'git',
    useIgnoreFile: true,
  },
  files: {
    includes: [
      '**',
      '!**/node_modules',
      '!.landfall',
      '!package-lock.json',
      '!docs/reference/configuration.md',
      '!**/snapshots',
      '!test/services/api/imports/spreadsheets/libreoffice',
      '!services/dashboard/dist',
      '!services/api/docs/mcp-example-answers.json',
    ],
  },
  formatter: {
    indentStyle: 'space',
    indentWidth: 2,
    lineWidth: 120,
  },
  javascript: {
    formatter: {
      quoteStyle: 'single',
      trailingCommas: 'all',
    },
  },
  css: {
    parser: {
      tailwindDirectives: true,
    },
  },
  assist: {
    actions: {
      source: {
        organizeImports: 'on',
      },
    },
  },
  linter: {
    rules: {
      preset: 'recommended',
      suspicious: {
        noImportCycles: {
          level: 'error',
          options: {
            ignoreTypes: false,
          },
        },
        noExplicitAny: 'error',
      },
      performance: {
        noBarrelFile: 'error',
      },
      complexity: {
        useLiteralKeys: 'off',
      },
      style: {
        noProcessEnv: 'error',
        noDefaultExport: 'error',
        useImportType: 'error',
        useNodejsImportProtocol: 'error',
        noParameterAssign: 'error',
        noNonNullAssertion: 'error',
        useConst: 'error',
        useFilenamingConvention: {
          level: 'error',
          options: {
            filenameCases: ['kebab-case'],
          },
        },
      },
    },
  },
};

/** Rules that don't hold everywhere. */
const exceptions = [
  {
    includes: [
      'vitest.config.ts',
      'services/dashboard/vite.config.ts',
      'test/support/global-setup.ts',
      'test/support/closing-line-reporter.ts',
    ],
    linter: {
      rules: {
        style: {
          noDefaultExport: 'off',
        },
      },
    },
  },
  {
    includes: [
      'services/*/main.ts',
      'infra/tools/*/main.ts',
      'infra/tools/{bench,desk,drills,golden}/**',
      'infra/scripts/**',
      'infra/installation/**',
      'shared/telemetry/register.ts',
      'test/**',
      'vitest.config.ts',
    ],
    linter: {
      rules: {
        style: {
          noProcessEnv: 'off',
        },
      },
    },
  },
  {
    includes: ['test/**', 'infra/tools/{bench,desk,drills,golden}/**'],
    linter: {
      rules: {
        style: {
          noNonNullAssertion: 'off',
        },
      },
    },
  },
];

/** biome.json: the settings, and an allow-list of imports for each row of the table. */
export function biomeFile(): { path: string; text: string } {
  const overrides = [...importRules.flatMap(overridesOf), ...exceptions];
  const path = join(projectFolder, 'biome.json');
  return { path, text: formatted(path, JSON.stringify({ ...settings, overrides })) };
}

function overridesOf({ staysInside, ...rule }: ImportRule) {
  if (staysInside === undefined) return [overrideOf(rule)];
  // A glob of specifiers doesn't know how deep its file lies, so each depth has an override of its own.
  return ['/*', '/*/*', '/*/*/**'].map((files, depth) =>
    overrideOf({
      ...rule,
      in: rule.in.map((glob) => glob.replace('/**', files)),
      ...(depth > 0 && {
        allows: [...rule.allows, ...parentsOf(depth)],
        denies: [`${'../'.repeat(depth + 1)}**`],
      }),
    }),
  );
}

/** Patterns of the folders above a file, up to that many. */
function parentsOf(depth: number): string[] {
  return Array.from({ length: depth }, (_, index) => `${'../'.repeat(index + 1)}**`);
}

function overrideOf({ in: includes, allows, denies = [] }: ImportRule) {
  const group = ['**', ...allows.map((pattern) => `!${pattern}`), ...denies];
  const message = `Allowed here: ${allows.join(', ')}. The table is infra/house/import-rules.ts.`;
  const options = { patterns: [{ group, message }] };
  return { includes, linter: { rules: { style: { noRestrictedImports: { level: 'error', options } } } } };
}

/** As Biome formats its own file. */
function formatted(path: string, json: string): string {
  const biome = join(projectFolder, 'node_modules/@biomejs/biome/bin/biome');
  const args = [biome, 'format', `--stdin-file-path=${path}`];
  return execFileSync(process.execPath, args, { cwd: projectFolder, input: json, encoding: 'utf8' });
}
