import { detectCarriersOperation, getCarrierOperation, listCarriersOperation } from './carriers/carrier-operations.ts';
import { removeCarrierCredentialsOperation, setCarrierCredentialsOperation } from './carriers/credential-operations.ts';
import { listChangesOperation } from './feed/feed-operations.ts';
import { createImportOperation, getImportErrorsOperation, getImportOperation } from './imports/import-operations.ts';
import { getMeOperation } from './keys/account-operations.ts';
import {
  createApiKeyOperation,
  listApiKeysOperation,
  revokeApiKeyOperation,
  rotateApiKeyOperation,
} from './keys/key-operations.ts';
import { mcpOperation } from './mcp-operation.ts';
import type { Operation } from './operation.ts';
import { registerBatchOperation } from './registration/batch-operations.ts';
import {
  countShipmentsOperation,
  exportShipmentsOperation,
  listShipmentsOperation,
} from './shipments/list-operations.ts';
import { listEventsOperation, listRefreshesOperation } from './shipments/record-operations.ts';
import { getShipmentOperation, registerShipmentOperation } from './shipments/shipment-operations.ts';
import { advanceTestShipmentOperation } from './shipments/test-operations.ts';
import {
  archiveShipmentOperation,
  cancelShipmentOperation,
  refreshShipmentOperation,
  resumeShipmentOperation,
  stopShipmentOperation,
  updateShipmentOperation,
} from './shipments/verb-operations.ts';

/** Everything under /v1, in the order of the document. */
export const allOperations: readonly Operation[] = [
  registerShipmentOperation,
  registerBatchOperation,
  createImportOperation,
  getImportOperation,
  getImportErrorsOperation,
  listShipmentsOperation,
  countShipmentsOperation,
  exportShipmentsOperation,
  getShipmentOperation,
  updateShipmentOperation,
  archiveShipmentOperation,
  refreshShipmentOperation,
  stopShipmentOperation,
  resumeShipmentOperation,
  cancelShipmentOperation,
  listEventsOperation,
  listRefreshesOperation,
  listChangesOperation,
  listApiKeysOperation,
  createApiKeyOperation,
  rotateApiKeyOperation,
  revokeApiKeyOperation,
  listCarriersOperation,
  getCarrierOperation,
  detectCarriersOperation,
  setCarrierCredentialsOperation,
  removeCarrierCredentialsOperation,
  getMeOperation,
  advanceTestShipmentOperation,
  mcpOperation,
];
