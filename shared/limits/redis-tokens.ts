import type { TakeTokens } from './token-bucket.ts';

/** Rounds as the Postgres function `take_tokens` does. A key expires when its bucket would be full again. */
const script = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local capacity, per_ms, wanted = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local keep, forced, close_ms = tonumber(ARGV[4]), ARGV[5] == '1', tonumber(ARGV[6])
local stored = redis.call('HMGET', KEYS[1], 'tokens', 'at', 'closed')
local passed_ms = math.max(0, now - (tonumber(stored[2]) or now))
local tokens = math.min(capacity, (tonumber(stored[1]) or capacity) + passed_ms * per_ms)
local closed = tonumber(stored[3]) or 0
if close_ms > 0 then closed = math.max(closed, now + close_ms) end
local granted = 0
if forced then
  granted = wanted
elseif closed <= now then
  granted = math.max(0, math.min(wanted, math.floor(tokens - keep + 1e-9)))
end
tokens = math.min(capacity, tokens - granted)
local closed_ms = math.max(0, closed - now)
redis.call('HSET', KEYS[1],
  'tokens', string.format('%.6f', tokens), 'at', string.format('%.3f', now), 'closed', string.format('%.3f', closed))
redis.call('PEXPIRE', KEYS[1], math.ceil(math.max(closed_ms, (capacity - tokens) / per_ms)) + 1000)
return {string.format('%.6f', granted), string.format('%.6f', tokens), string.format('%.3f', closed_ms)}
`;

type Commands = { defineCommand: (name: string, command: { numberOfKeys: number; lua: string }) => void };
type TakeCommand = {
  landfallTakeTokens: (key: string, ...values: (string | number)[]) => Promise<[string, string, string]>;
};

/** Buckets in Redis, by its clock. `client` is an ioredis client that rejects at once while Redis is unavailable. */
export function redisTokens(client: object, options: { prefix: string }): TakeTokens {
  (client as Commands).defineCommand('landfallTakeTokens', { numberOfKeys: 1, lua: script });
  const commands = client as TakeCommand;
  return async ({ key, limit, wanted, keep, forced, closeMs }) => {
    const values = [limit.capacity, limit.perMs, wanted, keep, forced ? '1' : '0', closeMs];
    const [granted, tokens, closedMs] = await commands.landfallTakeTokens(`${options.prefix}:${key}`, ...values);
    return { granted: Number(granted), tokens: Number(tokens), closedMs: Number(closedMs) };
  };
}
