import { Marked, type Tokens } from 'marked';
import { escapeHtml } from '#shared/domain/words/safe-text.ts';

/**
 * Renders a page's Markdown as HTML, so that both say the same. Headings get the anchor that GitHub gives them, a code
 * block is named by what follows its language, and HTML in the text is shown, never interpreted.
 */
export function markdownHtml(markdown: string): string {
  return marked.parse(markdown, { async: false });
}

/** The anchor of a heading: lower case, hyphens for spaces, no other punctuation than `_`. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .trim()
    .replace(/ /g, '-');
}

/** Text that is not Markdown, for a Markdown page. */
export function plainText(text: string): string {
  return text.replace(/[\\`*_[\]<>|#]/g, '\\$&');
}

/** A code block with a name. */
export function codeBlock({ name, language, text }: { name: string; language: string; text: string }): string {
  return `\`\`\`${language} ${name}\n${text}\n\`\`\``;
}

/** A table whose cells are Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.map((cell) => cell.replace(/\s*\n\s*/g, ' ')).join(' | ')} |`).join('\n');
}

/** Links that open another program or download a file look like buttons. */
const installs = /^(?:cursor:|vscode:|\S+\.mcpb$)/;

const marked = new Marked({
  // Addresses in texts are examples, not links.
  tokenizer: { url: () => undefined },
  renderer: {
    heading({ tokens, depth, text }) {
      const id = anchorOf(text);
      const inner = this.parser.parseInline(tokens);
      return `<h${depth} id="${escapeHtml(id)}">${inner}</h${depth}>\n`;
    },
    code({ text, lang = '' }) {
      const [language = '', ...words] = lang.split(' ');
      const name = words.join(' ') || language;
      return `<figure class="code" data-language="${escapeHtml(language)}">
<figcaption><span>${escapeHtml(name)}</span></figcaption>
<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>
</figure>\n`;
    },
    table(token: Tokens.Table) {
      const cells = (row: Tokens.TableCell[], tag: string) =>
        row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag.split(' ', 1)[0]}>`).join('');
      const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`);
      return `<div class="wide"><table><thead><tr>${cells(token.header, 'th scope="col"')}</tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>\n`;
    },
    link({ href, tokens }) {
      const kind = installs.test(href) ? ' class="install"' : '';
      return `<a href="${escapeHtml(href)}"${kind}>${this.parser.parseInline(tokens)}</a>`;
    },
    html({ text }) {
      return escapeHtml(text);
    },
  },
});
