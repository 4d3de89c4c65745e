import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeSchema } from '#shared/store/schema/describe-schema.ts';
import { projectFolder } from '../data-folder.ts';
import { startEmbeddedPostgres } from '../embedded/start-embedded.ts';
import { migrate } from '../migrate.ts';
import type { GeneratedFile } from './openapi-files.ts';

/** The schema after all migrations, kept in the repository for reference. */
export const schemaFile = join(projectFolder, 'infra', 'schema.sql');

/** Migrates a new database, in a folder that is removed afterwards, and describes its schema. */
export async function generateSchema(): Promise<GeneratedFile> {
  const dataDir = mkdtempSync(join(tmpdir(), 'landfall-schema-'));
  try {
    const server = await startEmbeddedPostgres({ dataDir, log: () => {}, durable: false });
    try {
      await migrate(server.databaseUrl);
      return { path: schemaFile, text: await schemaText(server.databaseUrl) };
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The text of `schemaFile` for a migrated database. */
export async function schemaText(databaseUrl: string): Promise<string> {
  const header =
    '-- Generated from infra/migrations by npm run generate: the schema after all migrations. Do not edit.\n';
  return `${header}\n${await describeSchema(databaseUrl)}`;
}
