// The rules of git check-ref-format: what begins or ends so, or holds one of these, is no name.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
const FORBIDDEN = /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|^[/-]|[/.]$|(^|\/)\.|\.lock(\/|$)|^@$/

/** Whether Git takes this as the name of a branch or tag, or as all that follows refs/. */
export const isRefName = (name: string): boolean => name !== '' && !FORBIDDEN.test(name)

/** Whether Git takes this as the full name of a ref, such as refs/heads/main. */
export const isFullRefName = (name: string): boolean =>
  name.startsWith('refs/') && isRefName(name) && name !== 'refs/heads' && name !== 'refs/tags'
