type Place = { apiUrl: string; apiKey: string; simulatorUrl: string };

const receivers = [
  { name: 'healthy', description: 'Demo: a receiver that accepts everything' },
  { name: 'slow', description: 'Demo: a receiver that takes 3 seconds' },
  { name: 'refusing', description: 'Demo: a receiver that fails' },
] as const;

/**
 * Creates an endpoint for each receiver of the simulator, over HTTP as a client would, and gives the receiver its
 * secret. An endpoint that exists already stays as it is. Returns how many were created.
 */
export async function createDemoWebhooks(
  { apiUrl, apiKey, simulatorUrl }: Place,
  signal: AbortSignal,
): Promise<number> {
  const ask = async <Answer>(url: string, body?: object): Promise<Answer> => {
    const response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(url.startsWith(apiUrl) ? { authorization: `Bearer ${apiKey}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
    });
    if (!response.ok) throw new Error(`${new URL(url).pathname} responded with ${response.status}`);
    return (response.status === 204 ? null : await response.json()) as Answer;
  };
  const endpoints = `${apiUrl}/v1/webhook-endpoints`;
  const { data } = await ask<{ data: { url: string }[] }>(`${endpoints}?limit=100`);
  const known = data.map(({ url }) => url);
  const missing = receivers.filter(({ name }) => !known.includes(`${simulatorUrl}/receiver/${name}`));
  for (const { name, description } of missing) {
    const url = `${simulatorUrl}/receiver/${name}`;
    const { secret } = await ask<{ secret: string }>(endpoints, { url, description });
    await ask(`${url}/secrets`, { secret });
  }
  return missing.length;
}
