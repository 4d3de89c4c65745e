import type { DashboardRole } from '#shared/contract/operation.ts';
import type { OperationId } from '#shared/contract/operations.ts';
import type { Scope } from '#shared/domain/caller.ts';
import { detailsTool, listTool } from '#test/support/api/mcp-calls.ts';

/** Parts of a request. `{member_id}` stands for an id of that kind. */
export type RequestPart = { query?: Readonly<Record<string, string>>; body?: unknown };

export type OperationRow = {
  /** The scope of a key, or the least role of a session. */
  needs: Scope | DashboardRole | 'any key';
  /** Concerns the caller's own sign-in, which must last: called without a session and from another site only. */
  ofCaller?: true;
  /** Requests that together have each field that takes an id. Default: the first example, or an empty body. */
  requests?: readonly RequestPart[];
};

const assigneeFilter: RequestPart = { query: { assignee: '{member_id}' } };
const view = (name: string) => ({ name, search: {}, filter: { assignee: ['{member_id}'] }, sort: 'eta' });
const alert = { rules: { exception: true }, channels: ['email'], timing: 'daily' };
const mention = { body: { text: '@{member_id} please call the terminal.' } };
const event = { source_name: 'yard', code: 'notice', available: true, time: { at: '2026-03-02T09:00:00Z' } };
const toolCall = (name: string, args: unknown): RequestPart => ({
  body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
});

/**
 * The demands of each operation, apart from the registry: an operation without its row is not compiled, and one whose
 * registered scope or role differs fails.
 */
