import { svgStyle } from '../../../src/tapes/drawing/toSvg';
import { GROUPS, paletteCss } from '../../../src/tapes/page/palette';

describe('svgStyle', () => {
  it('has both palettes, the dark one where the system is, and the colours of each group', () => {
    const css = svgStyle();
    expect(css.startsWith(`svg{${paletteCss('light')};color-scheme:light dark}`)).toBe(true);
    expect(css).toContain(`@media(prefers-color-scheme:dark){svg{${paletteCss('dark')}}}`);
    for (const group of GROUPS) expect(css).toContain(`.${group}{--fill:var(--${group}-fill);`);
  });

  it('uses no variable that it does not set', () => {
    const css = svgStyle();
    const set = new Set([...css.matchAll(/(--[\w-]+):/g)].map(([, name]) => name));
    expect([...css.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name).filter((name) => !set.has(name))).toEqual(
      [],
    );
  });
});
