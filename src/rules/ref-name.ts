// The rules of git check-ref-format: what begins or ends so, or holds one of these, is no name.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
const FORBIDDEN = /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|^[/-]|[/.]$|(^|\/)\.|\.lock(\/|$)|^@$/

/** Whether Git takes this as the name of a branch or tag, or as all that follows refs/. */
export const isRefName = (name: string): boolean => name !== '' && !FORBIDDEN.test(name)

/** A ref with its name is one line of at most so many bytes. */
export const LONGEST_REF = 4096

/** Whether Git takes this as the full name of a ref, such as refs/heads/main. */
export const isFullRefName = (name: string): boolean =>
  name.length <= LONGEST_REF &&
  name.startsWith('refs/') &&
  isRefName(name) &&
  name !== 'refs/heads' &&
  name !== 'refs/tags'

/** Whether a ref may name this one in place of an object. */
export const isRefTarget = (name: string): boolean => isFullRefName(name) || isReftable(name)

// Git writes this where older programs should see a repository, but no refs.
const isReftable = (name: string) => name === 'refs/heads/.invalid'
