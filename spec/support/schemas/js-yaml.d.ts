/** What specs use of the package, which brings no types. */
declare module 'js-yaml' {
  export const safeLoad: (text: string) => unknown;
}
