import type { Env } from '#shared/config/env.ts';
import { chooseDataFolder, postgresFolder } from '../data-folder.ts';
import { DataFolderInUse, findEmbeddedPostgres, startEmbeddedPostgres } from '../embedded/start-embedded.ts';

/** `dataFolder`: null if `DATABASE_URL` names the database. `startedHere`: the server runs only for this script. */
export type ScriptDatabase = { url: string; close: () => Promise<void> } & (
  | { startedHere: true; dataFolder: string }
  | { startedHere: false; dataFolder: string | null }
);

/** The configured database, the one that `npm start` is running, or its data with a server that runs until `close`. */
export async function connectDatabase(env: Env, log: (line: string) => void): Promise<ScriptDatabase> {
  const nothing = async (): Promise<void> => {};
  if (env.DATABASE_URL !== null) return { url: env.DATABASE_URL, dataFolder: null, startedHere: false, close: nothing };
  const dataFolder = chooseDataFolder(env, log);
  const dataDir = postgresFolder(dataFolder);
  const running = await findEmbeddedPostgres(dataDir);
  if (running !== null) return { url: running, dataFolder, startedHere: false, close: nothing };
  const started = await startEmbeddedPostgres({ dataDir, log }).catch((error: unknown) => {
    throw error instanceof DataFolderInUse ? new Error('Landfall is starting. Retry in a few seconds.') : error;
  });
  return { url: started.databaseUrl, dataFolder, startedHere: true, close: started.stop };
}
