import { type Env, requireMigrationDatabaseUrl } from '#shared/config/env.ts';
import { chooseDataFolder, postgresFolder } from '../data-folder.ts';
import { serviceUrlOf } from '../embedded/service-url.ts';
import { DataFolderInUse, findEmbeddedPostgres, startEmbeddedPostgres } from '../embedded/start-embedded.ts';

/**
 * `url`: with the login of API and worker. `ownerUrl` throws `EnvironmentError` without MIGRATION_DATABASE_URL.
 * `dataFolder`: null if `DATABASE_URL` names the database. `startedHere`: the server runs only for this script.
 */
export type ScriptDatabase = { url: string; ownerUrl: () => string; close: () => Promise<void> } & (
  | { startedHere: true; dataFolder: string }
  | { startedHere: false; dataFolder: string | null }
);

/** The configured database, the one that `npm start` is running, or its data with a server that runs until `close`. */
export async function connectDatabase(env: Env, log: (line: string) => void): Promise<ScriptDatabase> {
  const nothing = async (): Promise<void> => {};
  if (env.DATABASE_URL !== null) {
    const ownerUrl = () => requireMigrationDatabaseUrl(env);
    return { url: env.DATABASE_URL, ownerUrl, dataFolder: null, startedHere: false, close: nothing };
  }
  const dataFolder = chooseDataFolder(env, log);
  const dataDir = postgresFolder(dataFolder);
  const running = await findEmbeddedPostgres(dataDir);
  if (running !== null) return { ...addressesOf(running), dataFolder, startedHere: false, close: nothing };
  const started = await startEmbeddedPostgres({ dataDir, log }).catch((error: unknown) => {
    throw error instanceof DataFolderInUse ? new Error('Landfall is starting. Retry in a few seconds.') : error;
  });
  return { ...addressesOf(started.databaseUrl), dataFolder, startedHere: true, close: started.stop };
}

function addressesOf(ownerUrl: string): Pick<ScriptDatabase, 'url' | 'ownerUrl'> {
  return { url: serviceUrlOf(ownerUrl), ownerUrl: () => ownerUrl };
}
