import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import { build, type Plugin, type Rolldown } from 'vite';
import { addressPlaceholder, type ViewName, viewFiles } from '../../../shared/contract/mcp/view-files.ts';
import { coarseLand } from './coarse-land.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));

const titles: Record<ViewName, string> = { shipments: 'Shipments', shipment: 'Shipment' };

/** Builds the views for MCP clients beside the dashboard: one HTML file each, which loads nothing. */
export function mcpViews(): Plugin {
  let outDir = '';
  return {
    name: 'mcp-views',
    apply: 'build',
    configResolved: (config) => {
      // Relative to the root of the build, not to the folder that it is started in.
      outDir = resolve(config.root, config.build.outDir);
    },
    closeBundle: async () => {
      const { script, style } = await buildPage();
      for (const name of Object.keys(viewFiles) as ViewName[]) {
        const file = join(outDir, viewFiles[name]);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, pageOf(name, { script, style }));
      }
    },
  };
}

/** Modules of the protocol's packages of which nothing is used are left out: nothing of them happens on load. */
const treeshake = {
  moduleSideEffects: [{ test: /node_modules\/(?:@modelcontextprotocol|zod)\//, sideEffects: false }],
};

function coarseCoastlines(): Plugin {
  return {
    name: 'coarse-coastlines',
    enforce: 'pre',
    load: (id) =>
      /world-atlas\/land-110m\.json$/.test(id)
        ? JSON.stringify(coarseLand(JSON.parse(readFileSync(id, 'utf8'))))
        : null,
  };
}

/** The part of zod that describes schemas as JSON Schema, a twentieth of a view: only servers describe theirs. */
function withoutJsonSchemas(): Plugin {
  return {
    name: 'without-json-schemas',
    enforce: 'pre',
    load: (id) => {
      if (!/\/zod\/v4\/core\/(?:json-schema-processors|to-json-schema)\.js$/.test(id)) return null;
      const names = [...readFileSync(id, 'utf8').matchAll(/^export (?:const|function|class) (\w+)/gm)];
      return ['const nothing = () => nothing;', ...names.map(([, name]) => `export const ${name} = nothing;`)].join(
        '\n',
      );
    },
  };
}

type Page = { script: string; style: string };

/**
 * Both views have the same script: each opens the other's pages. Preact runs the dashboard's React components in a
 * tenth of React's size.
 */
async function buildPage(): Promise<Page> {
  const built = (await build({
    configFile: false,
    root: folder,
    logLevel: 'error',
    mode: 'production',
    plugins: [tailwindcss(), coarseCoastlines(), withoutJsonSchemas()],
    resolve: {
      alias: [
        { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
        { find: /^react(?:-dom)?$/, replacement: 'preact/compat' },
        { find: /^react\/jsx-runtime$/, replacement: 'preact/jsx-runtime' },
      ],
    },
    build: {
      write: false,
      target: 'es2023',
      cssCodeSplit: false,
      modulePreload: false,
      rolldownOptions: { input: join(folder, 'main.tsx'), output: { codeSplitting: false }, treeshake },
    },
  })) as Rolldown.RolldownOutput;
  const [script, ...others] = built.output.flatMap((part) => (part.type === 'chunk' ? [part.code] : []));
  const styles = built.output.flatMap((part) => (part.type === 'asset' ? [part] : []));
  const style = styles.map(({ source }) => String(source)).join('');
  if (script === undefined || others.length > 0 || styles.length !== 1)
    throw new Error(`A view must be one script and one style sheet: ${built.output.map(({ fileName }) => fileName)}`);
  return { script: inlineScript(script), style };
}

/** An end tag in a text would end the script (HTML, 13.2.5.4). */
function inlineScript(code: string): string {
  const script = code.trim().replaceAll('</script', '<\\/script');
  if (/<!--|<script/i.test(script)) throw new Error('The script has a text that HTML would read as markup.');
  return script;
}

/** The page forbids itself everything but its own script and style: hosts may forbid more. */
function pageOf(name: ViewName, { script, style }: Page): string {
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    // Widths and positions of drawn parts.
    "style-src-attr 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en" data-view="${name}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="landfall-address" content="${addressPlaceholder}">
<title>${titles[name]}</title>
<meta http-equiv="content-security-policy" content="${policy}">
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<noscript>This view requires JavaScript. The answer is in the conversation.</noscript>
<script type="module">${script}</script>
</body>
</html>
`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
