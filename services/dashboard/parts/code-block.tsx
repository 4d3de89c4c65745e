import { codeTokens } from './code-tokens.ts';
import { CopyButton } from './copy-button.tsx';

const toneClasses = { plain: undefined, faint: 'text-t3', key: 'text-accent' } as const;

/** What somebody copies: its name, the text, and a button that copies it whole. */
export function CodeBlock({ name, code, level = 3 }: { name: string; code: string; level?: 3 | 4 }) {
  const Name = `h${level}` as const;
  let offset = 0;
  return (
    <section>
      <div className="mb-1.5 flex min-h-7 items-center gap-2">
        <Name className="min-w-0 font-semibold text-body">{name}</Name>
        <span className="-mr-2.5 ml-auto">
          <CopyButton text={code} kind="quiet" name={name} />
        </span>
      </div>
      <figure
        aria-label={name}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="overflow-x-auto rounded-control border border-line bg-sunk px-3 py-2.5"
      >
        <pre className="font-mono text-number">
          <code>
            {codeTokens(code).map(({ text, tone }) => {
              const key = offset;
              offset += text.length;
              return (
                <span key={key} className={toneClasses[tone]}>
                  {text}
                </span>
              );
            })}
          </code>
        </pre>
      </figure>
    </section>
  );
}
