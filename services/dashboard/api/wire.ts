import type { AnswerOf } from '#shared/contract/operations.ts';
import type { WireEvent } from '#shared/contract/record/shipment-parts.ts';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';

/** Parts of responses that the contract does not name. */
export type WireContainer = WireShipment['containers'][number];
export type WireException = WireShipment['exceptions'][number];
export type WireLeg = WireShipment['legs'][number];
export type WireTimes = WireShipment['departure'];
export type WireVehicle = NonNullable<WireEvent['vehicle']>;
export type WireRefresh = AnswerOf<'listShipmentRefreshes'>['data'][number];
export type WireCarrier = AnswerOf<'getCarrier'>;
export type WireCredentialCheck = AnswerOf<'verifyCarrierCredentials'>;
export type WireApiKeyList = AnswerOf<'listApiKeys'>;
export type WireApiKey = WireApiKeyList['data'][number];
export type WireCreatedApiKey = AnswerOf<'createApiKey'>;
export type WireBatchResult = AnswerOf<'registerBatch'>;
