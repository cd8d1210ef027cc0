/** The colours of pictures: pastel marbles with a dark rim, hues that colour-blind people can distinguish. */

/** The groups of lanes, from top to bottom of a picture. */
export const GROUPS = ['request', 'answer', 'question', 'event', 'model', 'executor', 'seam', 'log'] as const;
/** A group of lanes with its own colour. */
export type Hue = (typeof GROUPS)[number];

type Shade = { fill: string; line: string; ink: string };

const shade = (colours: string): Shade => {
  const [fill = '', line = '', ink = ''] = colours.split(' ');
  return { fill, line, ink };
};

const hue = (light: string, dark: string) => ({ light: shade(light), dark: shade(dark) });

/** A marble's inside, rim and letter, on light and dark ground; contrast 7 to 1 or more. Source: Okabe and Ito, Color Universal Design (2008). */
export const HUES: Record<Hue, ReturnType<typeof hue>> = {
  request: hue('#cfe3f5 #0072b2 #08304d', '#10395a #5cb4ea #e2f2fd'),
  answer: hue('#c9ecdf #008a64 #06392b', '#0b4536 #3ecfa2 #dff8ef'),
  question: hue('#fbe3b3 #b87a00 #442d00', '#543a05 #f0b440 #fdf1d8'),
  event: hue('#def0fb #3b93c4 #12384e', '#173a4e #7cc8f0 #e6f5fd'),
  model: hue('#f5dce9 #b0568a #4a1735', '#54243f #e595c0 #fceaf4'),
  executor: hue('#efe6d8 #8a6a3c #3b2b12', '#43351f #cbab78 #f8f0e2'),
  seam: hue('#e4e0f3 #6c5fa8 #2a2352', '#352e5a #aca0e4 #f0edfc'),
  log: hue('#e9ebee #727983 #2f343b', '#333942 #9ba3ae #eceff2'),
};

/** Background, lines and text of a picture; `bad` is the vermilion of errors. */
const GROUND = {
  paper: { light: '#ffffff', dark: '#0e1116' },
  raised: { light: '#f6f7f9', dark: '#161b22' },
  rule: { light: '#dfe3e8', dark: '#2b323c' },
  wire: { light: '#3d444d', dark: '#aab4c0' },
  text: { light: '#1c2128', dark: '#e6eaef' },
  quiet: { light: '#59626e', dark: '#9aa4b1' },
  bad: { light: '#c0420a', dark: '#ff8a55' },
  'bad-fill': { light: '#feebe1', dark: '#4d2110' },
  focus: { light: '#0a5bd3', dark: '#6cb2ff' },
  hit: { light: '#ffdf5d', dark: '#8a6d00' },
};

/** All colours of one theme as custom properties of CSS. */
export const paletteCss = (theme: 'light' | 'dark'): string =>
  [
    ...Object.entries(GROUND).map(([name, colour]) => `--${name}:${colour[theme]}`),
    ...GROUPS.flatMap((group) =>
      Object.entries(HUES[group][theme]).map(([part, colour]) => `--${group}-${part}:${colour}`),
    ),
  ].join(';');
