import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import type { CheckOutcome } from '#shared/domain/carriers/credential-check.ts';
import type { CredentialValues } from '#shared/domain/carriers/known-connectors.ts';
import { call, ofAccount } from '../../../api/call.ts';
import { queryClient } from '../../../api/query-client.ts';
import type { WireCarrier, WireCredentialCheck } from '../../../api/wire.ts';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { StandingMark } from '../../../parts/status-icons.tsx';

type Checking = UseMutationResult<WireCredentialCheck, Error, CredentialValues>;

/** Tries credentials at the carrier; no values: the stored ones. */
export function useCredentialCheck({ code }: Pick<WireCarrier, 'code'>): Checking {
  return useMutation({
    mutationFn: (values) =>
      call('verifyCarrierCredentials', { params: { carrier_code: code }, body: values }, ofAccount),
    // Accepted credentials may have ended their suspension.
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['carriers'] }),
  });
}

type Words = { sign: 'good' | 'warn' | 'bad'; word: string };

const outcomeWords: Record<CheckOutcome, Words> = {
  accepted: { sign: 'good', word: 'Accepted' },
  refused: { sign: 'bad', word: 'Refused' },
  wrong_address: { sign: 'bad', word: 'Wrong address' },
  rate_limited: { sign: 'warn', word: 'Rate limited' },
  unreachable: { sign: 'warn', word: 'Unreachable' },
  unreadable_answer: { sign: 'warn', word: 'Unreadable answer' },
  nothing_to_verify: { sign: 'warn', word: 'Nothing to verify' },
};

function checkWords(outcome: string): Words {
  return outcomeWords[outcome as CheckOutcome] ?? { sign: 'warn', word: outcome.replaceAll('_', ' ') };
}

/** Shows the carrier's answer to the check. Screen readers announce it when it arrives. */
export function CheckResult({ checking }: { checking: Checking }) {
  const { data, error, isPending } = checking;
  const words = data === undefined ? null : checkWords(data.outcome);
  return (
    <div role="status" className="empty:hidden">
      {isPending && <p className="text-t2">Calling the carrier. This takes up to 15 seconds.</p>}
      {error !== null && <ProblemNote error={error} />}
      {data !== undefined && words !== null && (
        <div className="flex gap-2 rounded-control border border-line2 px-3 py-2">
          <span className="mt-0.5">
            <StandingMark sign={words.sign} />
          </span>
          <p className="min-w-0 break-words">
            <strong className="font-semibold">{words.word}.</strong> {data.message}
          </p>
        </div>
      )}
    </div>
  );
}
