import type { PageLanguage } from '#shared/domain/shares/share.ts';
import { html } from './markup.ts';
import { framePage, noBrand, type PageFrame, type RenderedPage } from './page-frame.ts';
import { wordsOf } from './words/words-of.ts';

/** The page of every link that opens nothing, whatever the reason is. */
export function notFoundPage(language: PageLanguage): RenderedPage {
  const words = wordsOf[language];
  return notice(language, words.notFoundTitle, words.notFoundText);
}

export function tooManyPage(language: PageLanguage): RenderedPage {
  const words = wordsOf[language];
  return notice(language, words.tooManyTitle, words.tooManyText);
}

export function unavailablePage(language: PageLanguage): RenderedPage {
  const words = wordsOf[language];
  return notice(language, words.unavailableTitle, words.tooManyText);
}

function notice(language: PageLanguage, title: string, text: string): RenderedPage {
  const frame: PageFrame = {
    language,
    title,
    description: text,
    brand: noBrand,
    path: null,
    picture: null,
    isEmbedded: false,
    frameAncestors: [],
  };
  return framePage(frame, html`<h1>${title}</h1><p class="way">${text}</p>`);
}

/** Asks for the password of a page, and shows nothing of its shipment. */
export function passwordPage(
  frame: Omit<PageFrame, 'title' | 'description' | 'style'>,
  { isWrong }: { isWrong: boolean },
): RenderedPage {
  const words = wordsOf[frame.language];
  const error = isWrong ? html`<p class="error" id="error" role="alert">${words.passwordWrong}</p>` : null;
  const described = isWrong ? html` aria-invalid="true" aria-describedby="error"` : null;
  // A browser keeps no cookie for a frame of another site.
  const target = frame.isEmbedded ? html` target="_blank" rel="noopener"` : null;
  return framePage(
    { ...frame, title: words.passwordTitle, description: words.passwordText },
    html`<h1>${words.passwordTitle}</h1><p class="way">${words.passwordText}</p>${error}
<form method="post" action="${frame.path ?? ''}?lang=${frame.language}"${target}>
<label for="password">${words.password}</label>
<input id="password" name="password" type="password" autocomplete="off" required maxlength="128"${described}>
<button type="submit">${words.show}</button>
</form>`,
  );
}
