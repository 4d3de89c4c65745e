import type { Role } from '#shared/domain/members/role.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

export type Recipient = { accountId: string; userId: string; name: string; email: string; role: Role };

/** The members of accounts. In a transaction of the system role, which may read nothing else of people. */
export async function readRecipients(tx: Tx, accountIds: readonly string[]): Promise<Recipient[]> {
  return readRows<{
    accountId: string;
    userId: string;
    name: string;
    email: string;
    role: Role;
  }>(tx, {
    name: 'read-alert-recipients',
    text: `
      select m.organization_id as account_id, m.user_id, u.name, u.email, m.role
      from auth.members as m
      join auth.users as u on u.id = m.user_id
      where m.organization_id = any ($1::uuid[])`,
    values: [accountIds],
  });
}
