import { z } from 'zod';
import { type SignatureFault, type SignedRequest, verifySignature } from './verify-signature.ts';

export const receiverNames = ['healthy', 'slow', 'refusing'] as const;
export type ReceiverName = (typeof receiverNames)[number];

/** Ways in which a receiver responds. `silent` never does. */
export const behaviours = {
  healthy: { status: 200, delayMs: 0, says: 'accepts everything at once' },
  slow: { status: 200, delayMs: 3000, says: 'accepts everything after 3 s' },
  refusing: { status: 500, delayMs: 0, says: 'responds with 500' },
  limited: { status: 429, delayMs: 0, says: 'responds with 429 with Retry-After: 30' },
  gone: { status: 410, delayMs: 0, says: 'responds with 410, which disables the endpoint' },
  silent: { status: null, delayMs: 0, says: 'never responds' },
} as const;
export type Behaviour = keyof typeof behaviours;
export const behaviourSchema = z.enum(Object.keys(behaviours) as [Behaviour, ...Behaviour[]]);

/** `whsec_` and 24 to 64 bytes in base64, as Standard Webhooks asks for. */
export const secretSchema = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/, 'Send a secret that begins with whsec_.');

/** State that survives a restart. */
export const receiverStateSchema = z.object({
  name: z.enum(receiverNames),
  behaviour: behaviourSchema,
  secrets: z.array(secretSchema),
});
export type ReceiverState = z.output<typeof receiverStateSchema>;

/** One request that arrived. `arrival`: how often this `webhook-id` has arrived, as far as the list reaches. */
export type Received = {
  at: string;
  id: string;
  type: string | null;
  fault: SignatureFault | null;
  /** Null: not answered. */
  status: number | null;
  arrival: number;
  traceparent: string | null;
  body: string;
};

export type Receiver = ReceiverState & {
  received: number;
  verified: number;
  /** The latest first. */
  latest: readonly Received[];
};

export type ReceiverBook = {
  list: () => readonly Receiver[];
  setBehaviour: (name: ReceiverName, behaviour: Behaviour) => void;
  /** Another secret whose signatures are accepted. The oldest one goes when there are too many. */
  addSecret: (name: ReceiverName, secret: string) => void;
  /** Records a request and returns how to answer it. */
  receive: (name: ReceiverName, request: SignedRequest) => (typeof behaviours)[Behaviour];
};

const maxLatest = 100;
const maxBodyCharacters = 16_384;
const maxSecrets = 20;

/** Keeps the state and the received deliveries of the receivers in bounded memory. */
export function createReceiverBook(options: {
  now: () => number;
  kept: readonly ReceiverState[];
  onChange: (receivers: ReceiverState[]) => void;
}): ReceiverBook {
  const receivers = new Map(
    receiverNames.map((name) => {
      const kept = options.kept.find((one) => one.name === name);
      const latest: Received[] = [];
      return [
        name,
        {
          name,
          behaviour: kept?.behaviour ?? name,
          secrets: [...(kept?.secrets ?? [])],
          received: 0,
          verified: 0,
          latest,
        },
      ];
    }),
  );
  const of = (name: ReceiverName) => receivers.get(name) as Receiver & { latest: Received[] };
  const changed = (): void =>
    options.onChange([...receivers.values()].map(({ name, behaviour, secrets }) => ({ name, behaviour, secrets })));
  return {
    list: () => [...receivers.values()],
    setBehaviour: (name, behaviour) => {
      of(name).behaviour = behaviour;
      changed();
    },
    addSecret: (name, secret) => {
      const receiver = of(name);
      receiver.secrets = [...receiver.secrets.filter((one) => one !== secret), secret].slice(-maxSecrets);
      changed();
    },
    receive: (name, request) => {
      const receiver = of(name);
      const behaviour = behaviours[receiver.behaviour];
      const fault = verifySignature(request, receiver.secrets, options.now());
      const id = String(request.headers['webhook-id'] ?? '').slice(0, 100);
      receiver.received += 1;
      if (fault === null) receiver.verified += 1;
      receiver.latest.unshift({
        at: new Date(options.now()).toISOString(),
        id,
        type: typeOf(request.body),
        fault,
        status: behaviour.status,
        arrival: (receiver.latest.find((one) => one.id === id)?.arrival ?? 0) + 1,
        traceparent: String(request.headers['traceparent'] ?? '').slice(0, 100) || null,
        body: request.body.slice(0, maxBodyCharacters),
      });
      receiver.latest.length = Math.min(receiver.latest.length, maxLatest);
      return behaviour;
    },
  };
}

const eventSchema = z.object({ type: z.string().max(100) });

function typeOf(body: string): string | null {
  try {
    return eventSchema.parse(JSON.parse(body)).type;
  } catch {
    return null;
  }
}
