import { createReadStream, existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { readEnv } from '#shared/config/env.ts';
import { endAccess, readValidAccess } from '#shared/store/backup/restored-access.ts';
import { resumeRestoredAlerts } from '#shared/store/backup/restored-alerts.ts';
import { enableRestoredWebhooks } from '#shared/store/backup/restored-webhooks.ts';
import { checkLoginPasswords, ensureLogins } from '#shared/store/ensure-logins.ts';
import type { BackupHeader } from '../backup/backup-file.ts';
import { restoreBackup } from '../backup/restore-backup.ts';
import {
  accessCounts,
  accessLines,
  type LaterAccess,
  namedAccess,
  readAccessOfBackup,
  readAccessOfDatabase,
  returnedAccess,
} from '../backup/returned-access.ts';
import { connectDatabase } from './connect-database.ts';

const usage = `npm run restore -- <file, or - for standard input> [--credential-keys-to <new file>] [--keep-webhooks] [--set-password]
    [--compare-with <newer backup, or address of the former database> [--revoke]]
npm run restore -- --compare-with <newer backup, or address of the former database> [--revoke]
npm run restore -- --revoke <id> …
npm run restore -- --enable-webhooks`;

/** npm runs scripts in the project folder, but paths are relative to the folder where npm was called. */
const from = process.env.INIT_CWD ?? '.';
const maxListed = 100;

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'credential-keys-to': { type: 'string' },
      'keep-webhooks': { type: 'boolean', default: false },
      'enable-webhooks': { type: 'boolean', default: false },
      'set-password': { type: 'boolean', default: false },
      'compare-with': { type: 'string' },
      revoke: { type: 'boolean', default: false },
    },
  });
  const [source, ...more] = positionals;
  const { 'compare-with': compareWith, revoke: revokes } = values;
  if (values['enable-webhooks'] && source === undefined) await enableWebhooks();
  else if (compareWith !== undefined && source === undefined) await compare(compareWith, revokes);
  else if (compareWith === undefined && revokes) await revokeNamed(positionals);
  else if (source === undefined || more.length > 0 || values['enable-webhooks'])
    throw new Error(`Name one backup.\n${usage}`);
  else
    await restore(source, {
      keysTo: values['credential-keys-to'] ?? null,
      keepWebhooks: values['keep-webhooks'],
      setsPassword: values['set-password'],
      compareWith: compareWith ?? null,
      revokes,
    });
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  if ((error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')) say(usage);
  process.exitCode = 1;
}

type Choices = {
  keysTo: string | null;
  keepWebhooks: boolean;
  setsPassword: boolean;
  compareWith: string | null;
  revokes: boolean;
};

async function restore(
  source: string,
  { keysTo, keepWebhooks, setsPassword, compareWith, revokes }: Choices,
): Promise<void> {
  const env = readEnv(process.env);
  const later = compareWith === null ? null : await readLater(compareWith);
  const input = source === '-' ? process.stdin : createReadStream(resolve(from, source));
  const database = await connectDatabase(env, say);
  const ownFile = database.dataFolder === null ? null : join(database.dataFolder, 'credential-keys');
  const keysFile = keysTo === null ? ownFile : resolve(from, keysTo);
  try {
    const accept = ({ credentialKeys, takenAt }: BackupHeader): void => {
      if (later !== null && later.takenAt !== null && later.takenAt <= takenAt)
        throw new Error(`The backup of --compare-with is not newer: it was taken at ${later.takenAt}.`);
      if (credentialKeys !== null && keysFile === null)
        throw new Error('The backup contains credential keys. Add --credential-keys-to <new file> to store them.');
    };
    const ownerUrl = database.ownerUrl();
    if (!setsPassword) await checkLoginPasswords(ownerUrl, database.url);
    const restored = await restoreBackup(input, ownerUrl, { accept, keepWebhooks });
    await ensureLogins(ownerUrl, database.url, { setsPassword });
    const { rows, tables, migrationsSince, header, disabledWebhooks, pausedAlerts } = restored;
    const since = migrationsSince > 0 ? `, then ran ${migrationsSince} newer migrations` : '';
    say(`Restored ${rows} rows of ${tables} tables as of ${header.takenAt}${since}.`);
    say(keepKeys(header.credentialKeys, keysFile));
    if (disabledWebhooks + pausedAlerts > 0) say(disabledWords(disabledWebhooks, pausedAlerts));
    await reportAccess(ownerUrl, later, revokes);
  } finally {
    await database.close();
  }
}

/** Reports the access that the restore has made valid again, as far as it is known, and revokes it on request. */
async function reportAccess(ownerUrl: string, later: LaterAccess | null, revokes: boolean): Promise<void> {
  const valid = await readValidAccess(ownerUrl);
  if (later === null) {
    if (valid.length === 0) return;
    say(`Valid as of the backup: ${accessCounts(valid)}.`);
    for (const line of accessLines(valid.slice(0, maxListed))) say(line);
    if (valid.length > maxListed) say(`  … and ${valid.length - maxListed} more`);
    say(
      'Access that was revoked or removed after the backup is valid again. To list only that, run `npm run restore ' +
        '-- --compare-with <newer backup, or address of the former database>`. To end some of these, run `npm run ' +
        'restore -- --revoke <id> …`.',
    );
    return;
  }
  const returned = returnedAccess(valid, later);
  if (returned.length === 0) return say('Nothing that was revoked after the backup is valid again.');
  say(`Valid again, although revoked or removed after the backup: ${accessCounts(returned)}.`);
  for (const line of accessLines(returned)) say(line);
  if (!revokes) return say('Add --revoke to end them: `npm run restore -- --compare-with … --revoke`.');
  await endAccess(ownerUrl, returned);
  say('Ended all of them, with an entry in the audit log.');
}

async function compare(other: string, revokes: boolean): Promise<void> {
  const later = await readLater(other);
  const database = await connectDatabase(readEnv(process.env), say);
  try {
    await reportAccess(database.ownerUrl(), later, revokes);
  } finally {
    await database.close();
  }
}

async function revokeNamed(ids: readonly string[]): Promise<void> {
  const database = await connectDatabase(readEnv(process.env), say);
  try {
    const ownerUrl = database.ownerUrl();
    const named = namedAccess(await readValidAccess(ownerUrl), ids);
    await endAccess(ownerUrl, named);
    say(`Ended ${accessCounts(named)}, with an entry in the audit log.`);
  } finally {
    await database.close();
  }
}

function readLater(place: string): Promise<LaterAccess> {
  return /^postgres(ql)?:/.test(place)
    ? readAccessOfDatabase(place)
    : readAccessOfBackup(createReadStream(resolve(from, place)), new Date());
}

function disabledWords(webhooks: number, alerts: number): string {
  const parts = [
    ...(webhooks > 0 ? [`disabled ${webhooks} webhook ${webhooks === 1 ? 'endpoint' : 'endpoints'}`] : []),
    ...(alerts > 0 ? [`paused ${alerts} ${alerts === 1 ? 'alert' : 'alerts'}`] : []),
  ];
  return (
    `The restore ${parts.join(' and ')}: the installation that the backup was taken from may still send to the same ` +
    'receivers and people. If this installation replaces it, run `npm run restore -- --enable-webhooks`.'
  );
}

/** Enables the webhook endpoints that a restore disabled, and resumes the alerts that it paused. */
async function enableWebhooks(): Promise<void> {
  const database = await connectDatabase(readEnv(process.env), say);
  try {
    const count = await enableRestoredWebhooks(database.ownerUrl());
    say(count === 0 ? 'No webhook endpoint is disabled by a restore.' : `Enabled ${count} webhook endpoints.`);
    const alerts = await resumeRestoredAlerts(database.ownerUrl());
    say(alerts === 0 ? 'No alert is paused by a restore.' : `Resumed ${alerts} ${alerts === 1 ? 'alert' : 'alerts'}.`);
  } finally {
    await database.close();
  }
}

/** Stores the credential keys of the backup, unless the file already exists. */
function keepKeys(keys: string | null, file: string | null): string {
  if (keys === null || file === null)
    return 'The backup contains no credential keys. Copy those of the old installation before you start Landfall.';
  if (existsSync(file))
    return `${file} already exists and was kept. The credential keys of the backup were not stored.`;
  writeFileSync(file, keys, { mode: 0o600, flag: 'wx' });
  return `Stored the credential keys in ${file}.`;
}
