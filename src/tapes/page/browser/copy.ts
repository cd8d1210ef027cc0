/** Buttons that copy a text. */
import { html } from './dom';

const SHOWN_MS = 1600;

/** A button that copies a text, and shows for a moment whether that succeeded. */
export const copyButton = (label: string, toText: () => string): HTMLElement => {
  const button = html('button', { type: 'button', class: 'copy' }, label);
  const show = (outcome: string): void => {
    button.textContent = outcome;
    setTimeout(() => {
      button.textContent = label;
    }, SHOWN_MS);
  };
  button.addEventListener('click', () => {
    const text = toText();
    writeText(text).then(
      () => show('Copied'),
      () => show(copySelected(text) ? 'Copied' : 'Cannot copy'),
    );
  });
  return button;
};

/** Browsers offer the clipboard to pages that they trust, which most browsers do with a file. */
const writeText = async (text: string): Promise<void> => navigator.clipboard.writeText(text);

/** Without the clipboard, a field is selected and copied. */
const copySelected = (text: string): boolean => {
  const field = html('textarea', { class: 'hidden-field', 'aria-hidden': 'true' });
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  return done;
};
