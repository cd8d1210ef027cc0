/** Names holes. */

/** The label as an identifier of JavaScript, with a number where the name is used already. */
export const freeName = (label: string, used: ReadonlySet<string>): string => {
  const letters = label.replace(/\W+/g, '_').replace(/^[\d_]+|_+$/g, '');
  const name = letters === '' ? 'value' : letters;
  if (!used.has(name)) return name;
  let number = 2;
  while (used.has(`${name}${number}`)) number++;
  return `${name}${number}`;
};
