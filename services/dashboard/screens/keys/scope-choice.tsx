import { CheckboxLine } from '../../parts/checkbox-line.tsx';
import { capital, type OfferedScope, offeredScopes, scopeWords } from './scope-words.ts';

type Props = { scopes: readonly OfferedScope[]; onScopes: (scopes: readonly OfferedScope[]) => void; test: boolean };

/** What the key may do, in plain words. */
export function ScopeChoice({ scopes, onScopes, test }: Props) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-label text-t2">Can</legend>
      <div className="flex flex-col gap-2.5">
        {offeredScopes.map((scope) => {
          const { name, allows } = scopeWords(scope);
          const isLiveOnly = scope === 'carriers:manage' && test;
          return (
            <CheckboxLine
              key={scope}
              checked={scopes.includes(scope)}
              disabled={isLiveOnly}
              hint={isLiveOnly ? 'For live keys: test shipments reach no carrier.' : allows}
              onChecked={(checked) =>
                onScopes(offeredScopes.filter((one) => (one === scope ? checked : scopes.includes(one))))
              }
            >
              {capital(name)}
            </CheckboxLine>
          );
        })}
      </div>
      {scopes.length === 0 && (
        <p role="alert" className="mt-2 text-label text-red">
          A key that may do nothing is of no use: tick one.
        </p>
      )}
    </fieldset>
  );
}
