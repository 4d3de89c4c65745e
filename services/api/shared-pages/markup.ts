import { escapeHtml } from '#shared/domain/words/safe-text.ts';

/** HTML whose parts are escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Part = string | number | null | Markup | readonly Markup[];

/** HTML in which every value is escaped unless it is markup itself. Null is nothing. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(texts.map((text, index) => text + partText(parts[index] ?? null)).join(''));
}

/** Text of strangers, which may run from right to left, apart from the text around it. */
export function isolated(text: string): Markup {
  return html`<bdi>${text}</bdi>`;
}

/** A sentence of ours with markup in place of each `{name}`. */
export function filled(sentence: string, values: Readonly<Record<string, Markup>>): Markup[] {
  return sentence.split(/(\{\w+\})/).map((piece) => values[/^\{(\w+)\}$/.exec(piece)?.[1] ?? ''] ?? html`${piece}`);
}

function partText(part: Part): string {
  if (part === null) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return escapeHtml(String(part));
}
