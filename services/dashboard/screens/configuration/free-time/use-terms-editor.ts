import { useMutation } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { ProblemError } from '../../../api/problem-error.ts';
import { queryClient } from '../../../api/query-client.ts';
import {
  changesOf,
  copyOf,
  draftOf,
  isUnchanged,
  mistakesOf,
  newTerm,
  type TermDraft,
  type TermMistakes,
} from './term-draft.ts';
import { type LoadedTerms, previewTerms, saveTerms, termsQuery } from './terms-query.ts';

const noMistakes: TermMistakes = new Map();

/** The rows as they were saved, and the version that they are of. */
type Base = { etag: string | null; terms: readonly TermDraft[] };

const baseOf = ({ terms, etag }: LoadedTerms): Base => ({ etag, terms: terms.map(draftOf) });

/**
 * The rows while they are edited. Other people's changes replace them only if nothing is unsaved;
 * otherwise `isOutdated` says so, and nothing is saved until the user chooses.
 */
export function useTermsEditor(loaded: LoadedTerms) {
  const [base, setBase] = useState(() => baseOf(loaded));
  const [terms, setTerms] = useState(base.terms);
  const [mistakes, setMistakes] = useState(noMistakes);
  const changes = useMemo(() => changesOf(terms, base.terms), [terms, base]);
  const isChanged = !isUnchanged(changes);
  const isOutdated = loaded.etag !== base.etag;

  const adopt = useCallback((next: LoadedTerms) => {
    const fresh = baseOf(next);
    setBase(fresh);
    setTerms(fresh.terms);
    setMistakes(noMistakes);
  }, []);
  useEffect(() => {
    if (isOutdated && !isChanged) adopt(loaded);
  }, [isOutdated, isChanged, loaded, adopt]);

  const evaluated = (error: unknown, sent: readonly TermDraft[]) => {
    if (error instanceof ProblemError) setMistakes(mistakesOf(error.errors, sent).rows);
  };
  const saving = useMutation({
    mutationFn: ({ sent, etag }: { sent: readonly TermDraft[]; etag: string | null }) => saveTerms(sent, etag),
    onSuccess: (saved) => {
      queryClient.setQueryData(termsQuery.queryKey, saved);
      adopt(saved);
    },
    onError: async (error, { sent }) => {
      evaluated(error, sent);
      if (isConflict(error)) await queryClient.invalidateQueries({ queryKey: termsQuery.queryKey });
    },
  });
  const previewing = useMutation({
    mutationFn: (sent: readonly TermDraft[]) => previewTerms(sent),
    onSuccess: () => setMistakes(noMistakes),
    onError: evaluated,
  });
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  /** A changed row is evaluated again when it is sent again. */
  const edit = (next: readonly TermDraft[], changed: number | null = null) => {
    setTerms(next);
    saving.reset();
    if (changed !== null && mistakes.has(changed)) {
      const left = new Map(mistakes);
      left.delete(changed);
      setMistakes(left);
    }
  };
  return {
    terms,
    mistakes,
    changes,
    isChanged,
    isOutdated: isOutdated && isChanged,
    saving,
    previewing,
    blocker,
    add: (): number => {
      const term = newTerm();
      edit([...terms, term]);
      return term.key;
    },
    duplicate: (key: number): number => {
      const at = terms.findIndex((term) => term.key === key);
      const copy = copyOf(terms[at] ?? newTerm());
      edit(terms.toSpliced(at + 1, 0, copy));
      return copy.key;
    },
    change: (changed: TermDraft) =>
      edit(
        terms.map((term) => (term.key === changed.key ? changed : term)),
        changed.key,
      ),
    remove: (key: number) =>
      edit(
        terms.filter((term) => term.key !== key),
        key,
      ),
    /** Replaces all rows, by those of a file. Rows that are saved already stay the same. */
    replace: (next: readonly TermDraft[]) => edit(withKnownKeys(next, base.terms)),
    discard: () => adopt(loaded),
    save: () => saving.mutate({ sent: terms, etag: base.etag }),
    /** Saves over what somebody else has saved. */
    overwrite: () => saving.mutate({ sent: terms, etag: loaded.etag }),
    preview: () => previewing.mutate(terms),
  };
}

/** Rows with the keys of equal saved ones, so that only real differences count as changes. */
export function withKnownKeys(next: readonly TermDraft[], saved: readonly TermDraft[]): TermDraft[] {
  const free = new Map<string, number[]>();
  const textOf = ({ key: _, rates, ...rest }: TermDraft) =>
    JSON.stringify([rest, rates.map(({ fromDay, amount }) => [fromDay, amount])]);
  for (const term of saved) free.set(textOf(term), [...(free.get(textOf(term)) ?? []), term.key]);
  return next.map((term) => ({ ...term, key: free.get(textOf(term))?.shift() ?? term.key }));
}

/** True when the server refused the change because another user saved first. */
export function isConflict(error: unknown): boolean {
  return error instanceof ProblemError && error.status === 412;
}
