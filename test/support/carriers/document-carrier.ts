import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type AskedDocument = { method: string; url: string; headers: IncomingMessage['headers']; body: string };

/** The credentials that the carriers below take. */
export const documentCredentials = {
  ups: { client_id: 'the client', client_secret: 'the secret' },
  fedex: { client_id: 'the client', client_secret: 'the secret' },
  dhl: { api_key: 'the secret' },
} as const;

/**
 * UPS, FedEx and DHL at one address, which give documents. `answer` writes each response but those of the token
 * endpoints; `asked` has the requests for documents.
 */
export async function startDocumentCarrier(answer: (asked: AskedDocument, response: ServerResponse) => void) {
  const asked: AskedDocument[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/token') {
        response.setHeader('content-type', 'application/json');
        response.end('{"access_token":"fine","expires_in":300}');
        return;
      }
      const body = Buffer.concat(chunks).toString();
      const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
      asked.push(one);
      answer(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const addresses = {
    CARRIER_UPS_BASE_URL: origin,
    CARRIER_UPS_AUTH_URL: `${origin}/token`,
    CARRIER_FEDEX_BASE_URL: origin,
    CARRIER_FEDEX_AUTH_URL: `${origin}/token`,
    CARRIER_DHL_BASE_URL: origin,
  };
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { asked, origin, addresses, close };
}

/** A response of UPS with a document in the place of its kind. */
export function upsDocument(number: string, deliveryInformation: object): string {
  return JSON.stringify({
    trackResponse: { shipment: [{ package: [{ trackingNumber: number, deliveryInformation }] }] },
  });
}

/** A response of FedEx with these documents. */
export function fedexDocument(...document: string[]): string {
  return JSON.stringify({ output: { documentType: 'SIGNATURE_PROOF_OF_DELIVERY', documentFormat: 'PDF', document } });
}
