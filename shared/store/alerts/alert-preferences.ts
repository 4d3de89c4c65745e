import type { AddressedChannel, AlertPreferences, Channel, Timing } from '#shared/domain/alerts/alert.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/** A member's preferences. `mailToken`: 16 bytes. `mailOffAt`: ISO UTC; null: e-mail is on. */
export type MemberPreferences = AlertPreferences & { userId: string; mailToken: Buffer; mailOffAt: string | null };

type PersonRow = {
  userId: string;
  timeZone: string;
  digestHour: number;
  channels: Channel[];
  timing: Timing;
  quietFrom: number | null;
  quietTo: number | null;
  notices: boolean;
  mentions: boolean;
  mailOffAt: string | null;
  mailToken: Buffer;
};

const columns =
  'p.user_id, p.time_zone, p.digest_hour, p.channels, p.timing, p.quiet_from, p.quiet_to, p.notices, p.mentions, p.mail_off_at, p.mail_token';

/** Makes rows for members who have none yet. `tokens`: 16 random bytes for each of them. */
export async function ensurePeople(
  tx: Tx,
  accountId: string,
  people: readonly { userId: string; mailToken: Buffer }[],
): Promise<void> {
  await tx.query({
    name: 'ensure-alert-people',
    text: `
      insert into landfall.alert_preferences (account_id, user_id, mail_token)
      select $1, p.user_id, decode(p.token, 'hex')
      from unnest($2::uuid[], $3::text[]) as p (user_id, token)
      order by p.user_id
      on conflict (account_id, user_id) do nothing`,
    values: [accountId, people.map(({ userId }) => userId), people.map(({ mailToken }) => mailToken.toString('hex'))],
  });
}

/** Reads these members, without those who have no preferences. */
export async function readPeople(
  tx: Tx,
  accountId: string,
  userIds: readonly string[],
): Promise<Map<string, MemberPreferences>> {
  const rows = await readRows<PersonRow>(tx, {
    name: 'read-alert-people',
    text: `select ${columns} from landfall.alert_preferences as p where p.account_id = $1 and p.user_id = any ($2::uuid[])`,
    values: [accountId, userIds],
  });
  return new Map(rows.map((row) => [row.userId, toPerson(row)]));
}

export async function updatePerson(
  tx: Tx,
  accountId: string,
  person: AlertPreferences & { userId: string; mailOff: boolean },
): Promise<void> {
  await tx.query({
    name: 'update-alert-person',
    text: `
      update landfall.alert_preferences
      set time_zone = $3, digest_hour = $4, channels = $5, timing = $6, quiet_from = $7, quiet_to = $8, notices = $9, mentions = $11,
        mail_off_at = case when $10 then coalesce(mail_off_at, now()) end, updated_at = now()
      where account_id = $1 and user_id = $2`,
    values: [
      accountId,
      person.userId,
      person.timeZone,
      person.digestHour,
      person.channels,
      person.timing,
      person.quiet?.from ?? null,
      person.quiet?.to ?? null,
      person.notices,
      person.mailOff,
      person.mentions,
    ],
  });
}

/** A channel with an address. `host` is shown; the rest is sealed. */
export type StoredChannel = {
  id: string;
  userId: string;
  kind: AddressedChannel;
  host: string;
  url: { keyVersion: string; sealed: Buffer };
  /** Of webhooks: what signs. */
  secret: { keyVersion: string; sealed: Buffer } | null;
};

type ChannelRow = {
  id: string;
  userId: string;
  kind: AddressedChannel;
  host: string;
  keyVersion: string;
  urlSealed: Buffer;
  secretKeyVersion: string | null;
  secretSealed: Buffer | null;
};

export async function readChannels(tx: Tx, accountId: string, userIds: readonly string[]): Promise<StoredChannel[]> {
  const rows = await readRows<ChannelRow>(tx, {
    name: 'read-alert-channels',
    text: `
      select c.id, c.user_id, c.kind, c.host, c.key_version, c.url_sealed, c.secret_key_version, c.secret_sealed
      from landfall.alert_channels as c
      where c.account_id = $1 and c.user_id = any ($2::uuid[])`,
    values: [accountId, userIds],
  });
  return rows.map((row) => ({
    id: row.id,
    userId: row.userId,
    kind: row.kind,
    host: row.host,
    url: { keyVersion: row.keyVersion, sealed: row.urlSealed },
    secret: row.secretSealed === null ? null : { keyVersion: row.secretKeyVersion ?? '', sealed: row.secretSealed },
  }));
}

/** Sets the address of a channel. It gets a new id, which its secrets are sealed for. */
export async function putChannel(tx: Tx, accountId: string, channel: StoredChannel): Promise<void> {
  await tx.query({
    name: 'put-alert-channel',
    text: `
      insert into landfall.alert_channels (
        account_id, user_id, kind, id, host, key_version, url_sealed, secret_key_version, secret_sealed
      )
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
      on conflict (account_id, user_id, kind) do update
      set id = excluded.id, host = excluded.host, key_version = excluded.key_version, url_sealed = excluded.url_sealed,
        secret_key_version = excluded.secret_key_version, secret_sealed = excluded.secret_sealed, updated_at = now()`,
    values: [
      accountId,
      channel.userId,
      channel.kind,
      channel.id,
      channel.host,
      channel.url.keyVersion,
      channel.url.sealed,
      channel.secret?.keyVersion ?? null,
      channel.secret?.sealed ?? null,
    ],
  });
}

export async function deleteChannel(
  tx: Tx,
  accountId: string,
  { userId, kind }: { userId: string; kind: AddressedChannel },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'delete-alert-channel',
    text: 'delete from landfall.alert_channels where account_id = $1 and user_id = $2 and kind = $3',
    values: [accountId, userId, kind],
  });
  return rowCount === 1;
}

function toPerson(row: PersonRow): MemberPreferences {
  return {
    userId: row.userId,
    timeZone: row.timeZone,
    digestHour: row.digestHour,
    channels: row.channels,
    timing: row.timing,
    quiet: row.quietFrom === null || row.quietTo === null ? null : { from: row.quietFrom, to: row.quietTo },
    notices: row.notices,
    mentions: row.mentions,
    mailOffAt: row.mailOffAt,
    mailToken: row.mailToken,
  };
}
