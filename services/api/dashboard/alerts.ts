import { toWireAlert } from '#shared/contract/alerts/alert-wire.ts';
import { toWireMessage, toWirePreferences, toWireUpdate } from '#shared/contract/alerts/preferences-wire.ts';
import { toWireView } from '#shared/contract/alerts/view-wire.ts';
import { changeAlert, createAlert, deleteAlert, listAlerts } from '#shared/core/alerts/alerts.ts';
import {
  changePreferences,
  readPreferences,
  removeChannel,
  sendTrial,
  setChannel,
} from '#shared/core/alerts/preferences.ts';
import { getAlertMessage, listAlertMessages } from '#shared/core/alerts/read-messages.ts';
import { changeView, deleteSavedView, listSavedViews, saveView } from '#shared/core/alerts/saved-views.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { decodeTypeId, encodeTypeId } from '#shared/domain/type-id.ts';
import type { ApiContext } from '../context.ts';
import type { Routes } from '../plugins/serve.ts';

/** Returns the reader of a view. Owners can change views that others shared. */
function readerOf({ userId, scopes }: Caller) {
  return { userId: userId ?? '', isOwner: scopes.includes('keys:manage') };
}

function about(ctx: ApiContext, person: { user: { email: string } }) {
  return { email: person.user.email, hasMail: ctx.settings.hasMail };
}

export const alertRoutes = {
  async listSavedViews({ ctx, caller }) {
    const views = await listSavedViews(ctx.core, caller);
    return { data: views.map((view) => toWireView(view, readerOf(caller))) };
  },
  saveView: async ({ ctx, caller, body }) => toWireView(await saveView(ctx.core, caller, body), readerOf(caller)),
  changeView: async ({ ctx, caller, params, body }) =>
    toWireView(await changeView(ctx.core, caller, { id: params.viewId, update: body }), readerOf(caller)),
  async deleteView({ ctx, caller, params }) {
    await deleteSavedView(ctx.core, caller, params.viewId);
    return undefined;
  },

  async listAlerts({ ctx, caller, query }) {
    return { data: (await listAlerts(ctx.core, caller, query)).map(toWireAlert) };
  },
  createAlert: async ({ ctx, caller, body }) => toWireAlert(await createAlert(ctx.core, caller, body)),
  changeAlert: async ({ ctx, caller, params, body }) =>
    toWireAlert(await changeAlert(ctx.core, caller, { id: params.alertId, update: body })),
  async deleteAlert({ ctx, caller, params }) {
    await deleteAlert(ctx.core, caller, params.alertId);
    return undefined;
  },

  getAlertPreferences: async ({ ctx, caller, person }) =>
    toWirePreferences(await readPreferences(ctx.core, caller), about(ctx, person)),
  changeAlertPreferences: async ({ ctx, caller, person, body }) =>
    toWirePreferences(await changePreferences(ctx.core, caller, body), about(ctx, person)),
  async setAlertChannel({ ctx, caller, person, params, body }) {
    const { secret, ...shown } = await setChannel(ctx.core, caller, { kind: params.channel, url: body.url });
    return { preferences: toWirePreferences(shown, about(ctx, person)), secret };
  },
  async removeAlertChannel({ ctx, caller, params }) {
    await removeChannel(ctx.core, caller, params.channel);
    return undefined;
  },
  async sendAlertTrial({ ctx, caller, body }) {
    return { message_id: encodeTypeId('msg', await sendTrial(ctx.core, caller, body.channel)) };
  },

  async listAlertMessages({ ctx, caller, query: { limit, before } }) {
    const after = before === undefined ? null : decodeTypeId('msg', before);
    if (before !== undefined && after === null)
      throw new LandfallError('alert_message_not_found', 'Message not found.');
    const { messages, hasMore } = await listAlertMessages(ctx.core, caller, { before: after, limit });
    return { data: messages.map(toWireMessage), has_more: hasMore };
  },
  async getAlertMessage({ ctx, caller, params, query }) {
    const { message, entries } = await getAlertMessage(ctx.core, caller, { id: params.messageId, ...query });
    return { message: toWireMessage(message), updates: entries.map(toWireUpdate) };
  },
} satisfies Partial<Routes>;
