import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { addressPlaceholder, viewFiles } from '#shared/contract/mcp/view-files.ts';

export type PlantedViews = { folder: string; remove: () => void };

/** A folder with pages in place of the built views of MCP clients, for tests that draw nothing. */
export function plantViews(): PlantedViews {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-views-'));
  for (const file of Object.values(viewFiles)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), `<!doctype html><meta content="${addressPlaceholder}"><title>${file}</title>`);
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
