/** The theme of the page: dark or light. */
import type { Action } from '../state';

/** Whether the page is dark now, by choice or by the system. */
export const isDark = (): boolean => {
  const { theme } = document.documentElement.dataset;
  return theme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
};

/** The action that changes from dark to light and back. */
export const otherTheme = (): Action => ({ do: 'theme', theme: isDark() ? 'light' : 'dark' });