export const operationRows = {
  registerShipment: { needs: 'shipments:write' },
  registerBatch: { needs: 'shipments:write' },
  createImport: { needs: 'shipments:write' },
  listImports: { needs: 'shipments:write' },
  getImport: { needs: 'shipments:write' },
  deleteImport: { needs: 'shipments:write' },
  getImportErrors: { needs: 'shipments:write' },
  listShipments: { needs: 'shipments:read', requests: [assigneeFilter] },
  countShipments: { needs: 'shipments:read', requests: [assigneeFilter] },
  exportShipments: { needs: 'shipments:read', requests: [assigneeFilter] },
  getShipment: { needs: 'shipments:read' },
  updateShipment: { needs: 'shipments:write', requests: [{ body: { assignee: '{member_id}' } }] },
  archiveShipment: { needs: 'shipments:write' },
  purgeShipment: { needs: 'shipments:delete' },
  refreshShipment: { needs: 'shipments:write' },
  stopShipment: { needs: 'shipments:write' },
  resumeShipment: { needs: 'shipments:write' },
  cancelShipment: { needs: 'shipments:write' },
  startBulkAction: {
    needs: 'shipments:write',
    requests: [
      { body: { action: 'tag', tags_add: ['seen'], shipment_ids: ['{shipment_id}'] } },
      { body: { action: 'tag', tags_add: ['seen'], filter: { assignee: ['{member_id}'] } } },
    ],
  },
  getBulkAction: { needs: 'shipments:write' },
  cancelBulkAction: { needs: 'shipments:write' },
  undoBulkAction: { needs: 'shipments:write' },
  listShipmentEvents: { needs: 'shipments:read' },
  listShipmentRefreshes: { needs: 'shipments:read' },
  getShipmentBundle: { needs: 'shipments:read' },
  getShipmentProof: { needs: 'shipments:read' },
  listUnreadableEvents: { needs: 'shipments:read' },
  receiveX12: { needs: 'events:write' },
  receiveEdifact: { needs: 'events:write' },
  receiveCargoImp: { needs: 'events:write' },
  pushShipmentEvents: { needs: 'events:write' },
  pushEventBatch: {
    needs: 'events:write',
    requests: [{ body: { events: [{ ...event, shipment: { id: '{shipment_id}' } }] } }],
  },
  voidEvent: { needs: 'events:write' },
  listChanges: { needs: 'shipments:read', requests: [{ query: { shipment_id: '{shipment_id}' } }] },
  streamChanges: { needs: 'shipments:read', requests: [{ query: { shipment_id: '{shipment_id}', after: '0' } }] },
  listWebhookEndpoints: { needs: 'webhooks:manage' },
  createWebhookEndpoint: {
    needs: 'webhooks:manage',
    requests: [{ body: { url: 'http://127.0.0.1:9/hooks', filter: { assignee: ['{member_id}'] } } }],
  },
  getWebhookEndpoint: { needs: 'webhooks:manage' },
  updateWebhookEndpoint: { needs: 'webhooks:manage', requests: [{ body: { filter: { assignee: ['{member_id}'] } } }] },
  deleteWebhookEndpoint: { needs: 'webhooks:manage' },
  rotateWebhookSecret: { needs: 'webhooks:manage' },
  testWebhookEndpoint: { needs: 'webhooks:manage' },
  enableWebhookEndpoint: { needs: 'webhooks:manage' },
  disableWebhookEndpoint: { needs: 'webhooks:manage' },
  getWebhookStats: { needs: 'webhooks:manage' },
  listWebhookDeliveries: { needs: 'webhooks:manage', requests: [{ query: { shipment_id: '{shipment_id}' } }] },
  getWebhookDelivery: { needs: 'webhooks:manage' },
  resendWebhookDelivery: { needs: 'webhooks:manage' },
  replayWebhookEndpoint: { needs: 'webhooks:manage', requests: [{ body: { to: 0 } }] },
  listWebhookReplays: { needs: 'webhooks:manage' },
  getWebhookReplay: { needs: 'webhooks:manage' },
  cancelWebhookReplay: { needs: 'webhooks:manage' },
  addNote: { needs: 'shipments:write', requests: [mention] },
  listNotes: { needs: 'shipments:read' },
  editNote: { needs: 'shipments:write', requests: [mention] },
  deleteNote: { needs: 'shipments:write' },
  listPeople: { needs: 'shipments:read' },
  createShare: { needs: 'shares:write' },
  listShares: { needs: 'shipments:read' },
  revokeShare: { needs: 'shares:write' },
  listApiKeys: { needs: 'keys:manage' },
  createApiKey: { needs: 'keys:manage' },
  rotateApiKey: { needs: 'keys:manage' },
  revokeApiKey: { needs: 'keys:manage' },
  listCarriers: { needs: 'shipments:read' },
  getCarrier: { needs: 'shipments:read' },
  detectCarriers: { needs: 'shipments:read' },
  setCarrierCredentials: { needs: 'carriers:manage' },
  verifyCarrierCredentials: { needs: 'carriers:manage' },
  removeCarrierCredentials: { needs: 'carriers:manage' },
  getFreeTimeTerms: { needs: 'shipments:read' },
  replaceFreeTimeTerms: { needs: 'shipments:write' },
  previewFreeTimeTerms: { needs: 'shipments:read' },
  getArrivalAnalytics: { needs: 'shipments:read' },
  getTrackingAnalytics: { needs: 'shipments:read' },
  getMe: { needs: 'any key' },
  getAccount: { needs: 'shipments:read' },
  updateAccount: { needs: 'shipments:delete' },
  advanceTestShipment: { needs: 'shipments:write' },
  mcp: {
    needs: 'shipments:read',
    requests: [toolCall(detailsTool, { shipment_id: '{shipment_id}' }), toolCall(listTool, {})],
  },
  previewImport: { needs: 'member' },
  getShareSettings: { needs: 'viewer' },
  updateShareSettings: { needs: 'owner' },
  setShareLogo: { needs: 'owner' },
  removeShareLogo: { needs: 'owner' },
  getSession: { needs: 'signed_in' },
  listSignIns: { needs: 'signed_in' },
  endSignIn: { needs: 'signed_in' },
  signIn: { needs: 'anyone', ofCaller: true },
  signOut: { needs: 'anyone', ofCaller: true },
  changePassword: { needs: 'signed_in', ofCaller: true },
  endOtherSignIns: { needs: 'signed_in', ofCaller: true },
  updateUser: { needs: 'signed_in', ofCaller: true },
  checkClaim: { needs: 'anyone' },
  claim: { needs: 'anyone', ofCaller: true },
  readInvite: { needs: 'anyone' },
  acceptInvite: { needs: 'anyone', ofCaller: true },
  checkPasswordReset: { needs: 'anyone' },
  resetPassword: { needs: 'anyone' },
  renameAccount: { needs: 'owner' },
  listMembers: { needs: 'viewer' },
  changeMember: { needs: 'owner', requests: [{ body: { role: 'viewer' } }] },
  removeMember: { needs: 'owner' },
  listMemberKeys: { needs: 'owner' },
  listInvites: { needs: 'owner' },
  createInvite: { needs: 'owner' },
  withdrawInvite: { needs: 'owner' },
  listAudit: { needs: 'owner' },
  readAppRequest: { needs: 'signed_in' },
  allowApp: { needs: 'owner', requests: [{ body: { request: '{app_request}', api_key_id: '{api_key_id}' } }] },
  denyApp: { needs: 'signed_in' },
  listApps: { needs: 'owner' },
  disconnectApp: { needs: 'owner' },
  getLimits: { needs: 'viewer' },
  getOverview: { needs: 'viewer' },
  getMap: { needs: 'viewer', requests: [{ query: { view: '1,0,0,1000,1000' } }] },
  listMapShipments: { needs: 'viewer' },
  listDestinations: { needs: 'viewer' },
  listCityPoints: { needs: 'viewer' },
  getArrivalDays: {
    needs: 'viewer',
    requests: [{ query: { assignee: '{member_id}', from: '2026-03-01', to: '2026-03-07' } }],
  },
  wipeDemo: { needs: 'owner' },
  getOperations: { needs: 'operator' },
  getOperationsHistory: { needs: 'operator' },
  findTraces: { needs: 'operator' },
  getTrace: { needs: 'operator' },
  listSavedViews: { needs: 'viewer' },
  saveView: { needs: 'viewer', requests: [{ body: view('Mine') }] },
  changeView: { needs: 'viewer', requests: [{ body: view('Ours') }] },
  deleteView: { needs: 'viewer' },
  listAlerts: {
    needs: 'viewer',
    requests: [{ query: { view_id: '{view_id}' } }, { query: { shipment_id: '{shipment_id}' } }],
  },
  createAlert: {
    needs: 'viewer',
    requests: [{ body: { ...alert, view_id: '{view_id}' } }, { body: { ...alert, shipment_id: '{shipment_id}' } }],
  },
  changeAlert: { needs: 'viewer', requests: [{ body: { paused: true } }] },
  deleteAlert: { needs: 'viewer' },
  getAlertPreferences: { needs: 'viewer' },
  changeAlertPreferences: { needs: 'viewer' },
  setAlertChannel: { needs: 'viewer' },
  removeAlertChannel: { needs: 'viewer' },
  sendAlertTrial: { needs: 'viewer' },
  listAlertMessages: { needs: 'viewer' },
  getAlertMessage: { needs: 'viewer' },
} as const satisfies Record<OperationId, OperationRow>;
