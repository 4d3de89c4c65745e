import type { StatedProof } from '../events/event.ts';
import type { TransportMode } from '../events/transport-mode.ts';
import type { Identifiers } from '../record/shipment.ts';
import type { CheckAnswer } from './credential-check.ts';
import type { ProofAnswer } from './proof.ts';

/** A document to fetch from a carrier. */
export type ProofQuestion = {
  shipmentId: string;
  proofId: string;
  proof: StatedProof;
  carrier: string;
  connector: string;
  transportMode: TransportMode;
  identifiers: Identifiers;
  /** A demonstration shipment, which only a simulated carrier may be asked about. */
  demonstration: boolean;
};

/** Questions from requests to the workers, and the answers, by kind: only workers call carriers. */
export type WorkerQuestions = {
  /** Without sealed credentials, the account's stored ones are meant. */
  credential_check: { question: { carrier: string; connector: string }; answer: CheckAnswer };
  /** The document itself comes beside the answer. */
  proof: { question: ProofQuestion; answer: ProofAnswer };
};
export type QuestionKind = keyof WorkerQuestions;
export type Question<Kind extends QuestionKind> = WorkerQuestions[Kind]['question'];
export type Answer<Kind extends QuestionKind> = WorkerQuestions[Kind]['answer'];
