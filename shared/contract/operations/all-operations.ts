import type { Operation } from '../operation.ts';
import { mcpOperation } from './mcp-operation.ts';
import { getShipmentOperation, listShipmentsOperation, registerShipmentOperation } from './shipment-operations.ts';

/** Everything under /v1, in the order of the document. */
export const allOperations: readonly Operation[] = [registerShipmentOperation, listShipmentsOperation, getShipmentOperation, mcpOperation];
