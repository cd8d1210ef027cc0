/** Makes elements. Text is always text, never HTML, and made visible. Own code: each page is one file, and would contain a framework. */
import { toVisibleScript } from '../../../streams/text/visible';
import type { Action } from '../state';

type Value = string | number | boolean | undefined;
/** The attributes of an element, by their names. */
type Attributes = Record<string, Value>;
type Child = Node | string;

const SVG = 'http://www.w3.org/2000/svg';

/** Attributes that are undefined or false are left out; true becomes an empty attribute. */
const filled = <E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E => {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(
      name,
      value === true ? '' : typeof value === 'number' ? `${Math.round(value * 10) / 10}` : toVisibleScript(value),
    );
  }
  fill(element, ...children);
  return element;
};

/** Replaces what is in an element. The keyboard stays at the same button, or goes to the picture if that is gone. */
export const fill = (element: Element, ...children: Child[]): void => {
  const focused = document.activeElement;
  const hasFocus = element.contains(focused) && element !== focused;
  element.replaceChildren(...children.map((child) => (typeof child === 'string' ? toVisibleScript(child) : child)));
  if (!hasFocus) return;
  const same = [...element.querySelectorAll<HTMLElement>('button')].find((button) => keyOf(button) === keyOf(focused));
  (same ?? byId('stage')).focus({ preventScroll: true });
};

/** What a button does, by its data. */
const keyOf = (element: Element | null): string | undefined =>
  element instanceof HTMLElement ? JSON.stringify(Object.entries(element.dataset)) : undefined;

/** Makes an element of HTML. */
export const html = <N extends keyof HTMLElementTagNameMap>(
  name: N,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[N] => filled(document.createElement(name), attributes, children);

/** Makes an element of SVG. */
export const svg = <N extends keyof SVGElementTagNameMap>(
  name: N,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[N] => filled(document.createElementNS(SVG, name), attributes, children);

/** An element that the page always has. Throws if it is missing. */
export const byId = <E extends Element = HTMLElement>(id: string): E => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found as unknown as E;
};

/** Whether the page is dark now, by choice or by the system. */
export const isDark = (): boolean => {
  const { theme } = document.documentElement.dataset;
  return theme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
};

/** The action that changes from dark to light and back. */
export const otherTheme = (): Action => ({ do: 'theme', theme: isDark() ? 'light' : 'dark' });
