import { appendFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Agent, connectAgent } from '#infra/tools/desk/ask.ts';
import { type DeskQuestion, kinds } from '#infra/tools/desk/desk-questions/intent.ts';
import { furtherDesk } from '#infra/tools/desk/desk-questions/questions-further.ts';
import { listDesk } from '#infra/tools/desk/desk-questions/questions-lists.ts';
import { nothingDesk } from '#infra/tools/desk/desk-questions/questions-nothing.ts';
import { manyDesk, numberDesk } from '#infra/tools/desk/desk-questions/questions-numbers.ts';
import { scriptedCaller } from '#infra/tools/desk/desk-questions/scripted-caller.ts';
import { foreignMark, type Portfolio, seedPortfolios } from '#infra/tools/desk/portfolio.ts';
import { type Answer, maxCalls } from '#infra/tools/desk/question.ts';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { startTestApi, type TestApi } from '#test/support/api/api.ts';
import { openTestCore, type TestCore } from '#test/support/core-context.ts';

const questions: DeskQuestion[] = [...numberDesk, ...manyDesk, ...listDesk, ...nothingDesk, ...furtherDesk];
const goals = { share: 115 / 120, tokensOfAnswer: 350, tokensOfTools: 1900 };

type Outcome = DeskQuestion & { answers: Answer[]; isRight: boolean; tokens: number; reported: string };

let core: TestCore;
let api: TestApi;
let agent: Agent;
let mine: Portfolio;
let tokensOfTools: number;
const outcomes: Outcome[] = [];

beforeAll(async () => {
  core = await openTestCore();
  const portfolios = await seedPortfolios(core);
  ({ mine } = portfolios);
  api = await startTestApi({ DATABASE_URL: core.serviceUrl });
  const { secret } = await createApiKey(core.ctx, portfolios.me.accountId, { name: 'desk', test: false });
  agent = await connectAgent(api.url, secret);
  tokensOfTools = await agent.tokensOfTools();
  const decide = scriptedCaller(await agent.listTools());
  for (const question of questions) outcomes.push(await pursue(question, decide));
  report();
});

afterAll(async () => {
  await agent?.close();
  await api?.close();
  await core?.close();
});

async function pursue(question: DeskQuestion, decide: ReturnType<typeof scriptedCaller>): Promise<Outcome> {
  const answers: Answer[] = [];
  const outcome = (isRight: boolean, reported: string): Outcome => ({
    ...{ ...question, answers, isRight, reported },
    tokens: answers.reduce((sum, { tokensOut }) => sum + tokensOut, 0),
  });
  try {
    for (let call = decide(question.intent, answers); call !== null; call = decide(question.intent, answers)) {
      if (answers.length === maxCalls) return outcome(false, `needs more than ${maxCalls} calls`);
      answers.push(...(await agent.pursue([call])));
    }
    const [read, truth] = [question.read(answers, mine), question.truth(mine)];
    expect(read).toEqual(truth);
    return outcome(true, '');
  } catch (error) {
    return outcome(
      false,
      `${String(error).slice(0, 1500)} ${answers.map(({ text }) => text.slice(0, 600)).join(' | ')}`,
    );
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function report(): void {
  const line = (name: string, ...cells: (string | number)[]) =>
    `${name.padEnd(26)}${cells.map((cell) => String(cell).padStart(9)).join('')}`;
  const row = (name: string, of: readonly Outcome[]) => {
    const right = of.filter(({ isRight }) => isRight);
    const calls = of.reduce((sum, { answers }) => sum + answers.length, 0);
    return line(name, `${right.length}/${of.length}`, calls, median(right.map(({ tokens }) => tokens)));
  };
  console.log(
    [
      line('kind of question', 'right', 'calls', 'tokens'),
      ...kinds.map((kind) =>
        row(
          kind,
          outcomes.filter((one) => one.kind === kind),
        ),
      ),
      row('all', outcomes),
      line('tools/list', '', '', tokensOfTools),
      ...outcomes.filter(({ isRight }) => !isRight).map(({ ask, reported }) => `WRONG ${ask}\n  ${reported}`),
    ].join('\n'),
  );
  if (process.env.DESK_ANSWERS !== undefined)
    for (const { ask, isRight, tokens, answers } of outcomes)
      appendFileSync(process.env.DESK_ANSWERS, `${JSON.stringify({ ask, isRight, tokens, answers })}\n`);
}

it('asks at least 120 questions of every kind, each once', () => {
  expect(questions.length).toBeGreaterThanOrEqual(120);
  expect(new Set(questions.map(({ ask }) => ask)).size).toBe(questions.length);
  for (const kind of kinds) expect(questions.filter((one) => one.kind === kind).length, kind).toBeGreaterThanOrEqual(3);
});

it('answers at least 115 of 120 right in at most two calls, for a caller that knows only the list of tools', () => {
  const right = outcomes.filter(({ isRight }) => isRight).length;
  expect(
    right / outcomes.length,
    outcomes.flatMap(({ isRight, ask }) => (isRight ? [] : [ask])).join('\n'),
  ).toBeGreaterThanOrEqual(goals.share);
});

it('keeps the median of a right answer within 350 tokens and the list of tools within 1,900', () => {
  const right = outcomes.filter(({ isRight }) => isRight);
  expect(median(right.map(({ tokens }) => tokens))).toBeLessThanOrEqual(goals.tokensOfAnswer);
  expect(tokensOfTools).toBeLessThanOrEqual(goals.tokensOfTools);
});

it('never shows another account', () => {
  for (const { answers } of outcomes)
    for (const { text, args } of answers)
      if (!JSON.stringify(args).includes(foreignMark)) expect(text).not.toContain(foreignMark);
});
