import { serviceUrlOf } from '#infra/embedded/service-url.ts';
import { openScriptCore } from '#infra/installation/open-script-core.ts';

/** The database settings of a service, by the address of the database's owner. */
export function serviceEnv(ownerUrl: string): { DATABASE_URL: string; MIGRATION_DATABASE_URL: string } {
  return { DATABASE_URL: serviceUrlOf(ownerUrl), MIGRATION_DATABASE_URL: ownerUrl };
}

/** The core of a script with the rights of a service, by the address of the database's owner. */
export function openBenchCore(ownerUrl: string): ReturnType<typeof openScriptCore> {
  return openScriptCore(serviceUrlOf(ownerUrl), '');
}
