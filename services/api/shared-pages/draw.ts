import { createRequire } from 'node:module';

const font = (file: string) => createRequire(import.meta.url).resolve(`@expo-google-fonts/inter/${file}`);
const fontFiles = [font('400Regular/Inter_400Regular.ttf'), font('600SemiBold/Inter_600SemiBold.ttf')];

/** Width or height of a picture, in pixels. */
export type Fit = { mode: 'width' | 'height'; value: number };

/**
 * Draws an SVG as a PNG, which keeps its thread busy. The SVG is ours, or was checked by `readLogo`. Only Inter is there
 * to draw text: a letter that it lacks is left out.
 */
export async function drawPng(svg: string, fitTo: Fit): Promise<Buffer> {
  // A native package. Loaded by the first picture, so that a platform without it still serves everything else.
  const { Resvg } = await import('@resvg/resvg-js');
  const image = new Resvg(svg, {
    fitTo,
    font: { loadSystemFonts: false, fontFiles, defaultFontFamily: 'Inter', sansSerifFamily: 'Inter' },
    logLevel: 'off',
  });
  return image.render().asPng();
}
