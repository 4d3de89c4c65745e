import type { Env } from '#shared/config/env.ts';
import { DataFolderInUse, findEmbeddedPostgres, startEmbeddedPostgres } from '../embedded/start-embedded.ts';
import { chooseDataFolder, postgresFolder } from './data-folder.ts';

/** A database for a script. `dataFolder` is null for one that `DATABASE_URL` names; `startedHere`: it runs for this script alone. */
export type ScriptDatabase = { url: string; close: () => Promise<void> } & (
  | { startedHere: true; dataFolder: string }
  | { startedHere: false; dataFolder: string | null }
);

/** The configured database, the one that `npm start` runs now, or that one's data with a server for the moment. */
export async function connectDatabase(env: Env, log: (line: string) => void): Promise<ScriptDatabase> {
  const nothing = async (): Promise<void> => {};
  if (env.DATABASE_URL !== null) return { url: env.DATABASE_URL, dataFolder: null, startedHere: false, close: nothing };
  const dataFolder = chooseDataFolder(env, log);
  const dataDir = postgresFolder(dataFolder);
  const running = await findEmbeddedPostgres(dataDir);
  if (running !== null) return { url: running, dataFolder, startedHere: false, close: nothing };
  const started = await startEmbeddedPostgres({ dataDir, log }).catch((error: unknown) => {
    throw error instanceof DataFolderInUse
      ? new Error('Landfall is starting at this moment. Try again in a second.')
      : error;
  });
  return { url: started.databaseUrl, dataFolder, startedHere: true, close: started.stop };
}
