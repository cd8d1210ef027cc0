/** The colours of pictures: pastel marbles with a dark rim, hues that colour-blind people can distinguish. */

/** The groups of lanes, from top to bottom of a picture. */
export const GROUPS = ['request', 'answer', 'question', 'event', 'model', 'executor', 'seam', 'log'] as const;
/** A group of lanes with its own colour. */
export type Hue = (typeof GROUPS)[number];

type Shade = { fill: string; line: string; ink: string };

/**
 * A marble's inside, rim and letter, on light and on dark ground. Letters have a contrast of 7 to 1 or more.
 * Source: hues of Okabe and Ito, Color Universal Design (2008).
 */
export const HUES: Record<Hue, { light: Shade; dark: Shade }> = {
  request: {
    light: { fill: '#cfe3f5', line: '#0072b2', ink: '#08304d' },
    dark: { fill: '#10395a', line: '#5cb4ea', ink: '#e2f2fd' },
  },
  answer: {
    light: { fill: '#c9ecdf', line: '#008a64', ink: '#06392b' },
    dark: { fill: '#0b4536', line: '#3ecfa2', ink: '#dff8ef' },
  },
  question: {
    light: { fill: '#fbe3b3', line: '#b87a00', ink: '#442d00' },
    dark: { fill: '#543a05', line: '#f0b440', ink: '#fdf1d8' },
  },
  event: {
    light: { fill: '#def0fb', line: '#3b93c4', ink: '#12384e' },
    dark: { fill: '#173a4e', line: '#7cc8f0', ink: '#e6f5fd' },
  },
  model: {
    light: { fill: '#f5dce9', line: '#b0568a', ink: '#4a1735' },
    dark: { fill: '#54243f', line: '#e595c0', ink: '#fceaf4' },
  },
  executor: {
    light: { fill: '#efe6d8', line: '#8a6a3c', ink: '#3b2b12' },
    dark: { fill: '#43351f', line: '#cbab78', ink: '#f8f0e2' },
  },
  seam: {
    light: { fill: '#e4e0f3', line: '#6c5fa8', ink: '#2a2352' },
    dark: { fill: '#352e5a', line: '#aca0e4', ink: '#f0edfc' },
  },
  log: {
    light: { fill: '#e9ebee', line: '#727983', ink: '#2f343b' },
    dark: { fill: '#333942', line: '#9ba3ae', ink: '#eceff2' },
  },
};

/** Background, lines and text of a picture; `bad` is the vermilion of errors. */
const GROUND = {
  light: {
    paper: '#ffffff',
    raised: '#f6f7f9',
    rule: '#dfe3e8',
    wire: '#3d444d',
    text: '#1c2128',
    quiet: '#59626e',
    bad: '#c0420a',
    'bad-fill': '#fde3d6',
    focus: '#0a5bd3',
    hit: '#ffdf5d',
  },
  dark: {
    paper: '#0e1116',
    raised: '#161b22',
    rule: '#2b323c',
    wire: '#aab4c0',
    text: '#e6eaef',
    quiet: '#9aa4b1',
    bad: '#ff8a55',
    'bad-fill': '#4d2110',
    focus: '#6cb2ff',
    hit: '#8a6d00',
  },
};

/** All colours of one theme as custom properties of CSS. */
export const paletteCss = (theme: 'light' | 'dark'): string =>
  [
    ...Object.entries(GROUND[theme]).map(([name, colour]) => `--${name}:${colour}`),
    ...GROUPS.flatMap((group) =>
      Object.entries(HUES[group][theme]).map(([part, colour]) => `--${group}-${part}:${colour}`),
    ),
  ].join(';');
