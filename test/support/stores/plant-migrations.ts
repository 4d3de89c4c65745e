import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const migrations = fileURLToPath(new URL('../../../infra/migrations', import.meta.url));

/** A copy of the migrations followed by later ones, as a later release would have. */
export function plantMigrations(later: Record<string, string>): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-migrations-'));
  cpSync(migrations, folder, { recursive: true });
  for (const [name, sql] of Object.entries(later)) writeFileSync(join(folder, `${name}.sql`), sql);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
