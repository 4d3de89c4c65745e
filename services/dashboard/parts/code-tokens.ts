export type CodeToken = { text: string; tone: 'plain' | 'faint' | 'key' };

const pattern =
  /(\$\{?(?:env:|input:)?LANDFALL_[A-Z_]+\}?)|("[^"\n]+"(?=:))|((?<![^\s])(?:curl|-{1,2}[A-Za-z][A-Za-z-]*)(?=\s|$))/g;

/** A command or JSON in parts: what stands for the secret, names and options that recede, and the rest. Joined again they are the text. */
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
