// The rules of git check-ref-format: beginnings, ends and characters that a name must not have.
// biome-ignore lint/suspicious/noControlCharactersInRegex: names must not have them.
const FORBIDDEN = /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|^[/-]|[/.]$|(^|\/)\.|\.lock(\/|$)|^@$/

/** Whether Git allows this name of a branch or tag, or this text after refs/. */
export const isRefName = (name: string): boolean => name !== '' && !FORBIDDEN.test(name)

/** The largest number of bytes in a ref's name. */
export const LONGEST_REF = 4096

/** Whether Git allows this full name of a ref, such as refs/heads/main. */
export const isFullRefName = (name: string): boolean =>
  name.length <= LONGEST_REF &&
  name.startsWith('refs/') &&
  isRefName(name) &&
  name !== 'refs/heads' &&
  name !== 'refs/tags'

/** Whether a symbolic ref may point to this. */
export const isRefTarget = (name: string): boolean => isFullRefName(name) || isReftable(name)

// With reftables, Git writes this to HEAD, so that older programs see a repository without refs.
const isReftable = (name: string) => name === 'refs/heads/.invalid'
