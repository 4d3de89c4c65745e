import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { packMcpb } from '#services/mcpb/pack-mcpb.ts';
import { mcpViews } from './mcp-views/build-views.ts';

/** The API behind the development server. */
const apiAddress = 'http://127.0.0.1:8080';

const root = fileURLToPath(new URL('.', import.meta.url));

export default defineConfig({
  root,
  plugins: [react(), tailwindcss(), stylesFirst(), compressed(), withMcpb(), mcpViews()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // Fonts stay files: the content security policy forbids data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The dashboard, and its operations screens alone, which the operations port serves.
    rolldownOptions: { input: ['index.html', 'operations.html'].map((name) => join(root, name)) },
  },
  server: { proxy: { '/dashboard/api': apiAddress, '/v1': apiAddress, '/docs': apiAddress } },
});

/** Puts the style sheet before the scripts: the first paint needs only it, and they would share its connection. */
function stylesFirst(): Plugin {
  const link = /\s*<link rel="stylesheet"[^>]*>/g;
  return {
    name: 'styles-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => {
        const links = html.match(link)?.join('') ?? '';
        return html.replace(link, '').replace(/\s*<script/, (script) => `${links}${script}`);
      },
    },
  };
}

/** Writes brotli and gzip versions next to each text file, so that nothing is compressed per request. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    // After writing: other plugins change the files until then.
    writeBundle({ dir = '' }, bundle) {
      for (const name of Object.keys(bundle).filter((file) => /\.(?:js|css|json|svg)$/.test(file))) {
        const path = join(dir, name);
        const source = readFileSync(path);
        if (source.length < 1024) continue;
        writeFileSync(`${path}.br`, brotliCompressSync(source, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
        writeFileSync(`${path}.gz`, gzipSync(source));
      }
    },
  };
}

/** The bundle for desktop clients is served next to the dashboard, so it is built with it. */
function withMcpb(): Plugin {
  return { name: 'mcpb', apply: 'build', writeBundle: ({ dir = '' }) => packMcpb(dir) };
}
