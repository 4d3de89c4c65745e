import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packExtension } from '@anthropic-ai/mcpb';
import { build } from 'vite';
import { desktopManifest } from './manifest.ts';

export const mcpbName = 'landfall.mcpb';

const entry = fileURLToPath(new URL('main.ts', import.meta.url));
const packageFile = new URL('../../package.json', import.meta.url);

/**
 * Writes the MCPB file into the folder: the manifest and one file of JavaScript with all of its packages, so that
 * installing it downloads nothing. Throws if the packer of the format refuses it.
 */
export async function packMcpb(folder: string): Promise<void> {
  const { version } = JSON.parse(await readFile(packageFile, 'utf8')) as { version: string };
  const content = await mkdtemp(join(tmpdir(), 'landfall-desktop-'));
  try {
    await build({
      configFile: false,
      logLevel: 'error',
      // Everything is bundled; the environment is that of the person's computer, not of this build.
      ssr: { noExternal: true, target: 'node' },
      build: {
        ssr: entry,
        outDir: join(content, 'server'),
        target: 'node20',
        minify: true,
        rolldownOptions: { output: { entryFileNames: 'index.js', codeSplitting: false } },
      },
    });
    // Without it, Node would read the file as CommonJS.
    await writeFile(join(content, 'package.json'), JSON.stringify({ type: 'module', private: true }));
    await writeFile(join(content, 'manifest.json'), JSON.stringify(desktopManifest(version), null, 2));
    const isPacked = await packExtension({
      extensionPath: content,
      outputPath: join(folder, mcpbName),
      silent: true,
    });
    if (!isPacked) throw new Error('mcpb refused to pack the MCPB file');
  } finally {
    await rm(content, { recursive: true, force: true });
  }
}
