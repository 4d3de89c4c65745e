import type { PageLanguage } from '#shared/domain/shares/share.ts';
import { chinese } from './chinese.ts';
import { dutch } from './dutch.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { japanese } from './japanese.ts';
import type { PageWords } from './page-words.ts';
import { portuguese } from './portuguese.ts';
import { spanish } from './spanish.ts';

export const wordsOf: Readonly<Record<PageLanguage, PageWords>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  pt: portuguese,
  nl: dutch,
  zh: chinese,
  ja: japanese,
};
