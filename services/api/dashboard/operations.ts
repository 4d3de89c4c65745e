import { answerOperations, answerTrace, answerTraces } from '../operations/operations-answers.ts';
import type { Routes } from '../plugins/serve.ts';

export const operationsRoutes = {
  getOperations: ({ ctx }) => answerOperations(ctx),
  findTraces: ({ ctx, query }) => answerTraces(ctx, query),
  getTrace: ({ ctx, params }) => answerTrace(ctx, params.trace_id),
} satisfies Partial<Routes>;
