import { createRequire } from 'node:module';

const font = (file: string) => createRequire(import.meta.url).resolve(`@expo-google-fonts/inter/${file}`);
const fontFiles = [font('400Regular/Inter_400Regular.ttf'), font('600SemiBold/Inter_600SemiBold.ttf')];

/**
 * Draws an SVG as a PNG, on another thread. The SVG is ours, or was checked by `readLogo`. Only Inter is there to draw
 * text: a letter that it lacks is left out.
 */
export async function drawPng(svg: string, fitTo: { mode: 'width' | 'height'; value: number }): Promise<Buffer> {
  // A native package. Loaded by the first picture, so that a platform without it still serves everything else.
  const { renderAsync } = await import('@resvg/resvg-js');
  const image = await renderAsync(svg, {
    fitTo,
    font: { loadSystemFonts: false, fontFiles, defaultFontFamily: 'Inter', sansSerifFamily: 'Inter' },
    logLevel: 'off',
  });
  return image.asPng();
}
