/** Numbers that end in 0 to 4 complete their simulated journey in a minute; the others take real time. */
const demoShipments = [
  { carrier: 'MAEU', identifiers: { mbl: 'MAEU240117001' } },
  { carrier: 'MAEU', identifiers: { mbl: 'MAEU240117002' } },
  { carrier: 'HLCU', identifiers: { mbl: 'HLCUHAM240117003' } },
  { carrier: 'MSCU', identifiers: { mbl: 'MEDUAB240117' } },
  { carrier: 'ONEY', identifiers: { mbl: 'ONEYTYOF24011700' } },
  { carrier: 'EGLV', identifiers: { mbl: 'EGLV240117005678' } },
];

/** Registers the demo shipments over HTTP, as a client would. Returns how many were accepted. */
export async function registerDemoShipments(baseUrl: string, apiKey: string, signal: AbortSignal): Promise<number> {
  const answers = await Promise.all(
    demoShipments.map(async (shipment, index) => {
      const response = await fetch(`${baseUrl}/v1/shipments`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${apiKey}`,
          'content-type': 'application/json',
          'idempotency-key': `demo-${index + 1}`,
        },
        body: JSON.stringify({ transport_mode: 'ocean', ...shipment, reference: `demo-${index + 1}`, tags: ['demo'] }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
      });
      await response.body?.cancel();
      return response.ok;
    }),
  );
  return answers.filter(Boolean).length;
}
