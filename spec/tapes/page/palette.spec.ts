import { GROUPS, HUES, paletteCss } from '../../../src/tapes/page/palette';

/** Source: WCAG 2.2, relative luminance and contrast ratio. */
const luminance = (colour: string): number => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a: string, b: string): number => {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
};
const colourIn = (css: string, name: string): string => new RegExp(`--${name}:(#[0-9a-f]{6})`).exec(css)?.[1] ?? '';

describe.each(['light', 'dark'] as const)('the palette, %s', (theme) => {
  const css = paletteCss(theme);

  it.each(GROUPS)('has a letter on %s that stands out, and a rim that does from the paper', (group) => {
    const { fill, line, ink } = HUES[group][theme];
    expect(contrast(fill, ink)).toBeGreaterThanOrEqual(7);
    expect(contrast(line, colourIn(css, 'paper'))).toBeGreaterThanOrEqual(3);
  });

  it('has text of readable contrast', () => {
    for (const ground of ['paper', 'raised']) {
      expect(contrast(colourIn(css, 'text'), colourIn(css, ground))).toBeGreaterThanOrEqual(7);
      expect(contrast(colourIn(css, 'quiet'), colourIn(css, ground))).toBeGreaterThanOrEqual(4.5);
      expect(contrast(colourIn(css, 'bad'), colourIn(css, ground))).toBeGreaterThanOrEqual(4.5);
    }
    expect(contrast(colourIn(css, 'bad'), colourIn(css, 'bad-fill'))).toBeGreaterThanOrEqual(4.5);
  });
});
