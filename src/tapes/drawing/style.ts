/** The style sheet of an SVG: light, and dark where the reader's system is. */
import { GROUPS, paletteCss } from '../page/palette';

const perGroup = (): string =>
  GROUPS.map(
    (group) => `.${group}{--fill:var(--${group}-fill);--line:var(--${group}-line);--ink:var(--${group}-ink)}`,
  ).join('');

/** The style sheet. It is made only when it is needed, which spares time at the start of the daemon. */
export const svgStyle = (): string => `svg{${paletteCss('light')};color-scheme:light dark}
@media(prefers-color-scheme:dark){svg{${paletteCss('dark')}}}
text{font:12px ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;fill:var(--text)}
.paper{fill:var(--paper)}.h{font-size:19px;font-weight:600}.q{fill:var(--quiet)}.s{font-size:10.5px}
.wire{stroke:var(--wire);stroke-width:1.4;fill:none}.tip{fill:var(--wire)}.stop{stroke:var(--wire);stroke-width:2.6}
.close{stroke:var(--wire);stroke-width:1.2;opacity:.55}.dot{fill:var(--bad);stroke:var(--paper);stroke-width:1.6}
.m{fill:var(--fill);stroke:var(--line);stroke-width:1.7}
.l{font-size:12px;font-weight:600;fill:var(--ink);text-anchor:middle}
.n{font-size:10px;font-weight:600;fill:var(--ink);text-anchor:middle}
.b{font-size:10.5px;fill:var(--quiet);paint-order:stroke;stroke:var(--paper);stroke-width:3;stroke-linejoin:round}
${perGroup()}
.bad{--fill:var(--bad-fill);--line:var(--bad);--ink:var(--bad)}.x{stroke:var(--bad);stroke-width:2.6;stroke-linecap:round}
.c{fill:var(--paper);stroke-dasharray:3 2.4}
.span{stroke:var(--line);stroke-width:3.4;stroke-linecap:round;opacity:.62}
.failed{stroke:var(--bad);opacity:.9}.cancelled{stroke-dasharray:7 5}.open{stroke-dasharray:1 6}
.drop{stroke:var(--line);stroke-width:1;stroke-dasharray:1.5 3;opacity:.8}
.tick{stroke:var(--rule);stroke-width:1}.pause{stroke:var(--quiet);stroke-width:1;stroke-dasharray:2 3;opacity:.7}`;
