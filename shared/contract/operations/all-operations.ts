import type { Operation } from '../operation.ts';
import { getMeOperation } from './account-operations.ts';
import { registerBatchOperation } from './batch-operations.ts';
import { detectCarriersOperation, getCarrierOperation, listCarriersOperation } from './carrier-operations.ts';
import { removeCarrierCredentialsOperation, setCarrierCredentialsOperation } from './credential-operations.ts';
import { listChangesOperation } from './feed-operations.ts';
import { createImportOperation, getImportErrorsOperation, getImportOperation } from './import-operations.ts';
import {
  createApiKeyOperation,
  listApiKeysOperation,
  revokeApiKeyOperation,
  rotateApiKeyOperation,
} from './key-operations.ts';
import { countShipmentsOperation, exportShipmentsOperation, listShipmentsOperation } from './list-operations.ts';
import { mcpOperation } from './mcp-operation.ts';
import { listEventsOperation, listRefreshesOperation } from './record-operations.ts';
import { getShipmentOperation, registerShipmentOperation } from './shipment-operations.ts';
import { advanceTestShipmentOperation } from './test-operations.ts';
import {
  archiveShipmentOperation,
  cancelShipmentOperation,
  refreshShipmentOperation,
  resumeShipmentOperation,
  stopShipmentOperation,
  updateShipmentOperation,
} from './verb-operations.ts';

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
