import { CopyButton } from './copy-button.tsx';

const toneClasses = { plain: undefined, faint: 'text-t3', key: 'text-accent' } as const;

/** A named code example with a copy button. */
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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
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

export type CodeToken = { text: string; tone: 'plain' | 'faint' | 'key' };

const pattern =
  /(\$\{?(?:env:|input:)?LANDFALL_[A-Z_]+\}?)|("[^"\n]+"(?=:))|((?<![^\s])(?:curl|-{1,2}[A-Za-z][A-Za-z-]*)(?=\s|$))/g;

/**
 * Splits a command or JSON into tokens: secrets (`key`), names and options (`faint`), and the rest. Joined they are the
 * text.
 */
export function codeTokens(code: string): CodeToken[] {
  const tokens: CodeToken[] = [];
  let at = 0;
  for (const match of code.matchAll(pattern)) {
    if (match.index > at) tokens.push({ text: code.slice(at, match.index), tone: 'plain' });
    tokens.push({ text: match[0], tone: match[1] === undefined ? 'faint' : 'key' });
    at = match.index + match[0].length;
  }
  if (at < code.length) tokens.push({ text: code.slice(at), tone: 'plain' });
  return tokens;
}

/** A text whose `code` is in backticks. */
export function InlineCode({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a fixed text never move
      <code key={index} className="font-mono text-number">
        {part}
      </code>
    ),
  );
}
