/** Names holes. */

/** The label as a name of JavaScript, with the first number that makes it a new one. */
export const freeName = (label: string, used: ReadonlySet<string>): string => {
  const letters = label.replace(/\W+/g, '_').replace(/^[\d_]+|_+$/g, '');
  const name = letters === '' ? 'value' : letters;
  if (!used.has(name)) return name;
  let number = 2;
  while (used.has(`${name}${number}`)) number++;
  return `${name}${number}`;
};
