/**
 * Text that strangers wrote, as plain text in one line: carriers, their agents and the senders of parcels choose names
 * of places, references and remarks, and hosts of assistants render what a model repeats. Links, images, tags and other
 * markup lose the characters that make them markup, but stay readable; what is no markup stays as it is, because a
 * reference may be sent back as a filter. Defanging twice changes nothing more.
 */
export function defang(text: string): string {
  if (isHarmless.test(text)) return text;
  let plain = text;
  // A part that is removed may leave markup behind: `[[a](b)](c)`. Each pass shortens it or changes nothing.
  for (let pass = 0; pass < maxPasses; pass++) {
    const next = defangOnce(plain);
    if (next === plain) return plain;
    plain = next;
  }
  return plain
    .replace(/[<>[\]`!]/g, ' ')
    .replace(/ +/g, ' ')
    .trim();
}

const maxPasses = 8;

/** Words, numbers, times and the separators that references have. */
const isHarmless =
  /^(?!.*(?:www\.|[_~]{2}|\/\/|\$\$|[a-z] ?:\S))(?![-_ ]{3})[\w~.,;:'"()+%$?/=-]*(?: [\w~.,;:'"()+%$?/=-]+)*$/i;

function defangOnce(text: string): string {
  return rules.reduce((plain, [pattern, replacement]) => plain.replace(pattern, replacement as string), visible(text));
}

/** Without control and format characters (bidirectional ones too), and with at most two marks on a letter. */
function visible(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0\u2800]+/gu, ' ')
    .replace(/[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gu, '')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** Characters that hosts decode or fold to those of markup. */
const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  lbrack: '[',
  rbrack: ']',
  lpar: '(',
  rpar: ')',
  colon: ':',
  sol: '/',
  grave: '`',
  num: '#',
  excl: '!',
  period: '.',
  commat: '@',
  Tab: ' ',
  NewLine: ' ',
  nbsp: ' ',
};

function decoded(whole: string, name: string): string {
  const [, hex, decimal] = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/i.exec(name) ?? [];
  const code = hex === undefined ? Number(decimal ?? Number.NaN) : Number.parseInt(hex, 16);
  if (!Number.isNaN(code)) return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : ' ';
  return entities[name] ?? entities[name.toLowerCase()] ?? whole.slice(1, -1);
}

const dotted = (host: string) => host.replace(/\./g, '(.)');

type Rule = [RegExp, string | ((...parts: string[]) => string)];

const rules: Rule[] = [
  [/[＜﹤]/g, '<'],
  [/[＞﹥]/g, '>'],
  [/[［]/g, '['],
  [/[］]/g, ']'],
  [/&(#?\w{1,10});/g, (whole, name = '') => decoded(whole, name)],
  // Images and links: inline, by reference, and the definitions of references. The text first, then the address.
  [/!?\[([^[\]]*)\] ?\(([^()]*)\)/g, '$1 ($2)'],
  [/!?\[([^[\]]*)\]\[([^[\]]*)\]/g, '$1 ($2)'],
  [/\[([^[\]]+)\]:/g, '$1 :'],
  [/\] ?\(/g, ') ('],
  [/\]\[/g, ') ('],
  [/\]:/g, ') :'],
  [/!+\[/g, '('],
  [/\[{2,}/g, '('],
  [/\]{2,}/g, ')'],
  // Addresses of every scheme, without a scheme, and of mail.
  [
    /\b([a-z][a-z\d+.-]{0,20}):\/\/([^\s/?#<>()[\]]*)/gi,
    (_whole, scheme = '', host = '') => `${scheme} ${dotted(host)}`,
  ],
  // Of a longer scheme.
  [/:\/\//g, ' '],
  [/\b(javascript|vbscript|data|file|mailto|tel|blob|about|view-source)\s?:(?=\S)/gi, '$1 '],
  [/(^|[\s("'])\/\/(?=[^\s/]+\.)/g, '$1'],
  [/\bwww\.(?=[^\s])/gi, 'www(.)'],
  [/(?<=[\w.+-])@(?=[\w-]+\.)/g, '(at)'],
  // Tags, comments and the marks of chat templates.
  [/<(?=[a-z/!?|$%])/gi, '‹'],
  [/(‹[^<>]*)>/g, '$1›'],
  [/\|>/g, '|›'],
  [/\[(\/?(?:inst|sys|system|user|assistant|tool|developer|im_\w+|end\w*))\]/gi, '($1)'],
  [/<{2,}/g, '‹'],
  [/>{2,}/g, '›'],
  [/\{\{+/g, '{'],
  [/\}\}+/g, '}'],
  [/\{%/g, '{'],
  [/%\}/g, '}'],
  // Code, headings, quotes and emphasis.
  [/`+/g, "'"],
  [/~{3,}/g, '~'],
  [/(^| )#{2,6}(?= )/g, '$1'],
  [/^#(?= )/, ''],
  [/^>+ */, ''],
  [/^(?:[-*_] ?){3,}(?=\s|$)/, ''],
  [/(\*\*|~~)(?=\S)([^*~]*?\S)\1/g, '$2'],
  [/(?<![\p{L}\p{N}])__(?=\S)([^_]*?\S)__(?![\p{L}\p{N}])/gu, '$1'],
  [/\$\$+/g, '$'],
  [/^ +| +$/g, ''],
  [/ {2,}/g, ' '],
];
