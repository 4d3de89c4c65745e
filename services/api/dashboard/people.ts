import { toWireApiKey } from '#shared/contract/keys/api-key-wire.ts';
import { auditCursor, toWireAudit } from '#shared/contract/members/audit-wire.ts';
import { toWireInvite, toWireMember } from '#shared/contract/members/people-wire.ts';
import { inviteMember, listInvites, withdrawInvite } from '#shared/core/members/invites.ts';
import { listAudit } from '#shared/core/members/list-audit.ts';
import { changeMemberRole, listMemberKeys, listMembers, removeMember } from '#shared/core/members/members.ts';
import { renameAccount } from '#shared/core/members/rename-account.ts';
import type { Routes } from '../plugins/serve.ts';

export const peopleRoutes = {
  async renameAccount({ ctx, caller, body }) {
    return { name: await renameAccount(ctx.core, caller, body.name) };
  },

  async listMembers({ ctx, caller }) {
    const members = await listMembers(ctx.core, caller);
    return { data: members.map((member) => toWireMember(member, caller.userId)) };
  },

  async changeMember({ ctx, caller, params, body }) {
    return toWireMember(await changeMemberRole(ctx.core, caller, { ...params, role: body.role }), caller.userId);
  },

  async removeMember({ ctx, caller, params, query }) {
    await removeMember(ctx.core, caller, { ...params, revokeKeys: query.revoke_keys === 'true' });
    return undefined;
  },

  async listMemberKeys({ ctx, caller, params }) {
    return { data: (await listMemberKeys(ctx.core, caller, params.userId)).map(toWireApiKey) };
  },

  async listInvites({ ctx, caller }) {
    return { data: (await listInvites(ctx.core, caller)).map(toWireInvite) };
  },

  /**
   * The link is shown once: there may be no mail server. Its token stands behind `#`, so that no log or proxy sees it.
   */
  async createInvite({ ctx, caller, person, body, request }) {
    const { invite, token } = await inviteMember(ctx.core, { ...caller, userId: person.user.id }, body);
    const origin = request.headers.origin ?? ctx.core.settings.publicBaseUrl;
    return { ...toWireInvite(invite), link: `${origin}/invite#token=${token}` };
  },

  async withdrawInvite({ ctx, caller, params }) {
    await withdrawInvite(ctx.core, caller, params.inviteId);
    return undefined;
  },

  async listAudit({ ctx, caller, query }) {
    const { lines, hasMore } = await listAudit(ctx.core, caller, query);
    const last = lines.at(-1);
    const nextCursor = hasMore && last !== undefined ? auditCursor(last.id) : null;
    return { data: lines.map(toWireAudit), page: { limit: query.limit, has_more: hasMore, next_cursor: nextCursor } };
  },
} satisfies Partial<Routes>;
